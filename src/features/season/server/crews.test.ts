import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { aPerson } from '../../../test/factories.ts'
import { aCrew } from '../../../test/field.ts'
import { accept, aSeason, openIds, planned, today } from '../../../test/season.ts'
import type { Recurrence } from '../../jobs/rules.ts'
import { weekNumber } from '../../jobs/slots/rules.ts'
import { seasonApi } from '../contract.ts'

/** What only shows with several crews, both weeks of a rhythm, and people of the office who may not see money. */

beforeAll(() => setClock(() => new Date(`${today}T12:00:00Z`)))
afterAll(() => resetClock())

const nextMonday = '2026-04-13'

describe('both weeks of a rhythm', () => {
  it('neighbors of week A and of week B come together in one week, and each keeps its own rhythm', async () => {
    const { business, book } = await aSeason({ lawns: 0 })
    const { api } = business
    const jobs: { id: string; group: number }[] = []
    for (let n = 0; n < 12; n++)
      // All on Tuesday, every other lawn of each town in the other week.
      jobs.push(await book(n, {}, { interval: 2, weekdays: [2], phaseOn: n % 4 < 2 ? today : nextMonday }))
    const run = await planned(api)
    const { result } = run
    const weeks = (pick: 'from' | 'to', group: number) =>
      (result?.lawns ?? [])
        .filter((lawn) => jobs.find((job) => job.id === lawn.jobId)?.group === group)
        .map((lawn) => `${lawn[pick].day} ${lawn[pick].week}`)
    expect([new Set(weeks('from', 0)).size, new Set(weeks('from', 1)).size]).toEqual([2, 2])
    expect([new Set(weeks('to', 0)).size, new Set(weeks('to', 1)).size]).toEqual([1, 1])
    expect(result?.after.driveSecondsYear).toBeLessThan((result?.before.driveSecondsYear ?? 0) * 0.8)
    expect((await accept(api, run, openIds(run))).status).toBe(200)
    const lawns = new Map(result?.lawns.map((lawn) => [lawn.jobId, lawn]))
    const rules = await business.db((db) =>
      db.selectFrom('jobLines').select(['jobId', 'recurrence']).where('businessId', '=', business.id).execute(),
    )
    for (const { jobId, recurrence } of rules) {
      const rule = recurrence as unknown as Recurrence
      const to = lawns.get(jobId)?.to
      expect([rule.interval, rule.weekdays, weekNumber(rule.phaseOn) % 2]).toEqual([2, [to?.day], to?.week])
    }
  })
})

describe('two crews', () => {
  it('each town goes to the crew that starts there, and the jobs and visits go along', async () => {
    const { business, crew, jobs } = await aSeason()
    const { api } = business
    const south = await aCrew(business, { name: 'South', workDays: [2, 4] })
    await business.db(async (db) => {
      for (const [id, lat] of [
        [crew, 32.2],
        [south, 31.9],
      ] as const)
        await db
          .updateTable('crews')
          .set({ depotLatitude: lat, depotLongitude: -81.1 })
          .where('businessId', '=', business.id)
          .where('id', '=', id)
          .execute()
    })
    const run = await planned(api)
    const crewsOf = (group: number) =>
      new Set(
        run.result?.lawns
          .filter((lawn) => jobs.find((job) => job.id === lawn.jobId)?.group === group)
          .map((lawn) => lawn.to.crewId),
      )
    // Group 1 lives in the north, where the first crew starts.
    expect([...crewsOf(1), ...crewsOf(0)]).toEqual([crew, south])
    const moved = openIds(run)
    // Half of a plan has its crew-days, too: the other half stays where it is.
    const toSouth = moved.filter((id) => run.result?.lawns.find((lawn) => lawn.jobId === id)?.to.crewId === south)
    expect((await accept(api, run, toSouth)).status).toBe(200)
    const rows = await business.db((db) =>
      db
        .selectFrom('visits')
        .innerJoin('jobs', (j) =>
          j.onRef('jobs.businessId', '=', 'visits.businessId').onRef('jobs.id', '=', 'visits.jobId'),
        )
        .select(['visits.jobId', 'visits.crewId', 'jobs.crewId as jobCrewId'])
        .where('visits.businessId', '=', business.id)
        .where('visits.day', '>=', '2026-04-27')
        .execute(),
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { jobId, crewId, jobCrewId } of rows) {
      const own = toSouth.includes(jobId) ? south : crew
      expect([crewId, jobCrewId]).toEqual([own, own])
    }
    expect((await api.ok(seasonApi.run, { params: { id: run.id } })).staleCount).toBe(0)
  })
})

describe('who may not see money', () => {
  it('sees hours and miles of the same plan, and no cent of it anywhere', async () => {
    const { business } = await aSeason()
    const run = await planned(business.api)
    expect(run.result?.after.driveCentsYear).toBeGreaterThan(0)
    const office = await aPerson(business.id, 'Admin', { permissions: ['schedule'] })
    const seen = await office.api.ok(seasonApi.run, { params: { id: run.id } })
    const { before, after } = seen.result ?? {}
    expect([before?.driveCentsYear, after?.driveCentsYear]).toEqual([null, null])
    expect([before?.driveSecondsYear, after?.driveSecondsYear]).toEqual([
      run.result?.before.driveSecondsYear,
      run.result?.after.driveSecondsYear,
    ])
    const ids = openIds(seen)
    const check = await office.api.ok(seasonApi.check, { params: { id: run.id }, body: { jobIds: ids } })
    expect([check.savedCentsYear, check.savedSecondsYear > 0]).toEqual([null, true])
    const step = await accept(office.api, run, ids)
    expect([step.status, step.body.result?.after.driveCentsYear]).toEqual([200, null])
  })
})

describe('work on several days a week', () => {
  it('stays, and is named with all of its days', async () => {
    const { business, book } = await aSeason({ lawns: 2 })
    const often = await book(2, {}, { weekdays: [2, 4] })
    const run = await planned(business.api)
    expect(run.result?.lawns.find((lawn) => lawn.jobId === often.id)).toMatchObject({
      from: { day: 2 },
      to: { day: 2 },
      alsoOn: [4],
      keeps: 'comes on several days a week',
    })
  })
})
