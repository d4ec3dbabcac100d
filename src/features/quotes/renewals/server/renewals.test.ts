import { beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, addMonths, weekdayOf } from '../../../../shared/dates.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { everyDay, today } from '../../../../test/field.ts'
import { lawnsOf, open, post } from '../../../../test/renewals.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { jobsApi } from '../../../jobs/contract.ts'
import { programsApi } from '../../../jobs/programs/contract.ts'
import { windowsOf } from '../../../jobs/programs/rules.ts'
import { createJobsTx, type NewJob } from '../../../jobs/server/commands.ts'
import { servicesApi } from '../../../services/contract.ts'
import { quoteAnalyticsApi } from '../../analytics/contract.ts'
import { quotesApi } from '../../contract.ts'
import { lookAfterQuotes } from '../../server/tasks.ts'
import { type RunRecord, renewalsApi } from '../contract.ts'
import { bookRenewal } from './booking.ts'
import { continueRun } from './steps.ts'

let business: TestBusiness
let mow: string
let treat: string

const lawns = (count: number, more: { email?: boolean; tags?: string[] } = {}) => lawnsOf(business, count, more)

const plain = {
  instructions: 'Mind the dog.',
  poNumber: '',
  billing: 'per_visit',
  endOn: null,
  status: 'active',
  batchId: null,
  crewId: null,
} as const

/** Weekly mowing that began ten weeks ago. */
const mowing = (place: { customerId: string; propertyId: string }, more: Partial<NewJob> = {}): NewJob => ({
  ...plain,
  ...place,
  title: 'Weekly mowing',
  startOn: addDays(today(), -70),
  lines: [
    {
      serviceId: mow,
      description: 'Front and back',
      quantity: 1,
      unitPriceCents: 4500,
      budgetMinutes: 40,
      recurrence: {
        freq: 'week',
        interval: 1,
        weekdays: [],
        phaseOn: addDays(today(), -70),
        holiday: 'next',
        exceptions: [],
      },
      onceOn: null,
    },
  ],
  ...more,
})
const steps = () =>
  [1, 2, 3].map((round) => ({
    name: `Round ${round}`,
    serviceId: treat,
    from: `0${round * 2}-01`,
    to: `0${round * 2}-28`,
    minGapDays: round === 1 ? 0 : 21,
    priceCents: 6000,
    minutes: 30,
  }))
const year = () => Number(today().slice(0, 4))

const onProgram = (place: { customerId: string; propertyId: string }, programId: string, renews = true): NewJob => {
  const windows = windowsOf(steps(), year())
  return {
    ...plain,
    ...place,
    title: 'Three rounds',
    startOn: `${year()}-01-01`,
    programId,
    programYear: year(),
    programRenews: renews,
    lines: steps().map((step, at) => ({
      serviceId: treat,
      description: step.name,
      quantity: 1,
      unitPriceCents: 6300,
      budgetMinutes: 30,
      recurrence: null,
      onceOn: null,
      undated: { kind: 'step', name: step.name, minGapDays: step.minGapDays, ...windows[at] } as never,
    })),
  }
}
const book = (jobs: readonly NewJob[]) => business.db((db) => createJobsTx(db, systemActor(business.id as never), jobs))

const startsOn = () => addDays(today(), 120)
const answerBy = () => addDays(today(), 30)
const create = async (more: object = {}) => {
  const made = await business.api.ok(renewalsApi.create, {
    body: {
      startsOn: startsOn(),
      endsOn: addDays(startsOn(), 209),
      answerBy: answerBy(),
      raise: { kind: 'percent', value: 500, roundTo: 100 },
      ...more,
    } as never,
  })
  await runTasks()
  return get(made.id)
}
const get = (id: string) => business.api.ok(renewalsApi.get, { params: { id } })
const rows = async (id: string, query: object = {}) =>
  (await business.api.ok(renewalsApi.rows, { params: { id }, query: query as never })).items
