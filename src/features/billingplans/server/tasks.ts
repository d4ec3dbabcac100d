import { subscriber } from '../../../platform/events/events.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { forEachOpenBusiness } from '../../../platform/tasks/walk.ts'
import { billDueMonths, checkPlans, countVisit } from './commands.ts'
import { unsettle } from './settle.ts'

/** Finished work counts against the plan that covers it, and no more when it is opened again. */
export const onVisitCounted = subscriber({
  name: 'billingplans.onVisitCounted',
  on: 'visit.counted',
  run: (actor, { visitId }) => countVisit(actor, visitId),
})

/** What a voided last invoice of a settlement billed is to be settled anew. */
export const onInvoiceVoided = subscriber({
  name: 'billingplans.onInvoiceVoided',
  on: 'invoice.voided',
  run: (actor, { invoiceId }) => unsettle(actor, invoiceId),
})

/** Looks once an hour which months are due; in each business's own day. */
export const billMonths: GlobalTask = {
  name: 'billingplans.billMonths',
  run: () => forEachOpenBusiness('billing the months of plans', billDueMonths),
}
export const billMonthsSchedule: Schedule = { task: billMonths.name, match: '50 * * * *', onlyLatest: true }

/** Every night: what the work of each plan comes to as the jobs stand now. */
export const checkAllPlans: GlobalTask = {
  name: 'billingplans.check',
  run: () => forEachOpenBusiness('looking at billing plans', checkPlans),
}
export const checkPlansSchedule: Schedule = { task: checkAllPlans.name, match: '35 11 * * *' }
