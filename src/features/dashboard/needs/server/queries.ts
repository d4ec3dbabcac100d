import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { admits } from '../../../../shared/can.ts'
import { addDays, type Day, dayOf, daysBetween, formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { hubPath } from '../../../../shared/paths.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { cutAtWord } from '../../../../shared/plain-text.ts'
import { conflictsApi } from '../../../crewapp/conflicts/contract.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { tasksApi } from '../../../tasks/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { openDaysAfter } from '../../../visits/days/rules.ts'
import { skipReasonLabel } from '../../../visits/rules.ts'
import { getWorkCalendar, hasOtherDay } from '../../../visits/server/queries.ts'
import type { Need } from '../../contract.ts'
import { monthsThatDiffer } from './books.ts'
import { conflicts } from './conflicts.ts'
import { textsInDoubt } from './doubts.ts'
import { listEquipmentNeedsOf } from './equipment.ts'
import { endingExemptions } from './exemptions.ts'
import { waitingExtras } from './extras.ts'
import { failedTaps } from './failedtaps.ts'
import { heldTimes } from './latetime.ts'
import { leadsToAnswer } from './leads.ts'
import { neighborsToTell } from './neighbors.ts'
import { endedAutopay, restingFees, strandedDeposits, strayPayments, unansweredDisputes } from './payments.ts'
import { plansThatWait } from './plans.ts'
import { leftDeposits, quotesToAct } from './quotes.ts'
import { listRenewalNeeds } from './renewals.ts'
import { reviewNeeds } from './reviews.ts'
import { listStaffingNeeds } from './staffing.ts'
import { lowStock } from './stock.ts'
import { tasksDue } from './tasksdue.ts'
import { unbilledWork } from './unbilled.ts'
import { unrecordedApplications } from './unrecorded.ts'
import { failedMessages } from './unsent.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const before = (ms: number): string => new Date(clock.nowMs() - ms).toISOString()

const days = (n: number): string => (n === 1 ? '1 day' : `${n} days`)

const overdueInvoices = async (db: TenantDb, today: Day): Promise<Need[]> => {
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'invoices.businessId').onRef('customers.id', '=', 'invoices.customerId'),
    )
    .where('invoices.businessId', '=', db.businessId)
    .where('invoices.status', 'in', ['issued', 'partially_paid'])
    .where('invoices.dueOn', '<', today)
    .where('invoices.disputed', '=', false)
    .where('invoices.pendingCents', '=', 0)
    .where((eb) =>
      eb.or([eb('invoices.lastRemindedAt', 'is', null), eb('invoices.lastRemindedAt', '<', before(5 * dayMs))]),
    )
    .select([
      'invoices.id',
      'invoices.number',
      'invoices.dueOn',
      'customers.id as customerId',
      'customers.name',
      'customers.email',
      sql<number>`total_cents - paid_cents`.as('balanceCents'),
    ])
    .orderBy('invoices.dueOn')
    .orderBy('balanceCents', 'desc')
    .limit(30)
    .execute()
  return rows.map((row) => {
    const path = linkTo.invoice(row.id)
    return {
      id: `overdue:${row.id}`,
      kind: 'overdue',
      badge: 'Overdue',
      tone: 'late',
      title: `${invoiceName(row.number)} ${row.name}`,
      detail: `${days(daysBetween(row.dueOn ?? today, today))} past due`,
      amountCents: Number(row.balanceCents),
      path,
      action: row.email
        ? { kind: 'remind', label: 'Remind', invoiceId: row.id }
        : { kind: 'open', label: 'Add e-mail', path: linkTo.customer(row.customerId) },
    }
  })
}

const skippedVisits = async (db: TenantDb, today: Day, seesMoney: boolean): Promise<Need[]> => {
  const rows = await db
    .selectFrom('visits')
    .innerJoin('properties', (join) =>
      join.onRef('properties.businessId', '=', 'visits.businessId').onRef('properties.id', '=', 'visits.propertyId'),
    )
    .where('visits.businessId', '=', db.businessId)
    .where('visits.status', '=', 'skipped')
    .where(sql<boolean>`not ${hasOtherDay('visits')}`)
    .where('visits.day', '>=', addDays(today, -3))
    .where('visits.day', '<=', today)
    .where((eb) =>
      eb.or([eb('visits.skipReason', 'is', null), eb('visits.skipReason', 'not in', ['customer_asked', 'not_needed'])]),
    )
    .select([
      'visits.id',
      'visits.jobId',
      'visits.crewId',
      'visits.day',
      'visits.skipReason',
      'visits.priceCents',
      'properties.street',
    ])
    .orderBy('visits.day', 'desc')
    .limit(20)
    .execute()
  if (!rows.length) return []
  const calendar = await getWorkCalendar(db)
  return rows.map((row) => {
    const path = linkTo.job(row.jobId, { visitId: row.id })
    const [day] = openDaysAfter(calendar, today, row.crewId, 1)
    return {
      id: `skipped:${row.id}`,
      kind: 'skipped',
      badge: 'Skipped',
      tone: 'wait',
      title: `${row.street}: ${skipReasonLabel(row.skipReason ?? 'other').toLowerCase()}`,
      detail: row.day === today ? 'today' : formatDay(row.day ?? today),
      amountCents: seesMoney ? row.priceCents : null,
      path,
      visitId: row.id,
      action: day
        ? { kind: 'rebook', label: `Rebook ${formatDay(day)}`, visitId: row.id, day }
        : { kind: 'open', label: 'Look', path },
    }
  })
}

