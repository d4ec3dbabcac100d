import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { linkTokenOf } from '../../../../platform/links.ts'
import { addDays, type Day, dayOf } from '../../../../shared/dates.ts'
import { paths } from '../../../../shared/paths.ts'
import { type LateFees, lateFeesOf } from '../../../businesses/latefees/rules.ts'
import type { Invoice } from '../../contract.ts'
import { invoicePrefix, lateFrom } from '../../rules.ts'
import { feeCents, feeStep, periodDays, remindedWith, ruleFor } from '../rules.ts'

export type LateFeePlan = { rule: LateFees; from: Day | null; timeZone: string; today: Day }

/** What the business charges, since when, and what day it is there. */
export const readLateFeePlan = async (db: TenantDb): Promise<LateFeePlan> => {
  const row = await db
    .selectFrom('businesses')
    .select(['timeZone', 'lateFees', 'lateFeesFrom'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const { timeZone } = row
  return { rule: lateFeesOf(row.lateFees), from: row.lateFeesFrom, timeZone, today: dayOf(clock.now(), timeZone) }
}

/** The period that begins with the day an invoice `i` is late from: after it was opened again, the one after those that were charged until then. */
const firstPeriod = sql`(case when i.reopened_on > i.due_on then coalesce((select max(b.period) + 1 from late_fees b
  where b.business_id = i.business_id and b.invoice_id = i.id and b.on_day <= i.reopened_on), 0) else 0 end)`

/** The fee that an invoice `i` costs today, by number: `feeStep` of `ruleFor` in the database. */
const periodOf = ({ graceDays, repeats, second }: LateFees, today: Day) => {
  const late = sql`(${today}::date - greatest(i.due_on, i.reopened_on))`
  const again = (since: number) => sql`(${late} - ${since}::int) / ${periodDays}::int`
  const firstOnly = repeats ? sql`(${firstPeriod} + ${again(graceDays + 1)})` : sql`0`
  if (!second) return firstOnly
  const later = repeats ? sql`1 + ${again(second.fromDays)}` : sql`1`
  const both = sql`(${repeats ? firstPeriod : sql`0`} + case when ${late} >= ${second.fromDays}::int then ${later} else 0 end)`
  return second.since ? sql`(case when i.issue_on >= ${second.since}::date then ${both} else ${firstOnly} end)` : both
}

/** So many are looked up at a time. */
const mostPerRun = 500

/** Where the next page of open invoices begins: after this one. */
export type After = { id: string; dueOn: Day; number: number }

/** The rest of a list of invoices `i` by due day and number, after the last one that was seen. */
export const afterInvoice = (after: After | null) =>
  after ? sql`and (i.due_on, i.number) > (${after.dueOn}::date, ${after.number}::int)` : sql``

type Wanted = {
  /** Only of these. */
  ids?: readonly string[]
  /** Those whose fee rests because their customer answered, and only those. */
  resting?: boolean
  after?: After | null
  limit?: number
}

/**
 * Open invoices that are late enough for a fee they have not had: none that is disputed, promised, held, being paid right now, waiting for its
 * customer's card, charged up to the cap already or itself a fee, and none that was reminded of in the last hours, because the reminder tells of the fee.
 */
export const listForFees = async (
  db: TenantDb,
  { rule, from, today }: LateFeePlan,
  { ids, resting = false, after = null, limit = mostPerRun }: Wanted = {},
): Promise<After[]> => {
  if (rule.kind === 'off' || from === null) return []
  const period = periodOf(rule, today)
  const { rows } = await sql<After>`
    select i.id, i.due_on, i.number from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
    where i.business_id = ${db.businessId} ${ids ? sql`and i.id = any(${[...ids]}::uuid[])` : sql``} and i.status in ('issued', 'partially_paid') and i.due_on < ${addDays(today, -rule.graceDays)}::date
      and (i.reopened_on is null or i.reopened_on < ${addDays(today, -rule.graceDays)}::date)
      and i.issue_on >= ${from}::date and ${resting ? sql`i.answered_at is not null` : sql`i.reminders_stopped is null`} and (i.promised_on is null or i.promised_on < ${today}::date)
      ${afterInvoice(after)}
      and not c.hold_invoices and not c.no_late_fees and (i.last_reminded_at is null or i.last_reminded_at < ${clock.iso()}::timestamptz - interval '20 hours')
      and not exists (select from late_fees f where f.business_id = i.business_id and f.fee_invoice_id = i.id)
      and not exists (select from late_fees f where f.business_id = i.business_id and f.invoice_id = i.id and f.period = ${period})
      and not exists (select from checkout_sessions s where s.business_id = i.business_id and s.invoice_id = i.id and s.status = 'open'
        and s.expires_at > ${clock.iso()}::timestamptz)
      and not exists (select from autopay_charges a where a.business_id = i.business_id and a.invoice_id = i.id and a.status = 'waiting')
      and not i.disputed and i.pending_cents = 0
      and (${rule.capCents}::int8 is null or coalesce((select sum(f.amount_cents) from late_fees f where f.business_id = i.business_id
        and f.invoice_id = i.id and f.waived_on is null), 0) < ${rule.capCents}::int8)
    order by i.due_on, i.number limit ${limit}`.execute(db)
  return rows
}

/**
 * Open late fees that have no reminders of their own although their late invoice was paid. Of one that was let go nobody is reminded, and
 * what the office stopped for a reason of its own stays stopped.
 */
export const listReleasedFees = async (db: TenantDb, limit = mostPerRun): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select i.id from invoices i
    join late_fees f on f.business_id = i.business_id and f.fee_invoice_id = i.id
    join invoices late on late.business_id = f.business_id and late.id = f.invoice_id and late.status = 'paid'
    where i.business_id = ${db.businessId} and i.status in ('issued', 'partially_paid')
      and i.reminders_stopped = ${remindedWith(invoicePrefix)} || late.number
    order by i.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** What the fees of some invoices come to that were not waived, in cents, and the period that begins with the day each is late from. */
export const readCharged = async (
  db: TenantDb,
  invoiceIds: readonly string[],
): Promise<Map<string, { cents: number; firstPeriod: number }>> => {
  const { rows } = await sql<{ id: string; cents: number; firstPeriod: number }>`
    select i.id, ${firstPeriod}::int as first_period, coalesce((select sum(f.amount_cents) from late_fees f
      where f.business_id = i.business_id and f.invoice_id = i.id and f.waived_on is null), 0)::int8 as cents
    from invoices i where i.business_id = ${db.businessId} and i.id = any(${[...invoiceIds]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, cents, firstPeriod }) => [id, { cents: Number(cents), firstPeriod }]))
}

type Late = {
  issueOn: Day | null
  dueOn: Day | null
  reopenedOn: Day | null
  totalCents: number
  taxCents: number
  paidCents: number
}

/** The fee that an invoice costs today, less what the cap leaves; null where it costs none. */
export const nextFee = (
  { rule: wanted, today }: LateFeePlan,
  invoice: Late,
  charged: { cents: number; firstPeriod: number } = { cents: 0, firstPeriod: 0 },
): { period: number; cents: number } | null => {
  const from = lateFrom(invoice)
  const rule = ruleFor(wanted, invoice.issueOn)
  const step = from === null ? null : feeStep(rule, from, today, charged.firstPeriod)
  const cents = step === null ? 0 : feeCents(rule, invoice, charged.cents, step.isSecond)
  return step === null || cents === 0 ? null : { period: step.period, cents }
}

export type RestingFee = {
  id: string
  number: number
  customerName: string
  /** Why it rests. */
  why: string
  cents: number
}

/**
 * Late fees that rest because their customers wrote or paid a part, the oldest first, with what each comes to today: the office charges them
 * or lets them go.
 * @param ids only of these invoices
 */
export const listRestingFees = async (db: TenantDb, limit: number, ids?: readonly string[]): Promise<RestingFee[]> => {
  const plan = await readLateFeePlan(db)
  const found = (await listForFees(db, plan, { resting: true, limit, ...(ids ? { ids } : {}) })).map(({ id }) => id)
  if (found.length === 0) return []
  const charged = await readCharged(db, found)
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'invoices.businessId').onRef('customers.id', '=', 'invoices.customerId'),
    )
    .where('invoices.businessId', '=', db.businessId)
    .where(sql<boolean>`invoices.id = any(${found}::uuid[])`)
    .select([
      'invoices.id',
      'invoices.number',
      'invoices.issueOn',
      'invoices.dueOn',
      'invoices.reopenedOn',
      'invoices.totalCents',
      'invoices.taxCents',
      'invoices.paidCents',
      'invoices.remindersStopped',
      'customers.name',
    ])
    .orderBy('invoices.dueOn')
    .orderBy('invoices.number')
    .execute()
  return rows.flatMap((row) => {
    const fee = nextFee(plan, row, charged.get(row.id))
    const { id, number, name, remindersStopped } = row
    return fee ? [{ id, number, customerName: name, why: remindersStopped ?? '', cents: fee.cents }] : []
  })
}

/** The late fees of an invoice, and the invoice that it is itself a late fee of. */
export const getLateFees = async (
  db: TenantDb,
  invoiceId: string,
): Promise<Pick<Invoice, 'lateFees' | 'lateFeeFor'>> => {
  const rows = await db
    .selectFrom('lateFees')
    .innerJoin('invoices as fee', (join) =>
      join.onRef('fee.businessId', '=', 'lateFees.businessId').onRef('fee.id', '=', 'lateFees.feeInvoiceId'),
    )
    .innerJoin('invoices as late', (join) =>
      join.onRef('late.businessId', '=', 'lateFees.businessId').onRef('late.id', '=', 'lateFees.invoiceId'),
    )
    .where('lateFees.businessId', '=', db.businessId)
    .where((eb) => eb.or([eb('lateFees.invoiceId', '=', invoiceId), eb('lateFees.feeInvoiceId', '=', invoiceId)]))
    .select([
      'fee.id',
      'fee.number',
      'fee.status',
      'fee.totalCents',
      'fee.paidCents',
      'lateFees.onDay',
      'lateFees.waivedReason',
      'late.id as lateId',
      'late.number as lateNumber',
    ])
    .orderBy('lateFees.period')
    .execute()
  const own = rows.find(({ id }) => id === invoiceId)
  return {
    lateFees: rows
      .filter(({ lateId }) => lateId === invoiceId)
      .map(({ id, number, status, totalCents, paidCents, onDay, waivedReason }) => ({
        id,
        number,
        amountCents: totalCents,
        openCents: status === 'issued' || status === 'partially_paid' ? totalCents - paidCents : 0,
        onDay,
        waivedReason,
        publicPath: paths.invoice(linkTokenOf(db, 'invoice', id)),
      })),
    lateFeeFor: own ? { id: own.lateId, number: own.lateNumber } : null,
  }
}