const send = async (run: RunRecord) => {
  await business.api.ok(renewalsApi.send, {
    params: { id: run.id },
    body: { version: run.version, expected: { count: run.counts.open, afterCents: run.afterCents } },
  })
  await runTasks()
  return get(run.id)
}
const quoteOf = async (runId: string, at = 0) => {
  const row = (await rows(runId))[at]
  return business.api.ok(quotesApi.get, { params: { id: row?.quote?.id ?? '' } })
}
const jobsAt = (propertyId: string) =>
  business.db((db) =>
    db
      .selectFrom('jobs')
      .selectAll()
      .where('businessId', '=', business.id)
      .where('propertyId', '=', propertyId)
      .orderBy('number')
      .execute(),
  )
const sign = (quote: { publicPath: string | null; totalCents: number }, more: Record<string, string> = {}) =>
  post(`${quote.publicPath}/sign`, { signer: 'Rebecca Odom', agree: '1', expected: String(quote.totalCents), ...more })

/** The notices of a quote as if this had become of them. */
const fate = (quoteId: string, status: 'sent' | 'delivered' | 'failed' | 'suppressed' | 'unknown' | 'pending') =>
  business.db((db) =>
    db
      .updateTable('messages')
      .set({ status, reason: status === 'failed' ? 'The mailbox is not there' : null })
      .where('businessId', '=', business.id)
      .where('entityId', '=', quoteId)
      .execute(),
  )

beforeEach(async () => {
  resetClock()
  business = await aBusiness({ workDays: everyDay })
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ seasonStart: '01-01', seasonEnd: '12-31' })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  mow = items.find(({ category }) => category === 'mow')?.id ?? ''
  treat = items.find(({ code }) => code === 'fert-weed')?.id ?? ''
  return () => resetClock()
})

const aProgram = async () =>
  (
    await business.api.ok(programsApi.create, {
      body: { name: 'Three rounds', steps: steps(), renews: true },
    })
  ).id

