import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, type Day, dayOf } from '../../../../shared/dates.ts'
import type { Invoice, InvoiceSummary } from '../../contract.ts'
import { type After, afterInvoice } from '../../latefees/server/queries.ts'
import { countsAnew, isOpen } from '../../rules.ts'
import { catchUpDays, nextReminderOn } from '../rules.ts'

export type ReminderPlan = { steps: readonly number[]; timeZone: string; today: Day }

/** On which days around the due day the business reminds, and what day it is there. */
export const readPlan = async (db: TenantDb): Promise<ReminderPlan> => {
  const { timeZone, invoiceReminders } = await db
    .selectFrom('businesses')
    .select(['timeZone', 'invoiceReminders'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  return { steps: invoiceReminders, timeZone, today: dayOf(clock.now(), timeZone) }
}

/** So many are looked up at a time. */
const mostPerPage = 500

/**
 * Open invoices that a step has come for: those of a few due days, or days on which they were opened again, however many years of invoices
 * there are.
 */
export const listDueReminders = async (
  db: TenantDb,
  { steps, today }: ReminderPlan,
  after: After | null = null,
  limit = mostPerPage,
): Promise<After[]> => {
  const daysOf = (some: readonly number[]): string[] =>
    some.flatMap((step) => Array.from({ length: catchUpDays + 1 }, (_, late) => addDays(today, -step - late)))
  const [days, again] = [daysOf(steps), daysOf(steps.filter((step) => step > 0))]
  const { rows } = await sql<After>`
    select i.id, i.due_on, i.number from invoices i
    where i.business_id = ${db.businessId} and i.status in ('issued', 'partially_paid') 
      and (i.due_on = any(${days}::date[]) and (i.reopened_on is null or i.reopened_on <= i.due_on)
        or i.reopened_on = any(${again}::date[]) and i.reopened_on > i.due_on)
      and i.reminders_stopped is null and not i.disputed and i.pending_cents = 0 and (i.promised_on is null or i.promised_on < ${today}::date)
      and (i.last_reminded_at is null or i.last_reminded_at < ${clock.iso()}::timestamptz - interval '20 hours')
      and not exists (select from autopay_charges a where a.business_id = i.business_id and a.invoice_id = i.id and a.status = 'waiting')
      ${afterInvoice(after)}
    order by i.due_on, i.number limit ${limit}`.execute(db)
  return rows
}

export type Answered = { id: string; name: string; wrote: boolean; called: boolean; paid: boolean }

/**
 * Of invoices: whom they go to, and whether that customer wrote, called, was talked to or paid on them since they were last asked: by a
 * reminder, before the first one by the invoice itself. What came with a reason, like an automatic answer, was written by nobody; a call that
 * reached nobody of theirs said nothing; money that they had sent before, and credit that the business gave, are put on an invoice by us and
 * answer nothing.
 */
export const listAnswered = async (db: TenantDb, ids: readonly string[]): Promise<Answered[]> => {
  const { rows } = await sql<Answered>`
    select i.id, c.name,
      exists (select from messages m where m.business_id = i.business_id and m.customer_id = i.customer_id and m.direction = 'inbound' and m.reason is null
        and m.created_at > greatest(coalesce(i.last_reminded_at, i.sent_at), i.reminders_from, i.reopened_on::timestamptz)) as wrote,
      exists (select from customer_calls k where k.business_id = i.business_id and k.customer_id = i.customer_id
        and (k.outcome = 'talked' or k.direction = 'in')
        and k.at > greatest(coalesce(i.last_reminded_at, i.sent_at), i.reminders_from, i.reopened_on::timestamptz)) as called,
      exists (select from payment_allocations a join payments p on p.business_id = a.business_id and p.id = a.payment_id
        where a.business_id = i.business_id and a.invoice_id = i.id and p.method <> 'credit'
        and p.created_at > greatest(coalesce(i.last_reminded_at, i.sent_at), i.reminders_from, i.reopened_on::timestamptz)) as paid
    from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
    where i.business_id = ${db.businessId} and i.id = any(${[...ids]}::uuid[])`.execute(db)
  return rows
}

/** Open invoices whose promised day passed in the last days. */
export const listLapsedPromises = async (db: TenantDb, today: Day) => {
  const { rows } = await sql<{
    id: string
    number: number
    customerId: string
    name: string
    promisedOn: Day
    openCents: number
  }>`
    select i.id, i.number, i.customer_id, c.name, i.promised_on, i.total_cents - i.paid_cents as open_cents
    from invoices i join customers c on c.business_id = i.business_id and c.id = i.customer_id
    where i.business_id = ${db.businessId} and i.status in ('issued', 'partially_paid')
      and i.promised_on between ${addDays(today, -1 - catchUpDays)}::date and ${addDays(today, -1)}::date
    order by i.promised_on, i.number limit ${mostPerPage}`.execute(db)
  return rows
}

type Reminded = Pick<InvoiceSummary, 'status' | 'dueOn' | 'lastRemindedAt'> & {
  promisedOn: Day | null
  remindersStopped: string | null
  reopenedOn: Day | null
  reachedOn: Day | null
}

/** What an invoice says of its reminders. */
export const remindersOf = (
  row: Reminded,
  { steps, timeZone, today }: ReminderPlan,
  autopay: Day | null,
): Invoice['reminders'] => {
  const lastRemindedOn = row.lastRemindedAt ? dayOf(row.lastRemindedAt, timeZone) : null
  return {
    byRule: steps.length > 0,
    nextOn: nextReminderOn({ ...row, lastRemindedOn }, steps, today),
    autopay,
    stopped: row.remindersStopped,
    restingFeeCents: null,
    promisedOn: row.promisedOn,
    anew:
      isOpen(row.status) && countsAnew(row)
        ? { on: row.reopenedOn, why: row.reopenedOn === row.reachedOn ? 'reached' : 'open_again' }
        : null,
  }
}
