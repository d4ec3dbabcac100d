import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { hmacToken } from '../../../../platform/keys.ts'
import { runTasks, stranger, testServer } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import {
  aLead,
  anApplicant,
  answersOfDana,
  aVisitor,
  freeTimes,
  type Prospect,
  theOwner,
} from '../../../../test/funnel.ts'
import { applicationApi } from '../../application/contract.ts'
import { callsApi } from '../../calls/contract.ts'
import { feeApi } from '../../fee/contract.ts'
import { sprintApi } from '../contract.ts'
import { noteMilestones } from './milestones.ts'
import { walkSprints } from './tasks.ts'

beforeAll(testServer)
afterEach(resetClock)

const later = (at: string, minutes = 0) => {
  const ms = Date.parse(at) + minutes * 60_000
  setClock(() => new Date(ms))
}

/** Leaves so many places in this month. */
const leave = async (places: number) => {
  const { limit, left } = await aVisitor().ok(sprintApi.places, {})
  await withProspects((db) =>
    db
      .updateTable('settings')
      .set({ monthlyAdmissions: limit - left + places })
      .execute(),
  )
}
const mailedToken = async ({ leadId }: { leadId: string }) => {
  const row = await withProspects((db) =>
    db.selectFrom('applications').select('id').where('leadId', '=', leadId).executeTakeFirstOrThrow(),
  )
  return hmacToken('link', `prospect-application:${row.id}`)
}
const cardNumber = '4242 4242 4242 4242'
const body = { note: '' }
const params = (lead: { leadId: string }) => ({ leadId: lead.leadId })
const admitted = async (email?: string): Promise<Prospect & { mailed: string }> => {
  await leave(3)
  const lead = await anApplicant(email ? { email } : {})
  await (await theOwner()).ok(sprintApi.admit, { params: params(lead), body })
  return { ...lead, mailed: await mailedToken(lead) }
}

describe('an application', () => {
  it('is kept as it is given, resumed by its token, and sent once all six are answered', async () => {
    const { api, token, leadId, email } = await aLead()
    const own = { params: { token } }
    const saved = await api.ok(applicationApi.save, {
      ...own,
      body: { answers: { businessName: 'Fields', role: 'Owner', evil: 'x' } },
    })
    expect(saved).toMatchObject({
      answers: { businessName: 'Fields', role: 'Owner' },
      nextQuestion: 1,
      submittedAt: null,
    })
    const early = await api.call(applicationApi.submit, own)
    expect(early.status).toBe(422)
    expect(early.error.errors?.map(({ path }) => path)).toEqual([
      'customerCount',
      'teamSize',
      'routesToday',
      'mostTime',
      'liveWhen',
      'bothCalls',
    ])
    await api.ok(applicationApi.save, { ...own, body: { answers: answersOfDana } })
    expect((await api.ok(applicationApi.get, own)).nextQuestion).toBe(6)
    const sent = await api.ok(applicationApi.submit, own)
    const again = await api.ok(applicationApi.submit, own)
    expect(again.submittedAt).toBe(sent.submittedAt)
    expect((await api.call(applicationApi.save, { ...own, body: { answers: { role: 'x' } } })).status).toBe(409)
    await runTasks()
    const mails = await withProspects((db) =>
      db
        .selectFrom('messages')
        .select(['subject', 'status', 'address', 'bodyText'])
        .where('leadId', '=', leadId)
        .execute(),
    )
    expect(mails.map(({ subject, status, address }) => ({ subject, status, address }))).toEqual([
      { subject: 'We have your application', status: 'sent', address: email },
    ])
    const seen = await (await theOwner()).ok(sprintApi.ofLead, { params: { leadId } })
    expect(seen.answers[0]).toEqual({
      question: 'What is your business called, and what do you do there?',
      answer: 'Fields Lawn Care\nOwner',
    })
    expect(seen.sprint?.status).toBe('applied')
  })

  it('of a known address shows a stranger nothing of what was written under it', async () => {
    const lead = await admitted()
    const stranger = await aLead({ email: lead.email })
    const seen = await stranger.api.ok(applicationApi.get, { params: { token: stranger.token } })
    expect(seen).toMatchObject({ answers: {}, submittedAt: null, sprint: null, calls: [], fromMail: false })
    const own = await lead.api.ok(applicationApi.get, { params: { token: lead.mailed } })
    expect(own).toMatchObject({ fromMail: true, sprint: { status: 'admitted' } })
  })
})

