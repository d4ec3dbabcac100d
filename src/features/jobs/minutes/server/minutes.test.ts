import { afterAll, beforeAll, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays } from '../../../../shared/dates.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aLawn } from '../../../../test/field.ts'
import { lawnsApi } from '../../../analytics/lawns/contract.ts'
import { servicesApi } from '../../../services/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { jobEditsApi } from '../../bulk/contract.ts'
import { jobsApi } from '../../contract.ts'
import { listSlotJobs } from '../../slots/server/queries.ts'
import { learnedMinutesApi } from '../contract.ts'

// A Monday in season.
const today = '2026-06-08'
let own: TestBusiness
let [mow, beds] = ['', '']

beforeAll(async () => {
  setClock(() => new Date(`${today}T14:00:00Z`))
  own = await aBusiness()
  const { items } = await own.api.ok(servicesApi.addDefaults, {})
  ;[mow, beds] = [items[0]?.id ?? '', items[1]?.id ?? '']
})
afterAll(resetClock)

const weekly = { freq: 'week', interval: 1, weekdays: [2], phaseOn: today, holiday: 'next', exceptions: [] }
type Line = { serviceId: string; budgetMinutes: number }

/** A weekly job whose visits of the weeks before took so many labor minutes, the newest first. */
const aJob = async (
  took: number[],
  lines: Line[] = [{ serviceId: mow, budgetMinutes: 40 }],
  customer = 'Ann Early',
) => {
  const { propertyId } = await aLawn(own, { customer })
  const job = await own.api.ok(jobsApi.create, {
    body: {
      propertyId,
      startOn: today,
      lines: lines.map((line) => ({ ...line, recurrence: weekly, unitPriceCents: 5000 })),
    } as never,
  })
  for (const [at, minutes] of took.entries()) await work(job, minutes, addDays(today, -7 * (at + 1)))
  return job
}

type Job = Awaited<ReturnType<typeof aJob>>
/** A finished visit of a job that two people worked on for so many labor minutes together. */
const work = async (job: Job, laborMinutes: number, day: string, changes: object = {}) =>
  own.db(async (db) => {
    const { customerId, propertyId } = await db
      .selectFrom('jobs')
      .select(['customerId', 'propertyId'])
      .where('businessId', '=', own.id)
      .where('id', '=', job.id)
      .executeTakeFirstOrThrow()
    const visitId = newId()
    await db
      .insertInto('visits')
      .values({
        ...{ businessId: own.id, id: visitId, jobId: job.id, customerId, propertyId, occurrenceOn: day, day },
        ...{ status: 'completed', priceCents: 5000, people: 2, workedSeconds: laborMinutes * 30 },
        budgetMinutes: job.lines.reduce((sum, line) => sum + line.budgetMinutes, 0),
        ...changes,
      })
      .execute()
    for (const line of job.lines)
      await db
        .insertInto('visitLines')
        .values({
          ...{ businessId: own.id, id: newId(), visitId, jobLineId: line.id, serviceId: line.serviceId },
          ...{ unitPriceCents: 5000, budgetMinutes: line.budgetMinutes },
        })
        .execute()
    return visitId
  })

const list = () => own.api.ok(learnedMinutesApi.list, {})
const proposalOf = async (job: Job) => (await list()).items.filter((one) => one.jobId === job.id)
const seen = ({
  lineId,
  budgetMinutes,
  learnedMinutes,
}: {
  lineId: string
  budgetMinutes: number
  learnedMinutes: number
}) => ({
  ...{ lineId, budgetMinutes, learnedMinutes },
})
const visitsOf = (job: Job) =>
  own.db((db) =>
    db
      .selectFrom('visits')
      .select(['id', 'day', 'status', 'budgetMinutes'])
      .where('businessId', '=', own.id)
      .where('jobId', '=', job.id)
      .orderBy('day')
      .execute(),
  )

it('proposes the median of the last five, outliers out, where it differs enough, and says what it would change', async () => {
  const job = await aJob([60, 58, 400, 62, 61, 10, 10], undefined, 'Slow Lawn')
  const usual = await aJob([42, 41, 44])
  const few = await aJob([90, 90])
  const [found] = await proposalOf(job)
  expect(found).toMatchObject({ customerName: 'Slow Lawn', budgetMinutes: 40, learnedMinutes: 61, leftOut: 1 })
  expect(found?.took.map(({ minutes }) => minutes)).toEqual([60, 58, 400, 62, 61])
  const ahead = (await visitsOf(job)).filter(({ status }) => status === 'scheduled').length
  expect(found?.visitsAhead).toBe(ahead)
  expect(ahead).toBeGreaterThan(3)
  // four and a third visits a month, 21 minutes more each
  expect(found?.monthMinutes).toBe(91)
  expect(await proposalOf(usual)).toEqual([])
  expect(await proposalOf(few)).toEqual([])
})

