import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, weekdayOf } from '../../../shared/dates.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { accept, aSeason, fromOn, openIds, planned, today } from '../../../test/season.ts'
import { jobEditsApi } from '../../jobs/bulk/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import type { Recurrence } from '../../jobs/rules.ts'
import { weekNumber } from '../../jobs/slots/rules.ts'
import { seasonApi, type WhatIf } from '../contract.ts'

const visitsOf = (business: TestBusiness, jobIds: readonly string[]) =>
  business.db((db) =>
    db
      .selectFrom('visits')
      .select(['id', 'jobId', 'day', 'crewId', 'status', 'occurrenceOn'])
      .where('businessId', '=', business.id)
      .where('jobId', 'in', [...jobIds])
      .orderBy('jobId')
      .orderBy('day')
      .execute(),
  )

const rulesOf = (business: TestBusiness) =>
  business.db((db) =>
    db
      .selectFrom('jobLines as l')
      .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'l.businessId').onRef('j.id', '=', 'l.jobId'))
      .select(['l.jobId', 'l.recurrence', 'j.crewId'])
      .where('l.businessId', '=', business.id)
      .orderBy('l.jobId')
      .execute(),
  )

beforeAll(() => setClock(() => new Date(`${today}T12:00:00Z`)))
afterAll(() => resetClock())