describe('the list', () => {
  it('leaves out who has just signed for that season, who can be taken in, and counts who has no address for it', async () => {
    const [a, b] = await lawns(2)
    const [c] = await lawns(1, { email: false })
    if (!a || !b || !c) throw new Error('no lawns')
    const fresh = mowing(a, { startOn: addDays(today(), 5) })
    const [line] = fresh.lines
    const season = { ...line?.recurrence, phaseOn: startsOn(), season: undefined } as never
    await book([
      { ...fresh, lines: [{ ...line, recurrence: season } as NewJob['lines'][number]] },
      mowing(b),
      mowing(c),
    ])
    const { id } = await business.api.ok(quotesApi.create, { body: { propertyId: a.propertyId } as never })
    const [job] = await jobsAt(a.propertyId)
    await business.db(async (db) => {
      await db
        .updateTable('quotes')
        .set({ status: 'converted', jobId: job?.id ?? null })
        .where('businessId', '=', business.id)
        .where('id', '=', id)
        .execute()
      await db
        .deleteFrom('visits')
        .where('businessId', '=', business.id)
        .where('jobId', '=', job?.id ?? '')
        .where('day', '<', startsOn())
        .execute()
    })
    const run = await create()
    expect(run).toMatchObject({ counts: { open: 2, excluded: 1 }, unreached: 1 })
    const signed = (await rows(run.id)).find(({ job: of }) => of.id === job?.id)
    expect(signed).toMatchObject({ answer: 'excluded', problem: expect.stringContaining('signed for this season') })
    expect(signed?.lines).not.toEqual([])
  })

  it('holds what can be renewed, with prices now and then, and what cannot with its reason', async () => {
    const programId = await aProgram()
    const [a, b, c, d] = await lawns(4)
    if (!a || !b || !c || !d) throw new Error('no lawns')
    const once = { ...mowing(c).lines[0], recurrence: null, onceOn: addDays(today(), 5) } as NewJob['lines'][number]
    await book([mowing(a), onProgram(b, programId), mowing(c, { lines: [once] }), mowing(d, { status: 'draft' })])
    const run = await create()
    expect(run).toMatchObject({ status: 'draft', counts: { open: 2, excluded: 0 }, customers: 2 })
    const [first, second] = await rows(run.id)
    // 210 days hold 30 weeks
    expect(first).toMatchObject({
      answer: 'open',
      street: '1 Oak St',
      lines: [{ wasCents: 4500, cents: 4700, visits: 30, quantity: 1 }],
      beforeCents: 135_000,
      afterCents: 141_000,
    })
    expect(second?.lines.map(({ name, wasCents, cents }) => [name, wasCents, cents])).toEqual([
      ['Round 1', 6300, 6600],
      ['Round 2', 6300, 6600],
      ['Round 3', 6300, 6600],
    ])
    expect(run.beforeCents).toBe(135_000 + 18_900)
    expect(run.afterCents).toBe(141_000 + 19_800)
  })

  it('is narrowed by kind, program, service, tag and end, and leaves out what another list has', async () => {
    const programId = await aProgram()
    const [a, b] = await lawns(2)
    const [tagged] = await lawns(1, { tags: ['north'] })
    if (!a || !b || !tagged) throw new Error('no lawns')
    await book([mowing(a, { endOn: addDays(today(), 20) }), onProgram(b, programId), mowing(tagged)])
    const count = async (filter: object) =>
      (
        await business.api.ok(renewalsApi.candidates, {
          body: { filter: filter as never, startsOn: startsOn() },
        })
      ).jobs
    expect(await count({})).toBe(3)
    expect(await count({ work: 'programs' })).toBe(1)
    expect(await count({ work: 'recurring' })).toBe(2)
    expect(await count({ programIds: [programId] })).toBe(1)
    expect(await count({ serviceIds: [mow] })).toBe(2)
    expect(await count({ tags: ['north'] })).toBe(1)
    expect(await count({ endsBy: addDays(today(), 30) })).toBe(1)
    const run = await create({ filter: { work: 'programs' } })
    expect(await count({})).toBe(2)
    await business.api.ok(renewalsApi.withdraw, { params: { id: run.id }, body: { version: run.version } })
    await runTasks()
    expect(await count({})).toBe(3)
  })

  it('takes another raise, one of a customer, a price by hand, and leaves somebody out', async () => {
    const places = await lawns(3)
    await book(places.map((place) => mowing(place)))
    const run = await create()
    const [first, second, third] = await rows(run.id)
    const change = (row: { id: string } | undefined, body: object) =>
      business.api.ok(renewalsApi.change, { params: { id: run.id, rowId: row?.id ?? '' }, body: body as never })
    expect(await change(first, { raise: { kind: 'amount', value: 1000, roundTo: 1 } })).toMatchObject({
      lines: [{ cents: 5500 }],
      afterCents: 165_000,
    })
    const lineId = second?.lines[0]?.id ?? ''
    expect(await change(second, { prices: [{ lineId, cents: 4444 }] })).toMatchObject({
      lines: [{ cents: 4444, typed: true }],
    })
    expect(await change(third, { excluded: true })).toMatchObject({ answer: 'excluded' })
    const now = await get(run.id)
    expect(now).toMatchObject({ afterCents: 165_000 + 4444 * 30, counts: { open: 2, excluded: 1 } })
    const raised = await business.api.ok(renewalsApi.update, {
      params: { id: run.id },
      body: { raise: { kind: 'percent', value: 2000, roundTo: 1 }, version: now.version },
    })
    // both have prices of their own
    expect(raised.afterCents).toBe(now.afterCents)
    await change(first, { raise: null })
    await change(second, { prices: [{ lineId, cents: null }] })
    expect((await get(run.id)).afterCents).toBe(5400 * 30 * 2)
    const stale = await business.api.call(renewalsApi.send, {
      params: { id: run.id },
      body: { version: now.version, expected: { count: 2, afterCents: 5400 * 60 } },
    })
    expect(stale.status).toBe(409)
  })

  it('refuses days that make no sense, with nothing made', async () => {
    const call = (more: object) =>
      business.api.call(renewalsApi.create, {
        body: { startsOn: startsOn(), endsOn: null, answerBy: answerBy(), ...more } as never,
      })
    expect((await call({ startsOn: today() })).error.errors?.[0]?.path).toBe('startsOn')
    expect((await call({ answerBy: startsOn() })).error.errors?.[0]?.path).toBe('answerBy')
    expect((await call({ endsOn: addDays(startsOn(), -1) })).error.errors?.[0]?.path).toBe('endsOn')
    expect((await call({ byMail: false, byText: false })).error.errors?.[0]?.path).toBe('byMail')
    expect((await call({ raise: { kind: 'percent', value: 20_000 } })).status).toBe(422)
    expect((await call({ filter: { serviceIds: [newId()] } })).status).toBe(404)
    expect((await business.api.ok(renewalsApi.list, { query: {} as never })).items).toHaveLength(0)
  })
})