describe('admission', () => {
  it('eight at once into three places: three get in', async () => {
    const leads = await Promise.all(Array.from({ length: 8 }, () => anApplicant()))
    await leave(3)
    const owner = await theOwner()
    const answers = await Promise.all(leads.map((lead) => owner.call(sprintApi.admit, { params: params(lead), body })))
    expect(answers.filter(({ status }) => status === 200).length).toBe(3)
    expect(answers.find(({ status }) => status === 409)?.error.message).toContain('are taken')
    expect((await aVisitor().ok(sprintApi.places, {})).left).toBe(0)
    await leave(5)
    const twice = leads[answers.findIndex(({ status }) => status === 200)]
    if (twice) await owner.ok(sprintApi.admit, { params: params(twice), body })
    expect((await aVisitor().ok(sprintApi.places, {})).left).toBe(5)
  })

  it('counts by the month of the product owner, whose day may not be the one of the clock', async () => {
    await leave(5)
    later('2027-07-01T03:30:00.000Z') // half past eleven in the evening of June 30 in New York
    const lead = await anApplicant()
    const before = await aVisitor().ok(sprintApi.places, {})
    const seen = await (await theOwner()).ok(sprintApi.admit, { params: params(lead), body })
    expect([before.month, seen.sprint?.admittedMonth, seen.places.left]).toEqual([
      '2027-06',
      '2027-06',
      before.left - 1,
    ])
    later('2027-07-01T04:00:00.000Z')
    const next = await aVisitor().ok(sprintApi.places, {})
    expect([next.month, next.left]).toEqual(['2027-07', next.limit])
  })

  it('answers each application once, by mail; the place of an admitted one is used', async () => {
    const owner = await theOwner()
    const lead = await anApplicant()
    await leave(2)
    expect(
      (await owner.ok(sprintApi.decline, { params: params(lead), body: { note: 'Too far' } })).sprint?.status,
    ).toBe('declined')
    expect((await owner.ok(sprintApi.queue, { params: params(lead), body })).sprint?.status).toBe('queued')
    expect((await owner.ok(sprintApi.admit, { params: params(lead), body })).sprint?.status).toBe('admitted')
    expect((await owner.ok(sprintApi.admit, { params: params(lead), body })).sprint?.status).toBe('admitted')
    expect((await owner.call(sprintApi.decline, { params: params(lead), body })).status).toBe(409)
    await runTasks()
    const mails = await withProspects((db) =>
      db
        .selectFrom('messages')
        .select('subject')
        .where('leadId', '=', lead.leadId)
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),
    )
    expect(mails.map(({ subject }) => subject)).toEqual([
      'We have your application',
      'About your application',
      'Your application is on the list',
      'You are in: your Setup Sprint',
    ])
  })
})