describe('a plan of the season', () => {
  it('brings towns together, says what it saves, and is taken over from a day on by the jobs themselves', async () => {
    const { business, crew, jobs } = await aSeason()
    const { api } = business
    const overview = await api.ok(seasonApi.overview, {})
    expect(overview).toMatchObject({
      jobs: 12,
      leftCount: 0,
      weeks: 39,
      earliestOn: '2026-04-07',
      suggestedOn: '2026-04-13',
    })
    expect(overview.neighborhoods.map(({ name, jobs: n }) => [name, n]).sort()).toEqual([
      ['Northtown 31401', 6],
      ['Southtown 31402', 6],
    ])
    const run = await planned(api)
    const { result } = run
    expect(result?.moves).toHaveLength(6)
    const days = (group: number) =>
      new Set(
        result?.lawns.filter((lawn) => jobs.find((job) => job.id === lawn.jobId)?.group === group).map((l) => l.to.day),
      )
    expect([days(0).size, days(1).size]).toEqual([1, 1])
    expect(result?.after.driveSecondsYear).toBeLessThan((result?.before.driveSecondsYear ?? 0) * 0.75)
    expect(result?.after.driveCentsYear).toBeLessThan(result?.before.driveCentsYear ?? 0)
    expect(result?.moves[0]?.why).toMatch(/^[45] lawns within 5 min on (Tues|Thurs)day, [23] today$/)
    expect(result?.loads).toHaveLength(2)
    expect(run.can).toEqual({ stop: false, accept: true })
    const ids = openIds(run)
    const seen = await api.ok(seasonApi.check, { params: { id: run.id }, body: { jobIds: ids } })
    expect(seen).toMatchObject({ moves: 6, over: [], fitting: ids })
    expect(seen.savedSecondsYear).toBe((result?.before.driveSecondsYear ?? 0) - (result?.after.driveSecondsYear ?? 0))
    const before = await visitsOf(business, ids)
    const answer = await accept(api, run, ids)
    expect(answer.status).toBe(200)
    const [step] = answer.body.acceptances
    expect(step).toMatchObject({ moves: 6, undoneMoves: 0, visitsKept: 0, can: { undo: true, send: true } })
    const after = await visitsOf(business, ids)
    const slots = new Map(result?.lawns.map((lawn) => [lawn.jobId, lawn]))
    for (const visit of after) {
      const lawn = slots.get(visit.jobId)
      const isNew = (visit.day ?? '') >= fromOn
      expect(weekdayOf(visit.day ?? '')).toBe(isNew ? lawn?.to.day : lawn?.from.day)
      expect(visit.crewId).toBe(crew)
    }
    // What comes before the day is as it was.
    const early = (list: typeof before) => list.filter((visit) => (visit.day ?? '') < fromOn)
    expect(early(after)).toEqual(early(before))
    expect(after).toHaveLength(before.length)
    // The plan holds for the rest; there is none.
    expect(answer.body.staleCount).toBe(0)
    expect(answer.body.can.accept).toBe(false)
    const again = await planned(api)
    expect(again.result?.moves).toEqual([])
  })

  it('keeps the day of who asked for it, and counts the keepers', async () => {
    const { business, jobs } = await aSeason()
    const { api } = business
    for (const { id } of jobs) {
      const { version } = await api.ok(jobsApi.get, { params: { id } })
      const changed = await api.ok(jobsApi.update, { params: { id }, body: { version, keepDay: true } })
      expect(changed.keepDay).toBe(true)
    }
    expect((await api.ok(seasonApi.overview, {})).keeping).toBe(12)
    const run = await planned(api)
    expect(run.result?.moves).toEqual([])
    expect(run.result?.after.driveSecondsYear).toBe(run.result?.before.driveSecondsYear)
    expect(run.result?.lawns.every((lawn) => lawn.keeps === 'keeps its day')).toBe(true)
  })

  it('gives neighbors that come every other week the same week, by the phase of their rules', async () => {
    const { business, jobs } = await aSeason({ interval: 2 })
    const { api } = business
    // All on one day; who lives where says nothing of the week.
    const crew = await api.ok(seasonApi.overview, {})
    expect(crew.jobs).toBe(12)
    const run = await planned(api)
    const ids = openIds(run)
    expect(ids.length).toBeGreaterThan(0)
    await accept(api, run, ids)
    const lawns = new Map(run.result?.lawns.map((lawn) => [lawn.jobId, lawn]))
    for (const { jobId, recurrence } of await rulesOf(business)) {
      const rule = recurrence as unknown as Recurrence
      expect([rule.weekdays, ((weekNumber(rule.phaseOn) % 2) + 2) % 2]).toEqual([
        [lawns.get(jobId)?.to.day],
        lawns.get(jobId)?.to.week,
      ])
    }
    const later = (
      await visitsOf(
        business,
        jobs.map((job) => job.id),
      )
    ).filter((visit) => (visit.day ?? '') >= addDays(fromOn, 14))
    for (const visit of later) {
      const lawn = lawns.get(visit.jobId)
      expect([weekdayOf(visit.day ?? ''), weekNumber(visit.day ?? '') % 2]).toEqual([lawn?.to.day, lawn?.to.week])
    }
  })

  it('is taken over in parts, the rest afterwards, each taken back by itself', async () => {
    const { business } = await aSeason()
    const { api } = business
    const before = await rulesOf(business)
    const run = await planned(api)
    const lawns = new Map(run.result?.lawns.map((lawn) => [lawn.jobId, lawn]))
    const ids = openIds(run)
    const north = ids.filter((id) => lawns.get(id)?.neighborhood.startsWith('North'))
    const south = ids.filter((id) => !north.includes(id))
    const first = await accept(api, run, north)
    expect(first.status).toBe(200)
    expect([...openIds(first.body)].sort()).toEqual([...south].sort())
    const twice = await accept(api, run, north)
    expect([twice.status, twice.error.message]).toEqual([
      409,
      'Some of these customers moved already, in another tab or by somebody else. Nothing was changed.',
    ])
    const second = await accept(api, run, south)
    expect(second.body.acceptances.map((step) => step.moves)).toEqual([north.length, south.length])
    const undone = await api.ok(seasonApi.undo, { params: { id: second.body.acceptances[1]?.id ?? '' } })
    expect([undone.restoredJobs, undone.kept]).toEqual([south.length, []])
    expect([...openIds(undone.run)].sort()).toEqual([...south].sort())
    expect(undone.run.staleCount).toBe(0)
    await api.ok(seasonApi.undo, { params: { id: second.body.acceptances[0]?.id ?? '' } })
    expect(await rulesOf(business)).toEqual(before)
    const over = await api.call(seasonApi.undo, { params: { id: second.body.acceptances[0]?.id ?? '' } })
    expect([over.status, over.error.message]).toEqual([409, 'This was taken back already. Nothing was changed.'])
  })

  it('a repeat of the same press is the same step', async () => {
    const { business } = await aSeason()
    const run = await planned(business.api)
    const key = newId()
    const press = () =>
      business.api.call(
        seasonApi.accept,
        { params: { id: run.id }, body: { jobIds: openIds(run), fromOn } },
        { 'idempotency-key': key },
      )
    const [one, two] = [await press(), await press()]
    expect([one.status, two.status]).toEqual([200, 200])
    expect(two.body).toEqual(one.body)
    expect(one.body.acceptances).toHaveLength(1)
  })

  it('refuses what the hours of a crew have no room for, and says who would fit', async () => {
    const { business } = await aSeason({ minutes: 60 })
    const { api } = business
    const run = await planned(api)
    const full = run.result?.loads.every((load) => load.after.fullestSeconds <= load.roomSeconds)
    expect(full).toBe(true)
    // Only those who come to one day: it would be far over its hours.
    const lawns = new Map(run.result?.lawns.map((lawn) => [lawn.jobId, lawn]))
    const ids = openIds(run).filter((id) => lawns.get(id)?.to.day === 2)
    expect(ids.length).toBeGreaterThan(1)
    const seen = await api.ok(seasonApi.check, { params: { id: run.id }, body: { jobIds: ids } })
    expect(seen.over.map(({ day }) => day)).toEqual([2])
    expect(seen.over[0]?.text).toMatch(/^North on Tuesday would be [\dh min]+ over its hours(, [\dh min]+ today)?$/)
    expect(seen.fitting.length).toBeLessThan(ids.length)
    const refused = await accept(api, run, ids)
    expect(refused.status).toBe(409)
    expect(refused.error.message).toMatch(
      /^North on Tuesday would be [\dh min]+ over its hours(, [\dh min]+ today)?\. Nothing was changed/,
    )
    expect((await api.ok(seasonApi.run, { params: { id: run.id } })).acceptances).toEqual([])
    // All together one makes room for the other.
    expect((await accept(api, run, openIds(run))).status).toBe(200)
  })

  it('is for the work as it was: what changed since is named, and nothing is moved', async () => {
    const { business, jobs, book } = await aSeason()
    const { api } = business
    const run = await planned(api)
    const [job] = jobs
    const { version, lines } = await api.ok(jobsApi.get, { params: { id: job?.id ?? '' } })
    const [line] = lines
    await api.ok(jobsApi.update, {
      params: { id: job?.id ?? '' },
      body: {
        version,
        lines: [{ id: line?.id, serviceId: line?.serviceId, recurrence: { ...line?.recurrence, weekdays: [5] } }],
      } as never,
    })
    await book(20)
    const now = await api.ok(seasonApi.run, { params: { id: run.id } })
    expect(now.stale).toEqual(['Customer 0, 0 Oak St, has other days', 'Customer 20, 20 Oak St, is new'])
    expect(now.can.accept).toBe(false)
    const refused = await accept(api, run, openIds(run))
    expect([refused.status, refused.error.message]).toEqual([
      409,
      'The work changed since this plan was made: Customer 0, 0 Oak St, has other days; Customer 20, 20 Oak St, is new. Nothing was changed; plan again from what is there now.',
    ])
  })

  it('takes back what nobody changed since, and names the rest', async () => {
    const { business } = await aSeason()
    const { api } = business
    const run = await planned(api)
    const done = await accept(api, run, openIds(run))
    const [moved = ''] = openIds(run)
    const { version, lines } = await api.ok(jobsApi.get, { params: { id: moved } })
    const [line] = lines
    await api.ok(jobsApi.update, {
      params: { id: moved },
      body: {
        version,
        lines: [{ id: line?.id, serviceId: line?.serviceId, recurrence: { ...line?.recurrence, weekdays: [5] } }],
      } as never,
    })
    const undone = await api.ok(seasonApi.undo, { params: { id: done.body.acceptances[0]?.id ?? '' } })
    expect(undone.restoredJobs).toBe(openIds(run).length - 1)
    expect(undone.kept).toEqual([expect.objectContaining({ why: 'was changed since' })])
    const rules = await rulesOf(business)
    const own = rules
      .filter((rule) => rule.jobId === moved)
      .map(({ recurrence }) => recurrence as unknown as Recurrence)
    expect(own.map(({ weekdays }) => weekdays)).toEqual([[5]])
    // It stands in the list of changes of many, too, by its name.
    const { items } = await api.ok(jobEditsApi.list, {})
    expect(items[0]?.change.kind).toBe('places')
  })

  it('never begins on a day that is over or was sent to a crew', async () => {
    const { business, jobs } = await aSeason()
    const { api } = business
    const run = await planned(api)
    const early = await accept(api, run, openIds(run), today)
    expect(early.status).toBe(422)
    expect(early.error.errors?.[0]).toMatchObject({ path: 'fromOn' })
    await business.db(async (db) => {
      const sent = await db
        .updateTable('visits')
        .set({ publishedDay: '2026-04-21' })
        .where('businessId', '=', business.id)
        .where('jobId', '=', jobs[0]?.id ?? '')
        .where('day', '=', '2026-04-21')
        .returning('id')
        .execute()
      expect(sent).toHaveLength(1)
    })
    const refused = await accept(api, run, openIds(run))
    expect(refused.error.errors?.[0]?.message).toBe(
      'Days before Wed, Apr 22 are over, or were sent to crews already. Choose Wed, Apr 22 or later.',
    )
  })

  it('is nobody else’s: another business finds neither plan nor step, and foreign jobs are refused', async () => {
    const { business } = await aSeason()
    const { api } = business
    const run = await planned(api)
    const stranger = await aBusiness()
    const params = { id: run.id }
    expect((await stranger.api.call(seasonApi.run, { params })).status).toBe(404)
    expect((await accept(stranger.api, run, openIds(run))).status).toBe(404)
    expect((await accept(api, run, [newId()])).status).toBe(404)
    const done = await accept(api, run, openIds(run))
    const step = { id: done.body.acceptances[0]?.id ?? '' }
    expect((await stranger.api.call(seasonApi.undo, { params: step })).status).toBe(404)
    expect((await stranger.api.call(seasonApi.letters, { params: step })).status).toBe(404)
    const foreignCrew = { kind: 'crew', likeCrewId: newId(), place: null }
    expect((await api.call(seasonApi.start, { body: { whatIf: foreignCrew } as never })).status).toBe(404)
    const employee = await business.employee()
    expect((await employee.api.call(seasonApi.run, { params })).status).toBe(403)
  })

  it('says so when the process that searched is gone', async () => {
    const { business } = await aSeason({ lawns: 3 })
    const run = await planned(business.api)
    await business.db((db) =>
      db
        .updateTable('seasonRuns')
        .set({ status: 'running', result: null, heartbeatAt: '2026-04-06T11:59:30Z' })
        .where('businessId', '=', business.id)
        .where('id', '=', run.id)
        .execute(),
    )
    const lost = await business.api.ok(seasonApi.run, { params: { id: run.id } })
    expect([lost.status, lost.error]).toEqual([
      'failed',
      'The search was cut off before it was done. Nothing was changed; start it again.',
    ])
    // And nothing keeps the next one from starting.
    expect((await planned(business.api)).status).toBe('ready')
  })
})

