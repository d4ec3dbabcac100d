import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { config } from '../../../platform/config.ts'
import { database } from '../../../platform/db/database.ts'
import { cronOf } from '../../../platform/tasks/runner.ts'
import { tourHours } from '../../../shared/tour.ts'
import { runTasks } from '../../../test/api.ts'
import { useDatabase } from '../../../test/database.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { addDemoTx, retireReplacedDemos } from './commands.ts'
import { findTourBusiness, hasDemoOfThisHour, listDemos } from './queries.ts'
import { renewTour, renewTourSchedule } from './tasks.ts'

/** Which demo visitors meet, and when one goes. */

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const minute = 1 / 60

/** @param hours since when it is shown, or since when it is being made */
const aDemo = async (hours: number, ready = true): Promise<TestBusiness> => {
  const business = await aBusiness()
  await business.db(async (db) => {
    await db.updateTable('businesses').set({ demo: true }).where('businessId', '=', business.id).execute()
    await addDemoTx(db, ready)
  })
  await database()
    .updateTable('tourDemos')
    .set({ begunAt: hoursAgo(hours), readyAt: ready ? hoursAgo(hours) : null })
    .where('businessId', '=', business.id)
    .execute()
  return business
}

beforeEach(async () => {
  await useDatabase()
  await database().deleteFrom('tourDemos').execute()
})
afterEach(() => {
  Object.assign(config, { production: false, tour: false })
})

describe('a demo of the tour', () => {
  it('goes a whole tour after the next one was ready, not after it was made itself', async () => {
    const [old, kept, present] = [
      await aDemo(tourHours + 2),
      await aDemo(tourHours + minute),
      await aDemo(tourHours - minute),
    ]
    expect(await retireReplacedDemos()).toBe(1)
    expect((await listDemos()).sort()).toEqual([kept.id, present.id].sort())
    await runTasks()
    const left = await old.db((db) =>
      db.selectFrom('businesses').select('name').where('businessId', '=', old.id).execute(),
    )
    expect(left).toEqual([])
  })

  it('that was never finished is shown to nobody, and goes', async () => {
    const shown = await aDemo(2)
    const half = await aDemo(0, false)
    expect(await findTourBusiness()).toBe(shown.id)
    expect([await retireReplacedDemos(), await hasDemoOfThisHour()]).toEqual([0, true])
    await database()
      .updateTable('tourDemos')
      .set({ begunAt: hoursAgo(1.1) })
      .where('businessId', '=', half.id)
      .execute()
    expect([await retireReplacedDemos(), await hasDemoOfThisHour()]).toEqual([1, false])
    expect(await listDemos()).toEqual([shown.id])
  })

  it('is found whoever names a business almost like it', async () => {
    const shown = await aDemo(1)
    for (let n = 0; n < 25; n++) {
      const business = await aBusiness()
      const slug = `palmetto-and-pine-20zz${n}`
      await business.db((db) => db.insertInto('slugs').values({ slug, businessId: business.id }).execute())
    }
    expect(await findTourBusiness()).toBe(shown.id)
  })

  it('goes at once where there is no tour any more', async () => {
    const shown = await aDemo(0)
    await renewTour.run({})
    expect(await listDemos()).toEqual([shown.id])
    Object.assign(config, { production: true })
    await renewTour.run({})
    expect(await listDemos()).toEqual([])
    Object.assign(config, { production: false })
    await runTasks()
    const left = await shown.db((db) =>
      db.selectFrom('businesses').select('name').where('businessId', '=', shown.id).execute(),
    )
    expect(left).toEqual([])
  })
})

it('the demo is made for now alone: no night is made up for, and no two are made at once', () => {
  expect(cronOf(renewTourSchedule).options).toMatchObject({
    backfillPeriod: 0,
    queueName: 'tour.renew',
    jobKey: 'tour.renew',
  })
  expect(cronOf({ task: 'other', match: '0 1 * * *' }).options).toMatchObject({ backfillPeriod: 12 * 3_600_000 })
})
