import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { aSeason, planned, today } from '../../../test/season.ts'
import { licensesApi } from '../../employees/licenses/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { seasonApi } from '../contract.ts'

beforeAll(() => setClock(() => new Date(`${today}T12:00:00Z`)))
afterAll(() => resetClock())

describe('what is in the way', () => {
  it('other work days leave nothing on the old ones; who keeps theirs is named, and no saving is said', async () => {
    const { business, jobs } = await aSeason()
    const { api } = business
    // Stands on a Thursday and keeps it.
    const kept = jobs[2]?.id ?? ''
    const { version } = await api.ok(jobsApi.get, { params: { id: kept } })
    await api.ok(jobsApi.update, { params: { id: kept }, body: { version, keepDay: true } })
    const run = await planned(api, { kind: 'days', days: [2] })
    expect(run.result?.loads.filter((load) => load.after.stops > 0).map((load) => load.day)).toEqual([2])
    expect(run.result?.unplaced).toBe(1)
    expect(run.result?.inTheWay).toEqual([expect.objectContaining({ jobId: kept, why: 'keeps its day: Thursday' })])
    const { runs } = await api.ok(seasonApi.overview, {})
    expect(runs.find((one) => one.id === run.id)).toMatchObject({ savedSecondsYear: null, unplaced: 1 })
  })
})

describe('licenses', () => {
  it('a skill that a license stands for is a crew’s with a valid one only, whatever way it is written', async () => {
    const { business, crew, mow } = await aSeason({ lawns: 4 })
    const { api } = business
    const person = await business.employee()
    await business.db(async (db) => {
      await db
        .updateTable('services')
        .set({ skills: ['Applicator '] })
        .where('businessId', '=', business.id)
        .where('id', '=', mow)
        .execute()
      await db
        .updateTable('crews')
        .set({ skills: ['applicator'] })
        .where('businessId', '=', business.id)
        .where('id', '=', crew)
        .execute()
    })
    const lacking = async () => {
      const run = await planned(api)
      return run.result?.lawns.map((lawn) => lawn.keeps)
    }
    // The same skill in other letters.
    expect(await lacking()).toEqual([null, null, null, null])
    await api.ok(licensesApi.create, {
      params: { id: person.userId },
      body: { skill: 'applicator', state: 'GA', expiresOn: '2026-12-31' },
    })
    // Somebody else has the license: the crew's own word for it counts no more.
    const why = 'its crew lacks a license or skill that it needs'
    expect(await lacking()).toEqual([why, why, why, why])
  })
})