describe('letters to who moved', () => {
  it('go once, in the language of the customer, by the gate; who is not reached is named and printed', async () => {
    const { business } = await aSeason()
    const { api } = business
    const run = await planned(api)
    const done = await accept(api, run, openIds(run))
    const params = { id: done.body.acceptances[0]?.id ?? '' }
    const seen = await api.ok(seasonApi.letters, { params })
    const { emails, unreached } = seen.counts
    expect([seen.counts.texts, emails + unreached]).toEqual([0, openIds(run).length])
    expect(emails).toBeGreaterThan(0)
    for (const item of seen.items) {
      expect(item.text).toMatch(
        item.language === 'es'
          ? /su día de servicio cambia\. \d+ Oak St: cada (martes|jueves) en lugar del (martes|jueves), a partir del (martes|jueves), 2\d de abril/
          : /your service day changes\. \d+ Oak St: every (Tues|Thurs)day instead of (Tues|Thurs)day, starting (Tues|Thurs)day, April 2\d\./,
      )
      if (item.channel === null) expect(item.reason).toBe('No mobile number or e-mail on file')
    }
    const other = await api.call(seasonApi.send, { params, body: { expected: emails + 1 } })
    expect(other.status).toBe(409)
    const sent = await api.ok(seasonApi.send, { params, body: { expected: emails } })
    expect(sent.counts).toEqual({ texts: 0, emails: 0, unreached, told: emails, waiting: emails })
    const again = await api.call(seasonApi.send, { params, body: { expected: emails } })
    expect([again.status, again.error.message]).toEqual([
      409,
      'These customers were told already. Nothing was sent again.',
    ])
    const messages = () =>
      business.db((db) =>
        db
          .selectFrom('messages')
          .select(['customerId', 'status', 'purpose', 'subject'])
          .where('businessId', '=', business.id)
          .where('entityType', '=', 'season_acceptance')
          .execute(),
      )
    expect(await messages()).toHaveLength(emails)
    expect(new Set((await messages()).map((message) => message.purpose))).toEqual(new Set(['transactional']))
    if (unreached > 0) {
      const pdf = await api.raw({ method: 'GET', url: seasonApi.paper.path.replace(':id', params.id) })
      expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    }
    // Taken back before they left: nobody gets one.
    await api.ok(seasonApi.undo, { params })
    await runTasks()
    expect(new Set((await messages()).map((message) => message.status))).toEqual(new Set(['suppressed']))
    const none = await api.call(seasonApi.send, { params, body: { expected: 1 } })
    expect(none.status).toBe(409)
  })
})

