import { receiveText } from '../features/messages/server/inbound/commands.ts'
import { openDaysAfter } from '../features/visits/days/rules.ts'
import { cancelVisit, moveVisit, rebookVisit } from '../features/visits/server/commands.ts'
import { getWorkCalendar } from '../features/visits/server/queries.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { type TenantDb, withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { addDays, dayOf } from '../shared/dates.ts'
import { remindTomorrow, tellMoved } from './notices.ts'
import { photographVisits, type Worked } from './photos.ts'
import { saveRoutes } from './saved.ts'

/** What happened around the visits of the last days: taps of phones, photos, texts, and what the office did with some of them. */

const lastDays = 4

const lastWorked = (db: TenantDb, from: string): Promise<(Worked & { phone: string | null; customerId: string })[]> =>
  db
    .selectFrom('visits as v')
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'v.businessId').onRef('c.id', '=', 'v.customerId'))
    .innerJoin('crews as w', (x) => x.onRef('w.businessId', '=', 'v.businessId').onRef('w.id', '=', 'v.crewId'))
    .select((eb) => [
      'v.id',
      'v.customerId',
      'v.status',
      'v.startedAt',
      'v.finishedAt',
      eb.fn.coalesce('v.finishedBy', 'w.leaderUserId').as('finishedBy'),
      'v.skipReason',
      'c.phone',
    ])
    .where('v.businessId', '=', db.businessId)
    .where('v.status', 'in', ['completed', 'in_progress', 'skipped'])
    .where('v.day', '>=', from)
    .orderBy('v.day', 'desc')
    .orderBy('v.position', 'desc')
    .execute()

const keepTaps = async (db: TenantDb, visits: readonly Worked[]): Promise<void> => {
  const taps = visits.flatMap(({ id, status, startedAt, finishedAt, finishedBy, skipReason }) =>
    finishedBy === null
      ? []
      : [
          startedAt && { type: 'start', at: startedAt, payload: {} },
          finishedAt && {
            type: status === 'skipped' ? 'skip' : 'finish',
            at: finishedAt,
            payload: skipReason ? { reason: skipReason } : {},
          },
        ].flatMap((tap) =>
          tap
            ? [
                {
                  businessId: db.businessId,
                  id: newId(),
                  userId: finishedBy,
                  type: tap.type,
                  visitId: id,
                  payload: JSON.stringify(tap.payload),
                  deviceAt: tap.at,
                  happenedAt: tap.at,
                  receivedAt: tap.at,
                  result: 'applied' as const,
                },
              ]
            : [],
        ),
  )
  if (taps.length) await db.insertInto('crewCommands').values(taps).execute()
}

const told = [
  'The lawn looks great, thank you!',
  'Can you also edge the back beds?',
  'We are away next week, please still come.',
  'These are too many texts for me',
]

/** One was moved, one canceled and one that was skipped has another day: all on days on which somebody works. */
const decide = async (owner: Actor): Promise<void> => {
  const { calendar, coming, skipped } = await withTenant(owner, async (db) => {
    const calendar = await getWorkCalendar(db)
    const of = db.selectFrom('visits').select(['id', 'crewId']).where('businessId', '=', db.businessId)
    return {
      calendar,
      coming: await of
        .where('status', '=', 'scheduled')
        .where('day', '>', calendar.today)
        .where('day', '<=', addDays(calendar.today, 3))
        .orderBy('day')
        .orderBy('id')
        .limit(2)
        .execute(),
      skipped: await of
        .where('status', '=', 'skipped')
        .where('day', '<', calendar.today)
        .orderBy('day', 'desc')
        .limit(1)
        .execute(),
    }
  })
  const openDay = (crewId: string | null, after = calendar.today) => openDaysAfter(calendar, after, crewId, 1)[0]
  const [moved, canceled] = coming
  const later = moved && openDay(moved.crewId, addDays(calendar.today, 3))
  if (moved && later) await moveVisit(owner, moved.id, { day: later, crewId: moved.crewId })
  if (canceled) await cancelVisit(owner, canceled.id, { reason: 'The driveway is being paved that day' })
  const [again] = skipped
  const day = again && openDay(again.crewId)
  if (again && day) await rebookVisit(owner, again.id, { day })
}

/**
 * Fills the panels of the last visits: photos, taps of the phones, texts of their customers, and deeds of the office.
 * @param noticed whether customers were reminded before, and hear of what moved: where messages of the demo go somewhere
 */
export const tellOfVisits = async (owner: Actor, { noticed = false } = {}): Promise<void> => {
  const { businessId } = owner
  const from = addDays(dayOf(clock.now(), owner.timeZone), -lastDays)
  const worked = await withTenant(owner, async (db) => {
    const visits = await lastWorked(db, from)
    await keepTaps(db, visits)
    return visits
  })
  await photographVisits(businessId, worked)
  const reachable = worked.filter((visit) => visit.status === 'completed' && visit.phone !== null)
  for (const [n, body] of told.entries()) {
    const visit = reachable[n * 3]
    if (visit?.phone)
      await receiveText(businessId, { from: visit.phone, body, provider: 'demo', providerId: `demo-${n}` })
  }
  if (noticed) await remindTomorrow(owner)
  await decide(owner)
  if (noticed) await tellMoved(owner)
  await saveRoutes(owner)
}