describe('a Setup Sprint', () => {
  const bookFor = async (lead: { api: Prospect['api']; mailed: string }, at?: string) => {
    const startsAt = at ?? (await freeTimes())[0] ?? ''
    return lead.api.ok(callsApi.book, { body: { token: lead.mailed, startsAt, timeZone: 'America/New_York' } })
  }

  it('begins with call 1 and follows it when it is moved or canceled', async () => {
    const lead = await admitted()
    const call = await bookFor(lead)
    expect(call.kind).toBe('sprint_1')
    const status = async () => (await lead.api.ok(applicationApi.get, { params: { token: lead.mailed } })).sprint
    expect((await status())?.startedAt).toBe(call.startsAt)
    const to = (await freeTimes())[5] ?? ''
    await lead.api.ok(callsApi.reschedule, { params: { token: call.token }, body: { startsAt: to, timeZone: 'UTC' } })
    expect((await status())?.startedAt).toBe(to)
    expect(Date.parse((await status())?.endsAt ?? '') - Date.parse(to)).toBeGreaterThan(13.9 * 86_400_000)
    await lead.api.ok(callsApi.cancel, { params: { token: call.token } })
    expect(await status()).toMatchObject({ startedAt: null, endsAt: null, status: 'admitted' })
  })

  it('has both calls booked from the start, each with its own link, beside whatever else was booked', async () => {
    const lead = await admitted()
    const times = await freeTimes()
    const book = (kind: 'sprint_1' | 'sprint_2', at: number) =>
      lead.api.call(callsApi.book, {
        body: { token: lead.mailed, startsAt: times[at] ?? '', timeZone: 'America/New_York', kind },
      })
    await lead.api.ok(callsApi.book, {
      body: { token: lead.token, minutes: 20, startsAt: times[0] ?? '', timeZone: 'America/New_York' },
    })
    expect((await book('sprint_2', 8)).error.message).toContain('Book call 1 first')
    expect((await book('sprint_1', 4)).body).toMatchObject({ kind: 'sprint_1' })
    expect((await book('sprint_2', 2)).error.message).toContain('Call 2 comes after call 1')
    expect((await book('sprint_2', 8)).body).toMatchObject({ kind: 'sprint_2' })
    const { calls } = await lead.api.ok(applicationApi.get, { params: { token: lead.mailed } })
    expect(calls.map(({ kind }) => kind)).toEqual(['sprint_2', 'sprint_1', 'intro'])
    expect(new Set(calls.map(({ token }) => token)).size).toBe(3)
    const second = calls[0]
    const to = { startsAt: times[3] ?? '', timeZone: 'America/New_York' }
    const early = await lead.api.call(callsApi.reschedule, { params: { token: second?.token ?? '' }, body: to })
    expect(early.error.message).toContain('Call 2 comes after call 1')
    // A browser that applied opens nothing of the Sprint; its reader has the link.
    const strange = { token: lead.token, startsAt: times[10] ?? '', timeZone: 'UTC', kind: 'sprint_2' as const }
    expect((await lead.api.call(callsApi.book, { body: strange })).status).toBe(409)
  })

  it('is known to the browser that applied, unless somebody else applied under the same address', async () => {
    const lead = await admitted()
    const seen = () => lead.api.ok(applicationApi.get, { params: { token: lead.token } })
    expect(await seen()).toMatchObject({ decision: 'admitted', sprint: null })
    await anApplicant({ email: lead.email })
    expect(await seen()).toMatchObject({ decision: null, sprint: null })
  })

  it('ticks what the business does; events carry nothing but whose they are', async () => {
    const business = await aBusiness()
    const lead = await admitted(business.owner.email)
    await bookFor(lead)
    expect(
      (await business.api.ok(sprintApi.mine, {})).sprint?.steps.find(({ step }) => step === 'invoice_sent')?.state,
    ).toBe('open')
    await business.db(async (db) => {
      const now = clock.iso()
      await db
        .updateTable('businesses')
        .set({ phone: '9125550100', street: '1 Main', city: 'Savannah' })
        .where('businessId', '=', business.id)
        .execute()
      await db
        .insertInto('customers')
        .values({ businessId: business.id, id: lead.leadId, name: 'Maria Secret', createdAt: now, updatedAt: now })
        .execute()
    })
    const seen = await business.api.ok(sprintApi.mine, {})
    const open = seen.sprint?.steps.filter(({ state }) => state === 'open').map(({ step }) => step)
    expect(open).not.toContain('profile_activated')
    expect(open).not.toContain('customers_imported')
    expect(open).toContain('route_planned')
    await noteMilestones({ businessId: business.id })
    const { ticks, row } = await withProspects(async (db) => ({
      row: await db.selectFrom('leads').selectAll().where('id', '=', lead.leadId).executeTakeFirstOrThrow(),
      ticks: await db
        .selectFrom('sprintSteps')
        .innerJoin('sprints', 'sprints.id', 'sprintSteps.sprintId')
        .select(['step', 'doneBy'])
        .where('leadId', '=', lead.leadId)
        .execute(),
    }))
    expect(ticks.map(({ step }) => step)).toEqual(expect.arrayContaining(['customers_imported', 'profile_activated']))
    expect(row).toMatchObject({ accountBusinessId: business.id })
    expect(row.customerAt).not.toBeNull()
    expect(JSON.stringify({ ticks, row })).not.toContain('Maria')
    // A business without a Sprint sees none, an employee is not asked.
    expect((await (await aBusiness()).api.ok(sprintApi.mine, {})).sprint).toBeNull()
  })

  it('with a step missed at call 2 makes the fee due, which is confirmed or waived', async () => {
    const owner = await theOwner()
    const lead = await admitted()
    expect((await owner.call(sprintApi.confirmFee, { params: params(lead), body })).status).toBe(409)
    const first = await bookFor(lead)
    later(first.startsAt, 30)
    const { token } = { token: await theOwner() }
    await token.ok(callsApi.mark, { params: { callId: first._id }, body: { status: 'held' } })
    const second = await bookFor(lead, (await freeTimes()).at(8))
    expect(second.kind).toBe('sprint_2')
    await walkSprints.run({})
    expect((await (await theOwner()).ok(sprintApi.ofLead, { params: params(lead) })).sprint?.status).toBe('running')
    later(second.startsAt, 1)
    await walkSprints.run({})
    const again = await theOwner()
    const due = await again.ok(sprintApi.ofLead, { params: params(lead) })
    expect(due.sprint).toMatchObject({ status: 'missed', feeStatus: 'due', feeCents: 29_900 })
    expect((await again.ok(sprintApi.confirmFee, { params: params(lead), body })).sprint?.feeStatus).toBe('confirmed')
    const own = { params: { token: lead.mailed } }
    const { url } = await lead.api.ok(feeApi.pay, own)
    expect(
      (await again.ok(sprintApi.waiveFee, { params: params(lead), body: { note: 'Was ill' } })).sprint?.feeStatus,
    ).toBe('waived')
    // Waived: the page that was open cannot be paid any more.
    const sessionId = url.split('/').at(-1) ?? ''
    const paid = await stranger.call(localPaymentsApi.pay, { params: { sessionId }, body: { cardNumber } })
    expect(paid.error.message).toContain('has expired')
    expect((await lead.api.call(feeApi.pay, own)).error.message).toContain('waived')
    expect((await again.call(sprintApi.confirmFee, { params: params(lead), body })).status).toBe(409)
  })

  it('is finished when every step is ticked in time', async () => {
    const owner = await theOwner()
    const lead = await admitted()
    const first = await bookFor(lead)
    for (const step of [
      'services_and_prices',
      'customers_imported',
      'crews_invited',
      'route_planned',
      'invoice_sent',
      'profile_activated',
      'team_set_up',
      'call_2',
    ] as const)
      await owner.ok(sprintApi.tick, { params: params(lead), body: { step, done: true } })
    later(first.startsAt, 25)
    const then = await theOwner()
    await then.ok(callsApi.mark, { params: { callId: first._id }, body: { status: 'held' } })
    await walkSprints.run({})
    const done = await then.ok(sprintApi.ofLead, { params: params(lead) })
    expect(done.sprint).toMatchObject({ status: 'finished', feeStatus: 'none' })
  })
})
