import { sql } from 'kysely'
import { editJobs, previewJobEdit } from '../features/jobs/bulk/server/commands.ts'
import { createJob } from '../features/jobs/server/commands.ts'
import { listServices } from '../features/services/server/queries.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { type Day, dayOf } from '../shared/dates.ts'
import { treatLawns } from './chemicals.ts'
import { stockShop } from './materials.ts'

const raised = 5

/** Two dollars more for a few lawns, all at once: so that the list of bulk changes has one that can be undone. */
const raiseFew = async (owner: Actor): Promise<void> => {
  const ids = await withTenant(owner, async (db) =>
    db
      .selectFrom('jobs')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('status', '=', 'active')
      .where('title', '=', 'Weekly mowing')
      .orderBy('number')
      .limit(raised)
      .execute(),
  )
  if (ids.length === 0) return
  const bulk = {
    choice: { ids: ids.map(({ id }) => id) },
    change: {
      kind: 'price' as const,
      mode: 'amount' as const,
      cents: 200,
      percent: 0,
      serviceId: null,
      roundTo: 'cent' as const,
      fromOn: null,
    },
  }
  const { fingerprint } = await previewJobEdit(owner, bulk)
  await editJobs(owner, { ...bulk, fingerprint })
}

type Worked = { day: Day; crewId: string; propertyId: string }

/** Hedges trimmed in passing on the last day of work and written down afterwards: one-time work that waits for its invoice. */
const bookPast = async (owner: Actor): Promise<void> => {
  const today = dayOf(clock.now(), owner.timeZone)
  const { last, hedge } = await withTenant(owner, async (db) => ({
    hedge: (await listServices(db)).find(({ code }) => code === 'hedge'),
    last: (
      await sql<Worked>`
        select day::text as day, crew_id as "crewId", property_id as "propertyId" from visits
        where business_id = ${db.businessId} and status = 'completed' and day < ${today} and crew_id is not null
        order by day desc, finished_at desc, id limit 1`.execute(db)
    ).rows[0],
  }))
  if (!last || !hedge) return
  await createJob(owner, {
    propertyId: last.propertyId,
    title: 'Hedge trimming',
    instructions: 'Asked for at the door, done the same day.',
    poNumber: '',
    billing: 'per_visit',
    crewId: last.crewId,
    startOn: last.day,
    endOn: null,
    lines: [
      {
        serviceId: hedge.id,
        description: hedge.name,
        quantity: 1,
        unitPriceCents: 9500,
        budgetMinutes: 45,
        recurrence: null,
        onceOn: last.day,
        undated: null,
        movesPhase: false,
      },
    ],
    draft: false,
    includePast: true,
    pastDone: true,
  })
}

/** What was done with jobs lately: several changed at once, one booked after it was done, lawns treated. */
export const tendJobs = async (owner: Actor): Promise<void> => {
  await raiseFew(owner)
  await bookPast(owner)
  await treatLawns(owner)
  await stockShop(owner)
}