describe('sent', () => {
  it('200 programs, each once, also when the task runs again, and those that nobody can reach are named', async () => {
    const programId = await aProgram()
    const places = await lawns(199)
    const [mute] = await lawns(1, { email: false })
    if (!mute) throw new Error('no lawn')
    await book([...places, mute].map((place) => onProgram(place, programId)))
    const run = await send(await create({ filter: { work: 'programs' } }))
    expect(run).toMatchObject({ status: 'sent', counts: { waiting: 199, failed: 1, open: 0 } })
    const [failed] = await rows(run.id, { answer: 'failed' })
    expect(failed?.problem).toContain('Nobody is reached')
    // a worker that was killed and came back
    for (let turn = 0; turn < 2; turn++) await continueRun.run(systemActor(business.id as never), { runId: run.id })
    const quotes = await business.api.ok(quotesApi.list, { query: { view: 'waiting', limit: 100 } as never })
    expect(quotes.counts.waiting).toBe(199)
    expect(quotes.counts.all).toBe(199)
    // the night does not renew beside it
    const [job] = await jobsAt(places[0]?.propertyId ?? '')
    expect(job?.programRenews).toBe(false)
    await business.db((db) =>
      db
        .updateTable('customers')
        .set({ email: 'found@test.swath.test' })
        .where('businessId', '=', business.id)
        .where('id', '=', mute.customerId)
        .execute(),
    )
    await business.api.ok(renewalsApi.retry, { params: { id: run.id }, body: { version: run.version } })
    await runTasks()
    expect((await get(run.id)).counts).toMatchObject({ waiting: 200, failed: 0 })
  }, 120_000)

  it('goes on where it was when it is killed between two, and doubles none', async () => {
    const places = await lawns(3)
    await book(places.map((place) => mowing(place)))
    const run = await create()
    await business.api.ok(renewalsApi.send, {
      params: { id: run.id },
      body: { version: run.version, expected: { count: 3, afterCents: run.afterCents } },
    })
    // the first was sent, then the server died: its transaction stands, the task comes back
    const actor = systemActor(business.id as never)
    await Promise.all([continueRun.run(actor, { runId: run.id }), continueRun.run(actor, { runId: run.id })])
    await runTasks()
    expect((await get(run.id)).counts).toMatchObject({ waiting: 3, open: 0 })
    expect((await business.api.ok(quotesApi.list, { query: {} as never })).counts.all).toBe(3)
  })

  it('a yes makes the next season once: new days and prices, the same rule; the old series ends the day before', async () => {
    const [place] = await lawns(1)
    if (!place) throw new Error('no lawn')
    const [oldId = ''] = await book([mowing(place)])
    const run = await send(await create())
    const quote = await quoteOf(run.id)
    expect(quote).toMatchObject({ status: 'sent', source: 'Renewal', validUntil: answerBy() })
    expect((await open(quote.publicPath ?? '')).text).toContain('Please tell us by')
    expect((await sign(quote)).status).toBe(303)
    await runTasks()
    await bookRenewal.run(systemActor(business.id as never), { quoteId: quote.id })
    const jobs = await jobsAt(place.propertyId)
    expect(jobs).toHaveLength(2)
    const [old, next] = jobs
    expect(old).toMatchObject({ id: oldId, endOn: addDays(startsOn(), -1), renewedAs: next?.id })
    expect(next).toMatchObject({
      title: 'Weekly mowing',
      startOn: startsOn(),
      endOn: addDays(startsOn(), 209),
      instructions: 'Mind the dog.',
      status: 'active',
    })
    const record = await business.api.ok(jobsApi.get, { params: { id: next?.id ?? '' } })
    expect(record.lines).toMatchObject([{ unitPriceCents: 4700, description: 'Front and back', budgetMinutes: 40 }])
    // the same day of the week as before
    const [firstVisit] = record.nextVisits
    expect(weekdayOf(firstVisit?.day ?? '')).toBe(weekdayOf(today()))
    expect(await get(run.id)).toMatchObject({ counts: { accepted: 1, waiting: 0 }, acceptedCents: 141_000 })
    expect((await rows(run.id))[0]).toMatchObject({ answer: 'accepted', nextJob: { id: next?.id } })
  })

  it('a yes to a program puts its rounds on for the next season, at the prices that were signed', async () => {
    const programId = await aProgram()
    const [place] = await lawns(1)
    if (!place) throw new Error('no lawn')
    await book([onProgram(place, programId)])
    const run = await send(await create())
    await sign(await quoteOf(run.id))
    await runTasks()
    const [old, next] = await jobsAt(place.propertyId)
    expect(next).toMatchObject({ programId, programYear: year() + 1, programRenews: true })
    expect(old).toMatchObject({ renewedAs: next?.id, endOn: null })
    const { lines } = await business.api.ok(jobsApi.get, { params: { id: next?.id ?? '' } })
    expect(lines.map(({ unitPriceCents }) => unitPriceCents)).toEqual([6600, 6600, 6600])
    expect(lines[0]?.undated).toMatchObject({ kind: 'step', opensOn: `${year() + 1}-02-01` })
  })

  it('who pays ahead pays less, and the season is booked once the money is there', async () => {
    const [place] = await lawns(1)
    if (!place) throw new Error('no lawn')
    await book([mowing(place)])
    const run = await send(await create({ prepayPercent: 1000 }))
    const quote = await quoteOf(run.id)
    const page = (await open(quote.publicPath ?? '')).text
    expect(page).toContain('The whole season now: $1,269.00')
    expect(page).toContain('You save $141.00')
    expect((await sign(quote, { prepay: '1' })).text).toContain('The total is another one')
    expect((await sign({ ...quote, totalCents: 126_900 }, { prepay: '1' })).status).toBe(303)
    await runTasks()
    expect(await jobsAt(place.propertyId)).toHaveLength(1)
    expect(await get(run.id)).toMatchObject({ counts: { to_pay: 1 } })
    const signed = await business.api.ok(quotesApi.get, { params: { id: quote.id } })
    expect(signed).toMatchObject({ status: 'approved', totalCents: 126_900, depositCents: 126_900 })
    // the office books it although the money is still to come
    await business.api.ok(quotesApi.convert, {
      params: { id: quote.id },
      body: { startOn: today(), version: signed.version },
    })
    const [, next] = await jobsAt(place.propertyId)
    expect(next?.startOn).toBe(startsOn())
    const { lines } = await business.api.ok(jobsApi.get, { params: { id: next?.id ?? '' } })
    expect(lines[0]?.unitPriceCents).toBe(4230)
  })

  it('a no and a wish for changes are told from each other; another price typed in a browser signs nothing', async () => {
    const places = await lawns(3)
    await book(places.map((place) => mowing(place)))
    const run = await send(await create())
    const [a, b, c] = await Promise.all([0, 1, 2].map((at) => quoteOf(run.id, at)))
    expect((await post(`${a?.publicPath}/decline`, { reason: 'price', words: '' })).status).toBe(303)
    expect((await post(`${b?.publicPath}/changes`, { words: 'Every two weeks, please' })).status).toBe(303)
    expect((await post(`${c?.publicPath}/sign`, { signer: 'Me Myself', agree: '1', expected: '100' })).status).toBe(409)
    await runTasks()
    const now = await get(run.id)
    expect(now.counts).toMatchObject({ declined: 1, changes: 1, waiting: 1 })
    expect(now).toMatchObject({ lostCents: 135_000, waitingCents: 282_000 })
    for (const place of places) expect(await jobsAt(place.propertyId)).toHaveLength(1)
    expect((await rows(run.id, { answer: 'changes' })).map(({ quote }) => quote?.id)).toEqual([b?.id])
  })
})

