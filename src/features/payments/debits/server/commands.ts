import { type Selectable, sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { CheckoutSessions } from '../../../../platform/db/types.generated.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { absoluteUrl, linkToken } from '../../../../platform/links.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { usualBankDays } from '../../../invoices/pending/rules.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { getSender, lockInvoicesTx, setPendingTx } from '../../../invoices/server/commands.ts'
import { listIn } from '../../../invoices/words/rules.ts'
import { toldBy, toldOf } from '../../../messages/paperways/rules.ts'
import { queuePaperTx } from '../../../messages/paperways/server/commands.ts'
import { type CustomerReach, getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { bankProblem } from '../rules.ts'
import { type DebitNews, debitMail } from './templates.ts'
import { debitText } from './texts.ts'

// What is on its way from a bank: no money in the books, and nothing that is asked for a second time.

type Attempt = Selectable<CheckoutSessions>
type Status = Attempt['status']

/** Brings what the invoices of some attempts wait for in line with the attempts, which just became what `status` says. */
const refreshPendingTx = async (db: TenantDb, attempts: readonly Attempt[], status: Status): Promise<void> => {
  const ids = attempts.map(({ invoiceId }) => invoiceId)
  for (const invoice of await lockInvoicesTx(db, ids)) {
    const { cents } = await db
      .selectFrom('checkoutSessions')
      .where('businessId', '=', db.businessId)
      .where('invoiceId', '=', invoice.id)
      .where('status', '=', 'processing')
      // what is taken off with it is asked for no second time either
      .select(sql<number>`coalesce(sum(amount_cents + discount_cents), 0)::float8`.as('cents'))
      .executeTakeFirstOrThrow()
    if (Number(cents) !== invoice.pendingCents) await setPendingTx(db, invoice, Number(cents), status === 'failed')
  }
  await publishChange(db, 'invoices', ids)
}

const moveTx = async (
  db: TenantDb,
  attempts: readonly Attempt[],
  from: readonly Status[],
  change: { status: Status; processingAt?: string; problem?: string },
): Promise<boolean> => {
  const moved = await db
    .updateTable('checkoutSessions')
    .set({ ...change, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where(
      'id',
      'in',
      attempts.map(({ id }) => id),
    )
    .where('status', 'in', [...from])
    .returning('id')
    .execute()
  if (moved.length > 0) await refreshPendingTx(db, attempts, change.status)
  return moved.length > 0
}

/**
 * A bank was asked and has days to answer. Only forward: what was answered stays so, whoever looked before.
 * @returns whether it was news
 */
export const beginDebitTx = (db: TenantDb, attempts: readonly Attempt[], at: string | null): Promise<boolean> =>
  moveTx(db, attempts, ['open', 'expired'], { status: 'processing', processingAt: at ?? clock.iso() })

/** A bank said no. @returns whether it was news */
export const failDebitTx = (db: TenantDb, attempts: readonly Attempt[], problem: string | null): Promise<boolean> =>
  moveTx(db, attempts, ['open', 'expired', 'processing'], { status: 'failed', problem: problem ?? 'unknown' })

/** It was paid in the end: nothing is on its way any more. */
export const endDebitTx = (db: TenantDb, attempts: readonly Attempt[]): Promise<boolean> =>
  moveTx(db, attempts, ['open', 'expired', 'processing', 'failed'], { status: 'succeeded' })

/** "INV-7", "INV-7 and INV-8". */
const namesOf = (invoices: readonly { number: number }[], language: Language = 'en'): string =>
  listIn(
    language,
    invoices.map(({ number }) => invoiceName(number)),
  )

/** Tells a customer what their bank does with a payment of some invoices, as their papers reach them, with the page of the first. */
export const tellPayerTx = async (
  db: TenantDb,
  customerId: string,
  invoices: readonly { id: string; number: number }[],
  news: DebitNews extends infer One ? (One extends DebitNews ? Omit<One, 'invoices'> : never) : never,
  dedupeKey: string,
): Promise<CustomerReach | null> => {
  const [first] = invoices
  if (!first) return null
  const { name } = await getContact(db, customerId)
  const url = absoluteUrl(paths.invoice(await linkToken(db, 'invoice', first.id)))
  const sender = await getSender(db)
  const reach = await getPaperReach(db, customerId)
  const about = { ...news, invoices: namesOf(invoices, reach.language) }
  const told = toldOf(reach)
  return queuePaperTx(db, {
    dedupeKey,
    customerId,
    entity: { type: 'invoice', id: first.id },
    mail: async (language) => debitMail(about, { name, url, told, language }, sender),
    text: (language) => debitText(about, { business: sender.name, language, url }),
  })
}

/** Tells both sides of a bank payment that began, or that failed. */
export const tellOfDebitTx = async (
  db: TenantDb,
  page: readonly Attempt[],
  news: { kind: 'begun' } | { kind: 'failed'; problem: string | null },
): Promise<void> => {
  const [lead] = page
  const invoices = await lockInvoicesTx(
    db,
    page.map(({ invoiceId }) => invoiceId),
  )
  const [first] = invoices
  if (!lead || !first) return
  const cents = page.reduce((sum, { amountCents, tipCents }) => sum + amountCents + tipCents, 0)
  const reach = await tellPayerTx(db, first.customerId, invoices, { ...news, cents }, `bank-${news.kind}:${lead.id}`)
  const told = reach && toldOf(reach)
  const { name } = await getContact(db, first.customerId)
  const amount = formatCents(cents)
  const failed = news.kind === 'failed'
  await notifyOffice(db, {
    type: 'invoice',
    title: failed
      ? `The bank payment of ${amount} from ${name} failed`
      : `A bank payment of ${amount} from ${name} is on its way`,
    content: failed
      ? `${bankProblem(news.problem)} ${namesOf(invoices)}: open again, and reminders go on. ${told ? `${name} was told ${toldBy[told]}.` : `Nothing reaches ${name}, neither mail nor text: tell them yourself.`}`
      : `For ${namesOf(invoices)}. Banks usually take ${usualBankDays} business days; reminders and late fees wait until then.`,
    customerId: first.customerId,
    path: linkTo.invoice(first.id),
    dedupeKey: `bank-${news.kind}:${lead.id}`,
  })
}
