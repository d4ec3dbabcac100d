import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { isWorkOver } from '../../../payments/credits/server/queries.ts'
import { findBillOfQuote } from '../../billing/server/queries.ts'
import type { QuoteStatus } from '../../rules.ts'
import type { DepositFacts } from '../rules.ts'

type Uses = { restCents: number; pays: { id: string; number: number; cents: number }[] }

/** Where all that came for a quote's deposit went: the invoices that it pays, and what lies on none. */
export const readDepositUses = async (db: TenantDb, quoteId: string): Promise<Uses> => {
  const { rows } = await sql<{ id: string; number: number; cents: number }>`
    select i.id, i.number, sum(a.amount_cents)::float8 as cents from payments p
      join payment_allocations a on a.business_id = p.business_id and a.payment_id = p.id
      join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
      where p.business_id = ${db.businessId} and p.quote_id = ${quoteId} and p.status = 'succeeded'
      group by i.id, i.number order by i.number`.execute(db)
  const { rest } = await db
    .selectFrom('payments')
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .where('status', '=', 'succeeded')
    .select(sql<number>`coalesce(sum(amount_cents - refunded_cents - allocated_cents), 0)::float8`.as('rest'))
    .executeTakeFirstOrThrow()
  return { restCents: rest, pays: rows }
}

/** The payment that came for a quote's deposit last; null where none did. */
export const findDepositPayment = async (db: TenantDb, quoteId: string) =>
  (await db
    .selectFrom('payments')
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .where('status', '=', 'succeeded')
    .select([
      'id',
      'receiptNumber',
      'method',
      'provider',
      'amountCents',
      'refundedCents',
      'tipCents',
      'receivedOn',
      sql<number>`(amount_cents - refunded_cents - allocated_cents)::float8`.as('restCents'),
      sql<boolean>`freed_at is not null`.as('kept'),
    ])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()) ?? null

/** Whether a page asks for the deposit of a quote right now. */
export const hasOpenDepositPage = async (db: TenantDb, quoteId: string): Promise<boolean> =>
  (await db
    .selectFrom('quoteDeposits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quoteId)
    .where('status', '=', 'open')
    .executeTakeFirst()) !== undefined

const mostLeft = 20

/** Deposits that are still here although their quote came to nothing. */
export const listLeftDeposits = async (db: TenantDb) => {
  const { rows } = await sql<{
    id: string
    quoteId: string
    number: number
    status: QuoteStatus
    customer: string
    restCents: number
  }>`
    select p.id, q.id as quote_id, q.number, q.status, c.name as customer, (p.amount_cents - p.refunded_cents - p.allocated_cents)::float8 as rest_cents
    from payments p join quotes q on q.business_id = p.business_id and q.id = p.quote_id and q.status in ('declined', 'expired', 'archived')
    join customers c on c.business_id = p.business_id and c.id = p.customer_id
    where p.business_id = ${db.businessId} and p.quote_id is not null and p.job_id is null and p.freed_at is null and p.status = 'succeeded'
      and not exists (select from jobs j where j.business_id = q.business_id and j.quote_id = q.id)
      and p.allocated_cents + p.refunded_cents < p.amount_cents
    order by p.received_on, p.id limit ${mostLeft}`.execute(db)
  return rows
}

/** What is known of the deposit of a quote whose row was read; what is due is what was signed. */
export const depositFacts = async (
  db: TenantDb,
  quote: { id: string; number: number; status: string; jobId: string | null; depositCents: number },
): Promise<DepositFacts> => {
  const signature = await db
    .selectFrom('quoteSignatures')
    .select('depositCents')
    .where('businessId', '=', db.businessId)
    .where('quoteId', '=', quote.id)
    .executeTakeFirst()
  const payment = await findDepositPayment(db, quote.id)
  // also what was recorded at a job that it became
  const { paid } = await db
    .selectFrom('payments')
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'succeeded')
    .where((eb) =>
      eb.or([
        eb('quoteId', '=', quote.id),
        sql<boolean>`job_id in (select id from jobs where business_id = ${db.businessId} and quote_id = ${quote.id})`,
      ]),
    )
    .select(sql<number>`coalesce(sum(amount_cents - refunded_cents), 0)::float8`.as('paid'))
    .executeTakeFirstOrThrow()
  return {
    number: quote.number,
    status: quote.status as QuoteStatus,
    signed: signature !== undefined,
    depositCents: Number(signature?.depositCents ?? quote.depositCents),
    paidCents: paid,
    jobId: quote.jobId,
    restCents: payment?.restCents ?? 0,
    kept: payment?.kept ?? false,
    workIsOver: await isWorkOver(db, quote.id),
    invoice: await findBillOfQuote(db, quote.id),
  }
}
