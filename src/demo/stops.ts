import { changeBusiness } from '../features/businesses/server/commands.ts'
import { getBusinessSettings, todayOf } from '../features/businesses/server/queries.ts'
import { usualSkips } from '../features/businesses/skips/rules.ts'
import { noteOnVisit } from '../features/visits/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { findOvergrown, sellAtDoors } from './extras.ts'

/** What holds at the demo's stops: a locked gate costs a trip, and one lawn wants something this time. */
export const setStopRules = async (owner: Actor): Promise<void> => {
  const { version } = await withTenant(owner, (db) => getBusinessSettings(db, owner))
  await changeBusiness(owner, {
    version,
    skipRules: usualSkips.map((rule) =>
      rule.code === 'locked_gate' ? { ...rule, charge: 'fee', chargeCents: 2500 } : rule,
    ),
  })
  const next = await withTenant(owner, async (db) =>
    db
      .selectFrom('visits')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('status', '=', 'scheduled')
      .where('day', '>', await todayOf(db))
      .orderBy('day')
      .orderBy('position')
      .limit(1)
      .executeTakeFirst(),
  )
  if (next) await noteOnVisit(owner, next.id, { note: 'Graduation party on Saturday: bag the clippings.' })
}

const words = [
  { nextNote: 'The gate sticks: lift it.', sawNote: 'The lawn looks great.', expectNote: 'We come again next week.' },
  { nextNote: 'Soft ground behind the house: use the push mower.', didNote: 'We mowed around what lay on the lawn.' },
  {
    sawNote: 'We saw weeds coming up along the drive.',
    didNote: 'Mowed an inch higher, so that the grass keeps them down.',
    expectNote: 'A treatment in the next two weeks would stop them. Ask us about it.',
  },
]

/** What crews left at the last stops of the demo: the next crew reads it there, the customer on the page of the visit; and what they found overgrown. */
export const leaveWords = async (owner: Actor): Promise<void> => {
  const done = await withTenant(owner, (db) =>
    db
      .selectFrom('visits')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('status', '=', 'completed')
      .orderBy('day', 'desc')
      .orderBy('id')
      .offset(20)
      .limit(12)
      .execute(),
  )
  for (const [i, { id }] of done.entries()) await noteOnVisit(owner, id, words[i % words.length] ?? {})
  await findOvergrown(owner)
  await sellAtDoors(owner)
}