it('learns nothing of a visit without a clock or people, nor of a skipped one', async () => {
  const job = await aJob([90, 90])
  await work(job, 0, addDays(today, -30))
  await work(job, 90, addDays(today, -31), { people: null })
  await work(job, 90, addDays(today, -32), { status: 'skipped' })
  await work(job, 90, addDays(today, -400))
  expect(await proposalOf(job)).toEqual([])
})

it('tells a visit with two services apart by what was planned for each', async () => {
  const lines = [
    { serviceId: mow, budgetMinutes: 30 },
    { serviceId: beds, budgetMinutes: 10 },
  ]
  const found = await proposalOf(await aJob([80, 80, 80], lines))
  expect(found.map(({ budgetMinutes, learnedMinutes }) => [budgetMinutes, learnedMinutes]).toSorted()).toEqual([
    [10, 20],
    [30, 60],
  ])
})

it('plans what is to come with accepted minutes, leaves what is finished, once, and takes it back', async () => {
  const [one, two] = [await aJob([60, 60, 60]), await aJob([20, 21, 20])]
  const items = [...(await proposalOf(one)), ...(await proposalOf(two))].map(seen)
  const before = { one: await visitsOf(one), two: await visitsOf(two) }
  const key = newId()
  const accept = () => own.api.call(learnedMinutesApi.accept, { body: { items } }, { 'idempotency-key': key })
  const first = await accept()
  expect(first.status).toBe(200)
  // the same press again is the same answer, not a second change
  expect((await accept()).body).toEqual(first.body)
  const { edit, list: after } = first.body as {
    edit: { id: string; jobs: number }
    list: { items: { jobId: string }[] }
  }
  expect(edit.jobs).toBe(2)
  expect(after.items.some(({ jobId }) => jobId === one.id || jobId === two.id)).toBe(false)
  for (const [job, planned, minutes] of [
    [one, before.one, 60],
    [two, before.two, 20],
  ] as const)
    expect(await visitsOf(job)).toEqual(
      planned.map((visit) => (visit.status === 'completed' ? visit : { ...visit, budgetMinutes: minutes })),
    )
  // what the planners of the day and of the season read
  const slots = await own.db((db) => listSlotJobs(db, [one.id]))
  expect(slots[0]?.slots[0]?.minutes).toBe(60)
  // by somebody else who still saw the old list
  const late = await own.api.call(learnedMinutesApi.accept, { body: { items } })
  expect([late.status, late.error?.message]).toEqual([409, expect.stringContaining('look at the list again')])
  const undone = await own.api.ok(jobEditsApi.undo, { params: { id: edit.id } })
  expect([undone.restoredJobs, undone.change.kind]).toEqual([2, 'minutes'])
  expect([await visitsOf(one), await visitsOf(two)]).toEqual([before.one, before.two])
  expect((await proposalOf(one)).map(seen)).toEqual(items.slice(0, 1))
})

it('plans visits with them that somebody put elsewhere, which keep their place, and takes that back', async () => {
  const job = await aJob([60, 60, 60])
  const open = (await visitsOf(job)).filter(({ status }) => status === 'scheduled')
  const [pushed, waits, typed] = open
  const move = (visitId: string, day: string | null) =>
    own.api.ok(visitsApi.move, { params: { visitId }, body: { day, crewId: null } })
  await move(pushed?.id ?? '', addDays(pushed?.day ?? today, 4))
  await move(waits?.id ?? '', null)
  // somebody gave one of them minutes of its own
  await move(typed?.id ?? '', addDays(typed?.day ?? today, 1))
  await own.db(async (db) => {
    for (const [table, id] of [
      ['visits', 'id'],
      ['visitLines', 'visitId'],
    ] as const)
      await db
        .updateTable(table)
        .set({ budgetMinutes: 25 })
        .where('businessId', '=', own.id)
        .where(id as never, '=', (typed?.id ?? '') as never)
        .execute()
  })
  const before = await visitsOf(job)
  const [proposal] = await proposalOf(job)
  expect(proposal?.visitsAhead).toBe(open.length - 1)
  const { edit } = await own.api.ok(learnedMinutesApi.accept, {
    body: { items: [proposal].flatMap((one) => one ?? []).map(seen) },
  })
  expect([edit.visits.changed, edit.visits.kept]).toEqual([open.length - 1, 1])
  expect(await visitsOf(job)).toEqual(
    before.map((visit) =>
      visit.status === 'completed' || visit.id === typed?.id ? visit : { ...visit, budgetMinutes: 60 },
    ),
  )
  await own.api.ok(jobEditsApi.undo, { params: { id: edit.id } })
  expect(await visitsOf(job)).toEqual(before)
})