describe('taken back', () => {
  it('what nobody answered is closed, its mails do not leave, its job renews as before; what was signed stays', async () => {
    const programId = await aProgram()
    const [a, b] = await lawns(2)
    if (!a || !b) throw new Error('no lawns')
    await book([onProgram(a, programId), onProgram(b, programId)])
    const run = await send(await create())
    const [first, second] = [await quoteOf(run.id, 0), await quoteOf(run.id, 1)]
    await sign(first)
    await runTasks()
    const now = await get(run.id)
    await business.api.ok(renewalsApi.withdraw, { params: { id: run.id }, body: { version: now.version } })
    await runTasks()
    expect(await get(run.id)).toMatchObject({ status: 'withdrawn', counts: { accepted: 1, withdrawn: 1, waiting: 0 } })
    expect((await open(second.publicPath ?? '')).status).toBe(404)
    expect((await sign(second)).status).toBe(404)
    // what never left was with nobody: neither is it counted as sent nor in "All"
    expect(await business.api.ok(quoteAnalyticsApi.get, { query: { days: 30 } as never })).toMatchObject({
      sent: 1,
      won: 1,
    })
    const { counts } = await business.api.ok(quotesApi.list, {})
    expect(counts).toMatchObject({ all: 1, archived: 1 })
    const [job] = await jobsAt(b.propertyId)
    expect(job).toMatchObject({ programRenews: true, renewedAs: null })
    const sent = await business.db((db) =>
      db
        .selectFrom('messages')
        .select(['status', 'entityId'])
        .where('businessId', '=', business.id)
        .where('entityType', '=', 'quote')
        .where('entityId', '=', second.id)
        .execute(),
    )
    expect(sent.map(({ status }) => status)).toEqual(['suppressed'])
  })
})