const unreadTexts = async (db: TenantDb): Promise<Need[]> => {
  const rows = await db
    .selectFrom('messages')
    .leftJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'messages.businessId').onRef('customers.id', '=', 'messages.customerId'),
    )
    .where('messages.businessId', '=', db.businessId)
    .where('messages.direction', '=', 'inbound')
    .where('messages.openedAt', 'is', null)
    .where('messages.stopDoubt', 'is distinct from', sql.lit('open'))
    .select([
      'messages.id',
      'messages.bodyText',
      'messages.channel',
      'messages.address',
      'customers.id as customerId',
      'customers.name',
    ])
    .orderBy('messages.id', 'desc')
    .limit(20)
    .execute()
  return rows.map((row) => {
    const path = row.customerId
      ? linkTo.customer(row.customerId, { part: 'messages' })
      : hubPath('customers', 'messages')
    return {
      id: `text:${row.id}`,
      kind: 'text',
      badge: row.channel === 'sms' ? 'Text' : 'Mail',
      tone: 'now',
      title: `“${cutAtWord(row.bodyText, 90)}”`,
      detail: row.name ?? formatPhone(row.address),
      amountCents: null,
      path,
      action: { kind: 'open', label: 'Reply', path },
    }
  })
}

const placing = async (db: TenantDb, today: Day): Promise<Need[]> => {
  const rows = await db
    .selectFrom('visits')
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'scheduled')
    .where('crewId', 'is', null)
    .where('day', '>=', today)
    .where('day', '<=', addDays(today, 2))
    .groupBy('day')
    .select(['day', sql<number>`count(*)`.as('count')])
    .orderBy('day')
    .execute()
  return rows.map((row) => {
    const path = linkTo.routeDay(row.day ?? today)
    const count = Number(row.count)
    return {
      id: `unplaced:${row.day}`,
      kind: 'unplaced',
      badge: 'Not placed',
      tone: row.day === today ? 'late' : 'wait',
      title: count === 1 ? '1 visit has no crew' : `${count} visits have no crew`,
      detail: row.day === today ? 'today' : formatDay(row.day ?? today),
      amountCents: null,
      path,
      action: { kind: 'open', label: 'Place them', path },
    }
  })
}

const unpublished = async (db: TenantDb, today: Day): Promise<Need[]> => {
  const rows = await db
    .selectFrom('routes')
    .innerJoin('crews', (join) =>
      join.onRef('crews.businessId', '=', 'routes.businessId').onRef('crews.id', '=', 'routes.crewId'),
    )
    .where('routes.businessId', '=', db.businessId)
    .where('routes.dirty', '=', true)
    .where('routes.status', 'in', ['published', 'started'])
    .where('routes.day', '>=', today)
    .where('routes.day', '<=', addDays(today, 2))
    .select(['routes.id', 'routes.day', 'crews.name'])
    .orderBy('routes.day')
    .execute()
  return rows.map((row) => {
    const path = linkTo.routeDay(row.day)
    return {
      id: `unpublished:${row.id}`,
      kind: 'unpublished',
      badge: 'Changed',
      tone: 'wait',
      title: `${row.name} has not been sent your changes`,
      detail: row.day === today ? 'today' : formatDay(row.day),
      amountCents: null,
      path,
      action: { kind: 'open', label: 'Publish', path },
    }
  })
}