it('is taken back beside a price letter that came after it, whose price stays', async () => {
  const job = await aJob([60, 60, 60])
  const before = await visitsOf(job)
  const { edit } = await own.api.ok(learnedMinutesApi.accept, { body: { items: (await proposalOf(job)).map(seen) } })
  const lines = [{ lineId: job.lines[0]?.id ?? '', toCents: 6000 }]
  const fromOn = addDays(today, 30)
  const { seal } = await own.api.ok(lawnsApi.preview, { body: { fromOn, lines } })
  await own.api.ok(lawnsApi.send, { body: { fromOn, lines, seal } })
  const undone = await own.api.ok(jobEditsApi.undo, { params: { id: edit.id } })
  expect([undone.restoredJobs, undone.keptCount]).toEqual([1, 0])
  expect(await visitsOf(job)).toEqual(before)
  const { items } = await own.api.ok(visitsApi.list, { query: { jobId: job.id, limit: '100' } })
  const prices = items
    .filter(({ status }) => status === 'scheduled')
    .map(({ day, priceCents }) => [(day ?? '') >= fromOn, priceCents])
  expect([...new Set(prices.map(String))].toSorted()).toEqual(['false,5000', 'true,6000'])
  expect((await own.api.ok(jobsApi.get, { params: { id: job.id } })).lines[0]).toMatchObject({
    ...{ budgetMinutes: 40, unitPriceCents: 5000, nextPrice: { cents: 6000, on: fromOn } },
  })
})

it('asks anew when somebody planned otherwise since it was left', async () => {
  const job = await aJob([60, 60, 60])
  await own.api.ok(learnedMinutesApi.dismiss, { body: { items: (await proposalOf(job)).map(seen) } })
  expect(await proposalOf(job)).toEqual([])
  await own.db((db) =>
    db
      .updateTable('jobLines')
      .set({ budgetMinutes: 100 })
      .where('businessId', '=', own.id)
      .where('jobId', '=', job.id)
      .execute(),
  )
  expect((await proposalOf(job)).map(({ budgetMinutes, learnedMinutes }) => [budgetMinutes, learnedMinutes])).toEqual([
    [100, 60],
  ])
})

it('keeps minutes that somebody typed since, when it is taken back', async () => {
  const job = await aJob([60, 60, 60])
  const { edit } = await own.api.ok(learnedMinutesApi.accept, { body: { items: (await proposalOf(job)).map(seen) } })
  await own.db((db) =>
    db
      .updateTable('jobLines')
      .set({ budgetMinutes: 75 })
      .where('businessId', '=', own.id)
      .where('jobId', '=', job.id)
      .execute(),
  )
  const answer = await own.api.call(jobEditsApi.undo, { params: { id: edit.id } })
  expect([answer.status, answer.error?.message]).toEqual([409, expect.stringContaining('changed since')])
})

it('keeps a dismissed proposal away until newer visits say something else', async () => {
  const job = await aJob([60, 60, 60])
  const items = (await proposalOf(job)).map(seen)
  const { dismissed } = await own.api.ok(learnedMinutesApi.dismiss, { body: { items } })
  expect(dismissed.map(({ jobId }) => jobId)).toContain(job.id)
  expect(await proposalOf(job)).toEqual([])
  // a little more is the same story
  for (const [at, minutes] of [64, 65, 64].entries()) await work(job, minutes, addDays(today, at - 6))
  expect(await proposalOf(job)).toEqual([])
  for (const [at, minutes] of [90, 91, 90].entries()) await work(job, minutes, addDays(today, at - 3))
  expect((await proposalOf(job)).map(({ learnedMinutes }) => learnedMinutes)).toEqual([90])
  await own.api.ok(learnedMinutesApi.dismiss, { body: { items: (await proposalOf(job)).map(seen) } })
  await own.api.ok(learnedMinutesApi.restore, { body: { lineIds: [items[0]?.lineId ?? ''] } })
  expect(await proposalOf(job)).toHaveLength(1)
})

it('is for who plans, of their own business alone', async () => {
  const job = await aJob([60, 60, 60])
  const items = (await proposalOf(job)).map(seen)
  const other = await aBusiness()
  expect((await other.api.ok(learnedMinutesApi.list, {})).items).toEqual([])
  expect((await other.api.call(learnedMinutesApi.accept, { body: { items } })).status).toBe(409)
  expect((await other.api.call(learnedMinutesApi.dismiss, { body: { items } })).status).toBe(409)
  const back = await other.api.call(learnedMinutesApi.restore, { body: { lineIds: [items[0]?.lineId ?? ''] } })
  expect(back.status).toBe(404)
  const planner = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
  expect((await planner.api.ok(learnedMinutesApi.list, {})).items.length).toBeGreaterThan(0)
  const payer = await aPerson(own.id, 'Admin', { permissions: ['money'] })
  expect((await payer.api.call(learnedMinutesApi.list, {})).status).toBe(403)
  expect((await own.api.call(learnedMinutesApi.accept, { body: { items: [] } })).status).toBe(422)
})