describe('by itself', () => {
  it('renews after its day unless somebody said no, once, and says so on its page', async () => {
    const [a, b] = await lawns(2)
    if (!a || !b) throw new Error('no lawns')
    await book([mowing(a), mowing(b)])
    const run = await send(await create({ mode: 'auto' }))
    const [first, second] = [await quoteOf(run.id, 0), await quoteOf(run.id, 1)]
    expect(first.followOn).toBeNull()
    expect((await open(first.publicPath ?? '')).text).toContain('renews by itself after')
    await fate(first.id, 'sent')
    await post(`${second.publicPath}/decline`, { reason: 'timing', words: '' })
    await lookAfterQuotes.run({} as never)
    await runTasks()
    expect(await jobsAt(a.propertyId)).toHaveLength(1)
    const after = addDays(answerBy(), 1)
    setClock(() => new Date(`${after}T18:00:00Z`))
    for (let turn = 0; turn < 2; turn++) await lookAfterQuotes.run({} as never)
    await runTasks()
    expect(await jobsAt(a.propertyId)).toHaveLength(2)
    expect(await jobsAt(b.propertyId)).toHaveLength(1)
    expect((await open(first.publicPath ?? '')).text).toContain('This season renewed by itself on')
    resetClock()
    expect(await rows(run.id)).toMatchObject([{ answer: 'accepted', byItself: true }, { answer: 'declined' }])
    expect((await business.api.ok(quotesApi.get, { params: { id: first.id } })).signature).toMatchObject({
      way: 'notice',
      note: expect.stringContaining('nobody said no'),
    })
  })
})

