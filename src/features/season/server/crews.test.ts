import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { aPerson } from '../../../test/factories.ts'
import { aCrew } from '../../../test/field.ts'
import { accept, aSeason, openIds, planned, today } from '../../../test/season.ts'
import type { Recurrence } from '../../jobs/rules.ts'
import { weekNumber } from '../../jobs/slots/rules.ts'
import { type SeasonRun, seasonApi } from '../contract.ts'

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

describe('days over their hours', () => {
  const over = (run: SeasonRun, side: 'before' | 'after') =>
    (run.result?.loads ?? []).filter((load) => load[side].fullestSeconds > load.roomSeconds).map((load) => load.day)

  it('are relieved where another day has room, also where that is more driving', async () => {
    const { business, book } = await aSeason({ lawns: 0, minutes: 60 })
    const { api } = business
    // Twelve hours of one town on Tuesday, nothing on Thursday.
    for (let n = 0; n < 12; n++) await book(2 * n, {}, { weekdays: [2] })
    const run = await planned(api)
    expect([over(run, 'before'), over(run, 'after')]).toEqual([[2], []])
    expect(run.result?.before.overSecondsWeek).toBeGreaterThan(3 * 3600)
    expect(run.result?.after.overSecondsWeek).toBe(0)
    expect(run.result?.loads.map((load) => load.overWhy)).toEqual([null, null])
    expect(run.result?.moves[0]).toMatchObject({ why: 'Tuesday is over its hours today; there is room here' })
    expect((await accept(api, run, openIds(run))).status).toBe(200)
  })

  it('that cannot be helped get nobody more, and say why', async () => {
    const { business, book } = await aSeason({ lawns: 0, minutes: 60 })
    for (let n = 0; n < 10; n++) await book(2 * n, { keepDay: true }, { weekdays: [2] })
    for (let n = 10; n < 13; n++) await book(2 * n, {}, { weekdays: [4] })
    const run = await planned(business.api)
    expect([over(run, 'before'), over(run, 'after')]).toEqual([[2], [2]])
    const tuesday = run.result?.loads.find((load) => load.day === 2)
    expect(tuesday?.after.fullestSeconds).toBeLessThanOrEqual(tuesday?.before.fullestSeconds ?? 0)
    expect(tuesday?.overWhy).toBe('10 jobs that keep their day take 10 h of it')
  })
})

describe('a crew that never does some work', () => {
  it('gets none of it, however near it starts; one without a past may, with a word', async () => {
    const { business, crew, jobs, book } = await aSeason()
    const { api } = business
    const { id: spray } = await business.db((db) =>
      db
        .selectFrom('services')
        .select('id')
        .where('businessId', '=', business.id)
        .where('code', '=', 'fert-weed')
        .executeTakeFirstOrThrow(),
    )
    const treatments = await aCrew(business, { name: 'Treatments', workDays: [2, 4] })
    const sprayed = await book(20, { crewId: treatments })
    await business.db(async (db) => {
      for (const [id, lat] of [
        [crew, 32.2],
        [treatments, 31.9],
      ] as const)
        await db
          .updateTable('crews')
          .set({ depotLatitude: lat, depotLongitude: -81.1 })
          .where('businessId', '=', business.id)
          .where('id', '=', id)
          .execute()
    })
    const toTreatments = (run: SeasonRun) =>
      (run.result?.lawns ?? []).filter((lawn) => lawn.from.crewId === crew && lawn.to.crewId === treatments)
    // Nobody finished anything yet: the past says nothing, and each such move says so.
    const first = await planned(api)
    const moved = toTreatments(first)
    expect(moved.length).toBeGreaterThan(3)
    expect(first.result?.moves.find((move) => move.jobId === moved[0]?.jobId)?.warning).toBe(
      'Treatments finished no visit in the last year: see that it can do this work',
    )
    await business.db(async (db) => {
      for (const [jobId, serviceId] of [
        [jobs[0]?.id ?? '', null],
        [sprayed.id, spray],
      ] as const) {
        const visit = await db
          .selectFrom('visits')
          .select('id')
          .where('businessId', '=', business.id)
          .where('jobId', '=', jobId)
          .orderBy('day')
          .executeTakeFirstOrThrow()
        await db
          .updateTable('visits')
          .set({ day: '2026-04-03', status: 'completed' })
          .where('businessId', '=', business.id)
          .where('id', '=', visit.id)
          .execute()
        if (serviceId)
          await db
            .updateTable('visitLines')
            .set({ serviceId })
            .where('businessId', '=', business.id)
            .where('visitId', '=', visit.id)
            .execute()
      }
    })
    const run = await planned(api)
    expect(toTreatments(run)).toEqual([])
    expect(run.result?.moves.every((move) => move.warning === null)).toBe(true)
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
