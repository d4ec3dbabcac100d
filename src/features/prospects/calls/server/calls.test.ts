import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { runTasks, testServer } from '../../../../test/api.ts'
import { aLead, aVisitor, freeTimes, type Prospect, theOwner } from '../../../../test/funnel.ts'
import { callsApi, type OwnCall } from '../contract.ts'

beforeAll(testServer)
afterEach(resetClock)

const timeZone = 'America/Chicago'
const book = (lead: Prospect, startsAt: string, minutes: 20 | 30 = 20) =>
  lead.api.call(callsApi.book, { body: { token: lead.token, startsAt, timeZone, minutes } })
const booked = async (minutes: 20 | 30 = 20): Promise<Prospect & { call: OwnCall }> => {
  const lead = await aLead()
  const { status, body, error } = await book(lead, (await freeTimes(minutes)).at(0) ?? '', minutes)
  expect(status, error?.message).toBe(200)
  return { ...lead, call: body }
}
const mails = (leadId: string) =>
  withProspects((db) =>
    db.selectFrom('messages').selectAll().where('leadId', '=', leadId).orderBy('createdAt').orderBy('id').execute(),
  )
const refused = {
  status: 409,
  message: 'This time has just been taken. Nothing was booked; please choose another one.',
}

describe('booking a call', () => {
  it('takes a free time, tells both sides with a calendar file, and the time is gone', async () => {
    const lead = await aLead()
    const [first = '', second = ''] = await freeTimes()
    const { body: call } = await book(lead, first)
    expect(call).toMatchObject({ kind: 'intro', minutes: 20, startsAt: first, status: 'booked', timeZone })
    expect(await freeTimes()).not.toContain(first)
    expect(await freeTimes()).toContain(second)
    await runTasks()
    const [mail] = await mails(lead.leadId)
    expect(mail).toMatchObject({ status: 'sent', subject: 'Your call is booked', address: lead.email })
    expect(mail?.bodyText).toContain('Central Time')
    expect(mail?.bodyText).toContain(`/book-call#call=${call.token}`)
    const [file] = (mail?.attachments ?? []) as { name: string; mime: string; content: string }[]
    expect(file?.mime).toContain('method=REQUEST')
    const lines = (file?.content ?? '').split('\r\n')
    const stamp = first.replace(/[-:]/g, '').replace('.000', '')
    expect(lines).toContain(`DTSTART:${stamp}`)
    expect(lines).toContain('SEQUENCE:0')
    expect(lines).toContain('METHOD:REQUEST')
    expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    const internal = await withProspects((db) =>
      db
        .selectFrom('messages')
        .selectAll()
        .where('dedupeKey', '=', `call:${call._id}:booked:0:internal`)
        .executeTakeFirst(),
    )
    expect(internal).toMatchObject({ status: 'sent', replyTo: lead.email, purpose: 'internal' })
  })

  it('twenty at once for one time: one gets it, nineteen hear so', async () => {
    const leads = await Promise.all(Array.from({ length: 20 }, () => aLead()))
    const [time = ''] = await freeTimes()
    const answers = await Promise.all(leads.map((lead) => book(lead, time)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    for (const { status, error } of answers.filter((answer) => answer.status !== 200))
      expect({ status, message: error.message }).toEqual(refused)
    const rows = await withProspects((db) => db.selectFrom('calls').select('id').where('startsAt', '=', time).execute())
    expect(rows.length).toBe(1)
  })

  it('the doubled click is one call; a second one of the same kind is refused and names the first', async () => {
    const lead = await aLead()
    const [first = '', second = ''] = await freeTimes()
    const answers = await Promise.all([book(lead, first), book(lead, first)])
    const again = await book(lead, first)
    const ids = [...answers, again].filter(({ status }) => status === 200).map(({ body }) => body._id)
    expect(new Set(ids).size).toBe(1)
    const other = await book(lead, second)
    expect(other.status).toBe(409)
    expect(other.error.message).toContain('There is already a call on')
    // A demo beside it is another matter.
    expect((await book(lead, (await freeTimes(30))[0] ?? '', 30)).body.kind).toBe('demo')
  })

  it.each([
    ['in the past', '2020-01-06T15:00:00.000Z', timeZone, 409],
    ['outside the hours', '2027-01-03T03:07:00.000Z', timeZone, 409],
    ['in no zone', '2027-01-04T15:00:00.000Z', 'Mars/Base', 422],
    ['at no time', 'tomorrow', timeZone, 422],
  ])('refuses a time %s', async (_, startsAt, zone, expected) => {
    const lead = await aLead()
    const answer = await lead.api.call(callsApi.book, { body: { token: lead.token, startsAt, timeZone: zone } })
    expect(answer.status).toBe(expected)
    expect(await mails(lead.leadId)).toEqual([])
  })

  it('needs the token of an application', async () => {
    const [time = ''] = await freeTimes()
    const answer = await aVisitor().call(callsApi.book, { body: { token: 'x'.repeat(43), startsAt: time, timeZone } })
    expect(answer.status).toBe(404)
  })
})

describe('the link of a call', () => {
  it('shows it, moves it and keeps its identity in the calendar', async () => {
    const { api, leadId, call } = await booked()
    expect((await api.ok(callsApi.get, { params: { token: call.token } })).startsAt).toBe(call.startsAt)
    const to = (await freeTimes()).at(-1) ?? ''
    const moved = await api.ok(callsApi.reschedule, {
      params: { token: call.token },
      body: { startsAt: to, timeZone: 'America/New_York' },
    })
    expect(moved).toMatchObject({ _id: call._id, startsAt: to, timeZone: 'America/New_York' })
    expect(await freeTimes()).toContain(call.startsAt)
    const again = await api.ok(callsApi.reschedule, { params: { token: call.token }, body: { startsAt: to, timeZone } })
    expect(again.version).toBe(moved.version)
    const uid = /UID:(\S+)/.exec(call.ics)?.[1]
    expect(moved.ics).toContain(`UID:${uid}`)
    expect(moved.ics).toContain('SEQUENCE:1')
    await runTasks()
    expect((await mails(leadId)).map(({ subject }) => subject)).toEqual([
      'Your call is booked',
      'Your call has a new time',
    ])
  })

  it('cancels it once, frees the time and takes it out of the calendar', async () => {
    const { api, leadId, call } = await booked()
    const canceled = await api.ok(callsApi.cancel, { params: { token: call.token } })
    expect(canceled.status).toBe('canceled')
    expect(canceled.ics).toContain('METHOD:CANCEL')
    expect(canceled.ics).toContain('STATUS:CANCELLED')
    expect((await api.ok(callsApi.cancel, { params: { token: call.token } })).version).toBe(canceled.version)
    expect(await freeTimes()).toContain(call.startsAt)
    const move = await api.call(callsApi.reschedule, {
      params: { token: call.token },
      body: { startsAt: call.startsAt, timeZone },
    })
    expect(move.status).toBe(409)
    await runTasks()
    expect((await mails(leadId)).map(({ subject }) => subject)).toEqual([
      'Your call is booked',
      'Your call is canceled',
    ])
  })

  it('cannot move a call that has begun', async () => {
    const { api, call } = await booked()
    const to = (await freeTimes()).at(-1) ?? ''
    const later = Date.parse(call.startsAt) + 60_000
    setClock(() => new Date(later))
    const answer = await api.call(callsApi.reschedule, {
      params: { token: call.token },
      body: { startsAt: to, timeZone },
    })
    expect(answer.status).toBe(409)
  })

  it('two that move to the same time at once: one gets it', async () => {
    const pair = [await booked(), await booked()]
    const to = (await freeTimes()).at(-1) ?? ''
    const answers = await Promise.all(
      pair.map(({ api, call }) =>
        api.call(callsApi.reschedule, { params: { token: call.token }, body: { startsAt: to, timeZone } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

it('one call asked for again and again is stopped, the others behind the same address are not', async () => {
  const { api } = await aLead()
  const move = async (token: string) =>
    (await api.call(callsApi.reschedule, { params: { token }, body: { startsAt: new Date().toISOString(), timeZone } }))
      .status
  for (let count = 0; count < 25; count++) expect(await move(`${count}`.padEnd(43, 'x'))).toBe(404)
  const again = 'y'.repeat(43)
  for (let count = 0; count < 20; count++) expect(await move(again)).toBe(404)
  expect(await move(again)).toBe(429)
})

describe('the product owner', () => {
  it('books, moves, marks and cancels calls of a lead with the same engine', async () => {
    const owner = await theOwner()
    const lead = await aLead()
    const params = { leadId: lead.leadId }
    const { slots } = await owner.ok(callsApi.slotsForOwner, { query: { minutes: 30 } })
    const demo = await owner.ok(callsApi.bookForLead, {
      params,
      body: { startsAt: slots[0] ?? '', note: 'Shows routes' },
    })
    expect(demo).toMatchObject({ kind: 'demo', minutes: 30, bookedBy: 'owner', note: 'Shows routes' })
    const next = (await owner.ok(callsApi.slotsForOwner, { query: { minutes: 30 } })).slots.at(-1) ?? ''
    const callId = { callId: demo._id }
    expect((await owner.ok(callsApi.ownerReschedule, { params: callId, body: { startsAt: next } })).startsAt).toBe(next)
    expect((await owner.call(callsApi.mark, { params: callId, body: { status: 'held' } })).status).toBe(409)
    expect((await owner.ok(callsApi.ownerCancel, { params: callId })).status).toBe('canceled')
    expect((await owner.ok(callsApi.ofLead, { params })).calls.map(({ status }) => status)).toEqual(['canceled'])
    await runTasks()
    expect((await mails(lead.leadId)).map(({ subject }) => subject)).toEqual([
      'Your call is booked',
      'Your call has a new time',
      'Your call is canceled',
    ])
  })

  it('hears 404 for a lead or a call that is not there', async () => {
    const owner = await theOwner()
    const id = 'a0000000-0000-4000-8000-000000000000'
    const [time = ''] = await freeTimes(30)
    expect((await owner.call(callsApi.bookForLead, { params: { leadId: id }, body: { startsAt: time } })).status).toBe(
      404,
    )
    expect((await owner.call(callsApi.ownerCancel, { params: { callId: id } })).status).toBe(404)
  })
})