describe('what if', () => {
  it('compares with today and with the best days without it, and is never taken over', async () => {
    const { business, crew } = await aSeason()
    const { api } = business
    const place = { lat: 32.2, lng: -81.1 }
    const wishes: WhatIf[] = [
      { kind: 'crew', likeCrewId: crew, place },
      { kind: 'depot', crewId: null, place },
      { kind: 'lawns', count: 10, place, radiusMiles: 1, minutes: 30, everyWeeks: 1 },
      { kind: 'days', days: [2] },
    ]
    for (const wish of wishes) {
      const run = await planned(api, wish)
      const { before, unchanged, after } = run.result ?? {}
      expect(run.kind).toBe('whatif')
      expect(unchanged?.driveSecondsYear).toBeLessThan(before?.driveSecondsYear ?? 0)
      if (wish.kind === 'crew') {
        expect(after?.driveSecondsYear).toBeLessThanOrEqual(unchanged?.driveSecondsYear ?? 0)
        expect(run.result?.crews.map(({ name }) => name)).toEqual(['North', 'The new crew'])
      }
      if (wish.kind === 'lawns') {
        expect(after?.stopsWeek).toBe(22 - (run.result?.unplaced ?? 0))
        expect(after?.driveSecondsYear).toBeGreaterThan(unchanged?.driveSecondsYear ?? 0)
      }
      if (wish.kind === 'days') expect(after?.crewDaysWeek).toBeLessThanOrEqual(1)
      const refused = await accept(api, run, [newId()])
      expect([refused.status, refused.error.message]).toEqual([
        409,
        'A what-if only shows what would be; it is never taken over. Plan the season to change it.',
      ])
    }
    const { runs } = await api.ok(seasonApi.overview, {})
    expect(runs.map(({ label }) => label)).toEqual([
      'What if: work on Tue',
      'What if: 10 new lawns',
      'What if: all crews start elsewhere',
      'What if: one more crew like North',
    ])
  })
})