describe('by itself, and the notice', () => {
  const dayAfter = async () => {
    const after = addDays(answerBy(), 1)
    setClock(() => new Date(`${after}T18:00:00Z`))
    for (let turn = 0; turn < 2; turn++) await lookAfterQuotes.run({} as never)
    await runTasks()
    resetClock()
  }

  it.each(['failed', 'suppressed', 'unknown', 'pending'] as const)(
    '%s: signs nothing, books nothing, and says so where the office looks',
    async (status) => {
      const [a] = await lawns(1)
      if (!a) throw new Error('no lawn')
      await book([mowing(a)])
      const run = await send(await create({ mode: 'auto' }))
      const quote = await quoteOf(run.id)
      await fate(quote.id, status)
      await dayAfter()
      expect(await jobsAt(a.propertyId)).toHaveLength(1)
      const [row] = await rows(run.id, { answer: 'undelivered' })
      expect(row).toMatchObject({ answer: 'undelivered', byItself: false, nextJob: null })
      expect(row?.problem).toContain('The notice did not arrive')
      if (status === 'failed') expect(row?.problem).toContain('e-mail: The mailbox is not there')
      expect((await get(run.id)).counts).toMatchObject({ undelivered: 1, no_answer: 0, waiting: 0 })
      const params = { id: quote.id }
      const after = await business.api.ok(quotesApi.get, { params })
      expect(after).toMatchObject({ status: 'expired', signature: null })
      const { needs } = await business.api.ok(dashboardApi.get, {})
      expect((needs ?? []).filter(({ badge }) => badge === 'Not delivered')).toMatchObject([
        { path: expect.stringContaining(quote.id), action: { label: 'Send again' } },
      ])
      // sent again it waits anew, with a day of its own
      const next = await business.api.ok(quotesApi.revise, { params, body: { version: after.version } })
      await business.api.ok(quotesApi.send, { params, body: { mail: true, text: false, version: next.version } })
      expect(await rows(run.id)).toMatchObject([{ answer: 'waiting' }])
    },
  )

  it('one way that arrived is enough', async () => {
    const [a] = await lawns(1)
    if (!a) throw new Error('no lawn')
    await business.db((db) =>
      db.updateTable('customers').set({ phone: '+19125550147' }).where('businessId', '=', business.id).execute(),
    )
    await book([mowing(a)])
    const run = await send(await create({ mode: 'auto', byText: true }))
    const quote = await quoteOf(run.id)
    await fate(quote.id, 'failed')
    await business.db((db) =>
      db
        .updateTable('messages')
        .set({ status: 'delivered' })
        .where('businessId', '=', business.id)
        .where('entityId', '=', quote.id)
        .where('channel', '=', 'sms')
        .execute(),
    )
    await dayAfter()
    expect(await rows(run.id)).toMatchObject([{ answer: 'accepted', byItself: true, problem: '' }])
    expect(await jobsAt(a.propertyId)).toHaveLength(2)
  })
})

it('is for who handles money, and of no other business', async () => {
  const [place] = await lawns(1)
  if (!place) throw new Error('no lawn')
  await book([mowing(place)])
  const run = await create()
  const other = await aBusiness()
  const crew = await business.employee()
  expect((await crew.api.call(renewalsApi.get, { params: { id: run.id } })).status).toBe(403)
  expect((await other.api.call(renewalsApi.get, { params: { id: run.id } })).status).toBe(404)
  expect((await other.api.call(renewalsApi.rows, { params: { id: run.id }, query: {} as never })).status).toBe(404)
  expect(
    (await other.api.call(renewalsApi.withdraw, { params: { id: run.id }, body: { version: run.version } })).status,
  ).toBe(404)
  expect(addMonths(run.startsOn, 0)).toBe(startsOn())
})