const forgottenClocks = async (db: TenantDb): Promise<Need[]> => {
  const rows = await db
    .selectFrom('timeEntries')
    .innerJoin('users', (join) =>
      join.onRef('users.businessId', '=', 'timeEntries.businessId').onRef('users.id', '=', 'timeEntries.userId'),
    )
    .where('timeEntries.businessId', '=', db.businessId)
    .where('timeEntries.endedAt', 'is', null)
    .where('timeEntries.startedAt', '<', before(14 * hourMs))
    .select(['timeEntries.id', 'users.name'])
    .limit(20)
    .execute()
  const path = hubPath('employees', 'timesheets')
  return rows.map((row) => ({
    id: `clock:${row.id}`,
    kind: 'clock',
    badge: 'Clock',
    tone: 'wait',
    title: `${row.name} is still clocked in`,
    detail: 'for more than 14 hours',
    amountCents: null,
    path,
    action: { kind: 'open', label: 'Look', path },
  }))
}

const rank: Record<Need['kind'], number> = {
  conflict: 0,
  payment: 1,
  dispute: 1,
  unsent: 1,
  lead: 1,
  nobody: 1,
  defect: 2,
  equipment: 2,
  service: 4,
  stock: 4,
  task: 2,
  unplaced: 2,
  license: 3,
  exemption: 3,
  books: 3,
  unbilled: 3,
  plan: 3,
  quote: 2,
  renewal: 3,
  neighbors: 2,
  record: 1,
  extra: 2,
  lateFee: 2,
  dayOff: 3,
  unsentPlan: 3,
  unpublished: 3,
  text: 4,
  stop: 1,
  review: 1,
  skipped: 5,
  overdue: 6,
  clock: 7,
}

/** Spreads the kinds: the most urgent of each first, so that thirty overdue invoices do not hide one unanswered text. */
const spread = (needs: readonly Need[]): Need[] => {
  const byKind = [...Map.groupBy(needs, (need) => need.kind)]
    .sort(([a], [b]) => rank[a] - rank[b])
    .map(([, list]) => list)
  const out: Need[] = []
  for (let i = 0; out.length < needs.length; i++) for (const list of byKind) if (list[i]) out.push(list[i]!)
  return out
}

const settledBy = {
  decide: conflictsApi.decide,
  remind: invoicesApi.remind,
  rebook: visitsApi.rebook,
  resend: messagesApi.resend,
  finish: tasksApi.finish,
}

/** Who may not settle it with one click is led to where it stands. */
const forWhom =
  (actor: Actor) =>
  (need: Need): Need =>
    need.action.kind === 'open' || admits(actor, settledBy[need.action.kind])
      ? need
      : { ...need, action: { kind: 'open', label: 'Look', path: need.path } }

/** What waits for a person, most urgent of each kind first. */
export const listNeeds = async (db: TenantDb, actor: Actor): Promise<Need[]> => {
  const today = dayOf(clock.now(), actor.timeZone)
  const seesMoney = hasPermission(actor, 'money')
  const schedule = hasPermission(actor, 'schedule')
  const customers = hasPermission(actor, 'customers')
  const lists = await Promise.all([
    customers ? failedMessages(db) : [],
    schedule ? conflicts(db, seesMoney) : [],
    schedule ? placing(db, today) : [],
    schedule ? unpublished(db, today) : [],
    schedule ? listStaffingNeeds(db, actor, today) : [],
    schedule ? listEquipmentNeedsOf(db, actor, today) : [],
    schedule ? lowStock(db) : [],
    schedule ? listRenewalNeeds(db) : [],
    schedule ? neighborsToTell(db, today) : [],
    schedule ? unrecordedApplications(db) : [],
    schedule ? waitingExtras(db, hasPermission(actor, 'money')) : [],
    customers ? tasksDue(db, actor, today) : [],
    customers ? textsInDoubt(db) : [],
    customers ? unreadTexts(db) : [],
    customers ? reviewNeeds(db) : [],
    customers ? leadsToAnswer(db, today) : [],
    schedule ? skippedVisits(db, today, seesMoney) : [],
    seesMoney ? quotesToAct(db, today) : [],
    seesMoney ? strayPayments(db, today) : [],
    seesMoney ? strandedDeposits(db) : [],
    seesMoney ? leftDeposits(db) : [],
    seesMoney ? endingExemptions(db, today) : [],
    seesMoney ? endedAutopay(db) : [],
    seesMoney ? restingFees(db) : [],
    seesMoney ? plansThatWait(db, today) : [],
    seesMoney ? unansweredDisputes(db) : [],
    seesMoney ? monthsThatDiffer(db) : [],
    seesMoney ? unbilledWork(db, today) : [],
    seesMoney ? overdueInvoices(db, today) : [],
    hasPermission(actor, 'payroll') ? heldTimes(db) : [],
    hasPermission(actor, 'payroll') ? failedTaps(db) : [],
    hasPermission(actor, 'payroll') ? forgottenClocks(db) : [],
  ])
  return spread(lists.flat()).map(forWhom(actor))
}
