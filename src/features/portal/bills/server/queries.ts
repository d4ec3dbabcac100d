import { sql } from 'kysely'
import { keyset } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTokenOf } from '../../../../platform/links.ts'
import type { Day } from '../../../../shared/dates.ts'
import { paths } from '../../../../shared/paths.ts'
import { cardLabel } from '../../../payments/cards/rules.ts'
import { findMethod, mandateOf } from '../../../payments/cards/server/queries.ts'
import { getStatementPage } from '../../../payments/statement/server/queries.ts'
import type { QuoteStatus } from '../../../quotes/rules.ts'
import type { Language } from '../../server/queries.ts'

export type ListedQuote = {
  id: string
  number: number
  title: string
  status: QuoteStatus
  totalCents: number
  validUntil: Day | null
  street: string
  path: string
  signed: boolean
}

const waitingStates = ['sent', 'viewed']

/** Quotes that a customer was sent, the latest first; each with the page of what was sent last. */
export const listSentQuotes = async (db: TenantDb, customerId: string, limit = 30): Promise<ListedQuote[]> => {
  const { rows } = await sql<Omit<ListedQuote, 'path'> & { revisionId: string }>`
    select q.id, q.number, q.title, q.status, q.total_cents::int8 as "totalCents", q.valid_until as "validUntil", p.street,
      r.id as "revisionId", exists (select 1 from quote_signatures s where s.business_id = q.business_id and s.quote_id = q.id) as signed
    from quotes q join properties p on p.business_id = q.business_id and p.id = q.property_id
    join lateral (select x.id from quote_revisions x where x.business_id = q.business_id and x.quote_id = q.id
      order by x.revision desc limit 1) r on true
    where q.business_id = ${db.businessId} and q.customer_id = ${customerId} and q.status not in ('draft', 'archived')
    order by q.number desc limit ${limit}`.execute(db)
  return rows.map(({ revisionId, ...row }) => ({
    ...row,
    totalCents: Number(row.totalCents),
    path: paths.quote(linkTokenOf(db, 'quote', revisionId)),
  }))
}

/** Whether a quote waits for its customer. */
export const isWaiting = ({ status }: Pick<ListedQuote, 'status'>): boolean => waitingStates.includes(status)

export type ListedInvoice = {
  id: string
  number: number
  status: string
  issueOn: Day | null
  totalCents: number
  openCents: number
  path: string
  pdfPath: string
}

/** Issued invoices of a customer, the latest first. */
export const listIssued = async (
  db: TenantDb,
  customerId: string,
  { cursor, limit = 12 }: { cursor?: string | undefined; limit?: number } = {},
): Promise<{ items: ListedInvoice[]; nextCursor: string | null }> => {
  const keys = keyset([{ of: sql`i.number`, type: 'int' }], { order: 'desc', cursor, limit })
  const { rows } = await sql<{
    id: string
    number: number
    status: string
    issueOn: Day | null
    totalCents: number
    openCents: number
    cursorKeys: string[]
  }>`select i.id, i.number, i.status, i.issue_on as "issueOn", i.total_cents as "totalCents", i.total_cents - i.paid_cents as "openCents",
      ${keys.values} as cursor_keys
    from invoices i where i.business_id = ${db.businessId} and i.customer_id = ${customerId} and i.number is not null
      and i.status in ('issued', 'partially_paid', 'paid') and ${keys.beyond}
    order by ${keys.order} limit ${keys.limit}`.execute(db)
  const { items, nextCursor } = keys.page(rows)
  return {
    items: items.map((row) => {
      const token = linkTokenOf(db, 'invoice', row.id)
      return {
        ...row,
        totalCents: Number(row.totalCents),
        openCents: Number(row.openCents),
        path: paths.invoice(token),
        pdfPath: `/api/public/invoices/${token}/pdf`,
      }
    }),
    nextCursor,
  }
}

/** What a customer owes, paid and has on file, as the statement page has it; and the card by its name, also where it pays nothing by itself. */
export const getBills = async (db: TenantDb, customerId: string, language: Language) => {
  const page = await getStatementPage(db, customerId)
  const method = await findMethod(db, customerId)
  return {
    ...page,
    method: method ? { label: cardLabel(method, language), autopay: method.autopay } : null,
    /** What they agree to who turn autopay on again; null where there is nothing to turn on. */
    mandate: method && !method.autopay ? (await mandateOf(db, language)).text : null,
  }
}
export type Bills = Awaited<ReturnType<typeof getBills>>
