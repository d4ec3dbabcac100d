import type { z } from 'zod'
import type { Actor, SystemActor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { refuse } from '../../../../shared/can.ts'
import { addDays, dayOf, formatDay, minuteOfDay } from '../../../../shared/dates.ts'
import { invalid } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { listPaperReach } from '../../../messages/paperways/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import type { Invoice, invoicesApi } from '../../contract.ts'
import { type After, listReleasedFees } from '../../latefees/server/queries.ts'
import { invoiceName, invoiceRefusals } from '../../rules.ts'
import { remindTx } from '../../server/commands.ts'
import { getInvoice } from '../../server/queries.ts'
import { type LockedInvoice, lockInvoicesTx, lockInvoiceTx, setInvoiceTx } from '../../server/rows/commands.ts'
import { isReminderDue, remindFromMinute, remindToMinute } from '../rules.ts'
import { stopForAnswerTx } from './answered.ts'
import { forEachChunk } from './pages.ts'
import { listAnswered, listDueReminders, listLapsedPromises, type ReminderPlan, readPlan } from './queries.ts'

/** A promise to pay is believed so far ahead. */
const farthestDays = 365

type Change = z.output<(typeof invoicesApi)['setReminders']['body']>

const changeTx = async (db: TenantDb, invoice: LockedInvoice, change: Change): Promise<LockedInvoice> => {
  if ('stop' in change) {
    refuse(invoiceRefusals.stopReminders(invoice))
    return setInvoiceTx(db, invoice, { remindersStopped: change.stop })
  }
  if ('start' in change) {
    refuse(invoiceRefusals.startReminders(invoice))
    return setInvoiceTx(db, invoice, { remindersStopped: null, answeredAt: null, remindersFrom: clock.iso() })
  }
  refuse(invoiceRefusals.promise(invoice))
  const today = await todayOf(db)
  if (change.promisedOn !== null && change.promisedOn < today)
    throw invalid([{ path: 'promisedOn', message: 'This day has passed' }])
  if (change.promisedOn !== null && change.promisedOn > addDays(today, farthestDays))
    throw invalid([{ path: 'promisedOn', message: 'At most a year ahead' }])
  return setInvoiceTx(db, invoice, { promisedOn: change.promisedOn, remindersFrom: clock.iso() })
}

/** A day that the customer promised to pay by, or no more reminders of this invoice, or reminders again. */
export const setReminders = (actor: Actor, id: string, change: Change): Promise<Invoice> =>
  withTenant(actor, async (db) => {
    await changeTx(db, await lockInvoiceTx(db, id), change)
    await audit(db, actor, 'invoice.reminders', { type: 'invoice', id }, { after: change })
    await publishChange(db, 'invoices', [id])
    return getInvoice(db, actor, id)
  })

/** Invoices that one transaction reminds of. */
const chunkSize = 40

/** Reminds of some invoices whose step has come; what was answered or paid since the last reminder is stopped instead. */
const remindChunk = (actor: SystemActor, ids: readonly string[], plan: ReminderPlan): Promise<void> =>
  withTenant(actor, async (db) => {
    // after the lock nobody else reminds of them: what a run beside this one did is seen here
    const locked = await lockInvoicesTx(db, ids)
    const answered = new Map((await listAnswered(db, ids)).map((one) => [one.id, one]))
    const reachOf = await listPaperReach(
      db,
      locked.map(({ customerId }) => customerId),
    )
    const good: LockedInvoice[] = []
    for (const invoice of locked) {
      const lastRemindedOn = invoice.lastRemindedAt ? dayOf(new Date(invoice.lastRemindedAt), plan.timeZone) : null
      if (!isReminderDue({ ...invoice, lastRemindedOn }, plan.steps, plan.today)) continue
      const one = answered.get(invoice.id)
      if (
        !one ||
        invoiceRefusals.remind({ ...invoice, customer: one, reach: reachOf(invoice.customerId), nowMs: clock.nowMs() })
      )
        continue
      if (!(await stopForAnswerTx(db, invoice, one, plan.timeZone))) good.push(invoice)
    }
    if (good.length > 0) await remindTx(db, actor, good)
    const stopped = locked.filter(({ id }) => !good.some((one) => one.id === id))
    if (stopped.length > 0)
      await publishChange(
        db,
        'invoices',
        stopped.map(({ id }) => id),
      )
  })

/** A late fee is reminded of with its late invoice; once that is settled, by itself. */
const releaseFees = (actor: SystemActor): Promise<void> =>
  withTenant(actor, async (db) => {
    for (const invoice of await lockInvoicesTx(db, await listReleasedFees(db))) {
      await setInvoiceTx(db, invoice, { remindersStopped: null, remindersFrom: clock.iso() })
      await publishChange(db, 'invoices', [invoice.id])
    }
  })

/**
 * Reminds of what is open, by mail or text, on the days that the business set; the office hears of promises that were not kept.
 * @param pageSize so many are looked up at a time: what is passed over on one page stands in the way of nobody on the next
 */
export const remindBySchedule = async (actor: SystemActor, pageSize?: number): Promise<void> => {
  const plan = await withTenant(actor, readPlan)
  const minute = minuteOfDay(clock.now(), plan.timeZone)
  if (minute < remindFromMinute || minute >= remindToMinute) return
  await withTenant(actor, async (db) => {
    for (const late of await listLapsedPromises(db, plan.today))
      await notifyOffice(db, {
        type: 'invoice',
        title: `${late.name} promised to pay ${invoiceName(late.number)} by ${formatDay(late.promisedOn)}`,
        content: `${formatCents(late.openCents)} is still open.`,
        customerId: late.customerId,
        path: linkTo.invoice(late.id),
        dedupeKey: `promise:${late.id}:${late.promisedOn}`,
      })
  })
  await releaseFees(actor)
  if (plan.steps.length === 0) return
  await forEachChunk(
    (after: After | null) => withTenant(actor, (db) => listDueReminders(db, plan, after, pageSize)),
    chunkSize,
    (ids) => remindChunk(actor, ids, plan),
  )
}
