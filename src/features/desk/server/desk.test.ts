import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { withProspects } from '../../../platform/db/prospects.ts'
import { newId } from '../../../platform/ids.ts'
import { dayOf, instantAt } from '../../../shared/dates.ts'
import { type Api, renewTestServer, runTasks, stranger } from '../../../test/api.ts'
import { anOwner, aProspect } from '../../../test/prospects.ts'
import { callsApi } from '../../prospects/calls/contract.ts'
import { queueProspectMessage } from '../../prospects/outbox/server/commands.ts'
import { deskApi } from '../contract.ts'

let owner: Api
const at = (iso: string) => setClock(() => new Date(iso))
const mail = { subject: 'Hello', message: 'Look at https://swath.example/pricing and https://swath.example/faq.' }
const safari = { 'user-agent': 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18 Safari/605.1.15' }

beforeAll(async () => {
  // the desk has all prospects and calls there are, also those of other tests
  await renewTestServer()
  owner = await anOwner()
  await withProspects((db) => db.updateTable('settings').set({ postalAddress: '1 Mill Rd, Savannah, GA' }).execute())
})
afterEach(resetClock)

const one = async (leadId: string) => {
  const { emailMessages } = await owner.ok(deskApi.emails, { params: { leadId } })
  return emailMessages[0]
}

describe('leads', () => {
  it('are filtered, counted and paged on the server', async () => {
    const campaign = `c-${newId()}`
    for (let n = 0; n < 5; n++) await aProspect({ campaign, name: `Lead ${n}` })
    const first = await owner.ok(deskApi.leads, { query: { campaign, limit: 3 } })
    expect([first.leads.map((lead) => lead.name), first.total]).toEqual([['Lead 4', 'Lead 3', 'Lead 2'], 5])
    const rest = await owner.ok(deskApi.leads, { query: { campaign, limit: 3, cursor: first.nextCursor ?? '' } })
    expect([rest.leads.map((lead) => lead.name), rest.nextCursor]).toEqual([['Lead 1', 'Lead 0'], null])
    await owner.ok(deskApi.setStatus, { params: { leadId: first.leads[0]?._id ?? '' }, body: { status: 'closed' } })
    const closed = await owner.ok(deskApi.leads, { query: { campaign, status: 'closed' } })
    expect(closed.leads.map((lead) => lead.name)).toEqual(['Lead 4'])
    const none = await owner.ok(deskApi.leads, { query: { campaign, source: 'google_ads' } })
    expect(none.total).toBe(0)
  })

  it('by days are those of the zone of the settings, both ends with', async () => {
    const campaign = `c-${newId()}`
    at('2026-03-08T03:30:00Z') // 10:30 PM on March 7 in New York
    await aProspect({ campaign })
    const count = async (dateFrom: string, dateTo: string) =>
      (await owner.ok(deskApi.leads, { query: { campaign, dateFrom, dateTo } })).total
    expect(await count('2026-03-07', '2026-03-07')).toBe(1)
    expect(await count('2026-03-08', '2026-03-08')).toBe(0)
  })

  it('cannot be read by anybody else, nor by a wrong page', async () => {
    expect((await stranger.call(deskApi.leads, { query: {} })).status).toBe(401)
    expect((await owner.call(deskApi.leads, { query: { cursor: "x' or 1=1" } })).status).toBe(422)
    expect((await owner.call(deskApi.leads, { query: { dateFrom: '2026-02-30' } })).status).toBe(422)
    expect((await owner.call(deskApi.emails, { params: { leadId: newId() } })).status).toBe(404)
  })

  it('take any status, in any order', async () => {
    const leadId = await aProspect()
    for (const status of ['converted', 'new', 'closed', 'qualified'] as const)
      expect((await owner.ok(deskApi.setStatus, { params: { leadId }, body: { status } })).status).toBe(status)
    expect(
      (await owner.call(deskApi.setStatus, { params: { leadId }, body: { status: 'lost' as never } })).status,
    ).toBe(422)
  })
})

describe('writing', () => {
  it('makes a new lead contacted, once however often the answer is lost', async () => {
    const leadId = await aProspect()
    const key = { 'idempotency-key': newId() }
    const [a, b] = await Promise.all([
      owner.ok(deskApi.sendEmail, { params: { leadId }, body: mail }, key),
      owner.ok(deskApi.sendEmail, { params: { leadId }, body: mail }, key),
    ])
    expect([a.status, b.emailTracking.length]).toEqual(['contacted', 1])
    const other = await owner.call(deskApi.sendEmail, { params: { leadId }, body: { ...mail, subject: 'Else' } }, key)
    expect(other.status).toBe(409)
    await owner.ok(deskApi.setStatus, { params: { leadId }, body: { status: 'closed' } })
    expect((await owner.ok(deskApi.sendText, { params: { leadId }, body: { message: 'Hi' } })).status).toBe('closed')
  })

  it('is refused while a coupon is missing, over 160 characters and to a shut address', async () => {
    const leadId = await aProspect()
    const gap = await owner.call(deskApi.sendEmail, {
      params: { leadId },
      body: { subject: 'Deal', message: 'Code [INSERT_COUPON]' },
    })
    expect([gap.status, gap.error.errors?.[0]?.message]).toEqual([422, expect.stringContaining('[INSERT_COUPON]')])
    const long = await owner.call(deskApi.sendText, { params: { leadId }, body: { message: 'x'.repeat(161) } })
    expect(long.status).toBe(422)
    const { email } = await withProspects((db) =>
      db.selectFrom('leads').select('email').where('id', '=', leadId).executeTakeFirstOrThrow(),
    )
    await withProspects((db) =>
      db
        .insertInto('suppressions')
        .values({ channel: 'email', address: email, reason: 'It bounced', at: clock.iso() })
        .execute(),
    )
    const refused = await owner.call(deskApi.sendEmail, { params: { leadId }, body: mail })
    expect([refused.status, refused.error.message]).toEqual([409, 'It bounced. Nothing was sent.'])
    expect((await owner.ok(deskApi.setStatus, { params: { leadId }, body: { status: 'new' } })).emailTracking).toEqual(
      [],
    )
  })

  it('fills in what was typed by hand, and takes nothing into a subject that breaks its line', async () => {
    const leadId = await aProspect({ name: 'Dana Fields' })
    const sent = await owner.ok(deskApi.sendEmail, {
      params: { leadId },
      body: { subject: 'For {name}', message: 'Hi {name}, pick a time: {scheduling_link}' },
    })
    expect(sent.emailTracking[0]).toMatchObject({ subject: 'For Dana', message: expect.stringContaining('/book-call') })
    const broken = await owner.call(deskApi.sendEmail, {
      params: { leadId },
      body: { subject: 'Hello\r\nBcc: a@b.test', message: 'x' },
    })
    expect([broken.status, broken.error.errors?.[0]?.message]).toEqual([422, expect.stringContaining('on one line')])
  })

  it('says of a text at night that it waits, and until when', async () => {
    const leadId = await aProspect()
    await withProspects((db) =>
      db.updateTable('leads').set({ timeZone: 'America/New_York' }).where('id', '=', leadId).execute(),
    )
    at('2026-06-16T03:30:00Z') // 11:30 PM on June 15 in New York
    const night = await anOwner()
    const held = await night.ok(deskApi.sendText, { params: { leadId }, body: { message: 'Hi' } })
    expect(held.smsTracking[0]).toMatchObject({ state: 'pending', waitsUntil: '2026-06-16T13:00:00.000Z' })
    at('2026-06-16T15:00:00Z')
    const day = await anOwner()
    const sent = await day.ok(deskApi.sendText, { params: { leadId }, body: { message: 'Hi again' } })
    expect(sent.smsTracking[0]?.waitsUntil).toBeNull()
  })

  it('counts opens against the mail that can tell of them', async () => {
    const leadId = await aProspect()
    await owner.ok(deskApi.sendEmail, { params: { leadId }, body: mail })
    await runTasks()
    const id = (await one(leadId))?._id ?? ''
    await withProspects((db) =>
      db.updateTable('messages').set({ openedAt: clock.iso(), openCount: 1 }).where('id', '=', id).execute(),
    )
    const before = await owner.ok(deskApi.analytics, {})
    expect(before.emailOpenRate).toBeGreaterThan(0)
    await withProspects((db) =>
      queueProspectMessage(db, {
        leadId,
        channel: 'email',
        purpose: 'transactional',
        address: 'by-itself@oak.test',
        subject: 'Your call is booked',
        text: 'x',
        dedupeKey: newId(),
      }),
    )
    await runTasks()
    const after = await owner.ok(deskApi.analytics, {})
    expect([after.emailsSent, after.emailOpenRate]).toEqual([before.emailsSent + 1, before.emailOpenRate])
  })

  it('deleted before it left, it does not leave; of another lead it is not found', async () => {
    const leadId = await aProspect()
    const lead = await owner.ok(deskApi.sendEmail, { params: { leadId }, body: mail })
    const messageId = lead.emailTracking[0]?._id ?? ''
    const remove = (of: string, messageType: 'email' | 'sms') =>
      owner.call(deskApi.removeMessage, { params: { leadId: of }, body: { messageId, messageType } })
    expect((await remove(await aProspect(), 'email')).status).toBe(404)
    expect((await remove(leadId, 'sms')).status).toBe(404)
    expect((await remove(leadId, 'email')).status).toBe(200)
    expect((await remove(leadId, 'email')).status).toBe(404)
    await runTasks()
    const row = await withProspects((db) =>
      db.selectFrom('messages').select(['status', 'sentAt']).where('id', '=', messageId).executeTakeFirstOrThrow(),
    )
    expect(row).toEqual({ status: 'suppressed', sentAt: null })
    const talks = await owner.ok(deskApi.leads, { query: { conversations: 'true' as never, search: lead.email } })
    expect(talks.total).toBe(0)
  })
})

describe('tracking', () => {
  const sent = async () => {
    const leadId = await aProspect()
    await owner.ok(deskApi.sendEmail, { params: { leadId }, body: mail })
    await runTasks()
    const { bodyHtml, sentAt } = await withProspects((db) =>
      db.selectFrom('messages').select(['bodyHtml', 'sentAt']).where('leadId', '=', leadId).executeTakeFirstOrThrow(),
    )
    const found = (bodyHtml ?? '').match(/\/[co]\/[\w.-]+/g) ?? []
    const later = (ms: number) => setClock(() => new Date(Date.parse(sentAt ?? '') + ms))
    return {
      leadId,
      html: bodyHtml ?? '',
      links: found.filter((url) => url.startsWith('/c/')),
      pixel: found.find((url) => url.startsWith('/o/')) ?? '',
      later,
    }
  }
  const get = (url: string, headers: Record<string, string> = safari, method: 'GET' | 'HEAD' = 'GET') =>
    stranger.raw({ method, url, headers })

  it('counts what a person opened and clicked, and nothing that a machine did', async () => {
    const { leadId, links, pixel, later, html } = await sent()
    expect(html).toContain('1 Mill Rd, Savannah, GA')
    expect(links).toHaveLength(2)
    later(5_000)
    expect((await get(pixel)).status).toBe(200)
    later(60_000)
    await get(pixel, { 'user-agent': 'Mozilla/5.0' })
    await get(pixel, { 'user-agent': 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)' })
    await get(links[0] ?? '', safari, 'HEAD')
    expect(await one(leadId)).toMatchObject({ opened: false, openCount: 0, clicked: false, delivered: false })
    await get(pixel)
    later(70_000)
    await get(pixel)
    const click = await get(links[0] ?? '')
    expect([click.status, click.headers.location]).toEqual([302, 'https://swath.example/pricing'])
    expect(await one(leadId)).toMatchObject({
      opened: true,
      openCount: 2,
      clicked: true,
      clickCount: 1,
      delivered: true,
    })
  })

  it('takes clicks back that turn out to be a scanner that follows every link', async () => {
    const { leadId, links, later } = await sent()
    later(60_000)
    await get(links[0] ?? '')
    expect(await one(leadId)).toMatchObject({ clickCount: 1, openCount: 1 })
    later(60_400)
    await get(links[1] ?? '')
    expect(await one(leadId)).toMatchObject({ clicked: false, clickCount: 0, opened: false })
  })

  it('leads nowhere for a token that nobody signed', async () => {
    const { links, pixel } = await sent()
    for (const url of [
      `${links[0]?.slice(0, -2)}aa`,
      links[0]?.replace('/c/', '/o/') ?? '',
      pixel.replace('/o/', '/c/'),
      '/c/https://evil.test',
      '/c/x',
    ]) {
      const answer = await get(url)
      expect([404, 302]).toContain(answer.status)
      if (answer.status === 302) expect(answer.headers.location).toBe('/')
    }
  })
})

describe('figures', () => {
  it('count leads with an account, customers, this week, and what people did', async () => {
    const before = await owner.ok(deskApi.analytics, {})
    const leadId = await aProspect()
    await withProspects((db) =>
      db
        .updateTable('leads')
        .set({ accountAt: clock.iso(), customerAt: clock.iso() })
        .where('id', '=', leadId)
        .execute(),
    )
    at(new Date(Date.now() - 8 * 86_400_000).toISOString())
    await aProspect()
    resetClock()
    await owner.ok(deskApi.sendEmail, { params: { leadId }, body: mail })
    await runTasks()
    const after = await owner.ok(deskApi.analytics, {})
    expect(after.totalLeads - before.totalLeads).toBe(2)
    expect(after.recentCount - before.recentCount).toBe(1)
    expect(after.recentLeads[0]?._id).toBe(leadId)
    expect(after.emailsSent - before.emailsSent).toBe(1)
    expect(after.totalConversations - before.totalConversations).toBe(1)
    expect(after.registrationConversionRate).toBeGreaterThan(0)
    expect(after.customerConversionRate).toBeGreaterThan(0)
  })
})

describe('templates', () => {
  it('come with the product, are changed and put back', async () => {
    const key = { channel: 'email', key: 'special_deals' } as const
    const of = async () =>
      (await owner.ok(deskApi.templates, {})).items.find(
        (one) => one.channel === 'email' && one.key === 'special_deals',
      )
    const first = await of()
    await owner.ok(deskApi.saveTemplate, { params: key, body: { subject: 'Ours', message: 'Mine' } })
    const changed = await of()
    expect(changed).toMatchObject({ subject: 'Ours', message: 'Mine', isChanged: true })
    const old = { params: key, body: { message: 'Blind', version: first?.version ?? -1 } }
    const refused = await owner.call(deskApi.saveTemplate, old)
    expect(refused.body).toMatchObject({ code: 'version_conflict', details: { version: changed?.version } })
    await owner.ok(deskApi.saveTemplate, { params: key, body: { message: 'Seen', version: changed?.version ?? -1 } })
    expect(await of()).toMatchObject({ subject: 'Ours', message: 'Seen' })
    await owner.ok(deskApi.saveTemplate, { params: key, body: null })
    expect(await of()).toEqual(first)
    const wrong = await owner.call(deskApi.saveTemplate, {
      params: { channel: 'email', key: 'meeting_reminder' },
      body: { subject: 'x', message: 'x' },
    })
    expect(wrong.status).toBe(404)
  })
})

it('settings are kept, checked, and not overwritten from an old tab', async () => {
  const first = await owner.ok(deskApi.settings, {})
  const save = (changes: object) =>
    owner.call(deskApi.saveSettings, { body: { version: first.version, ...changes } as never })
  expect((await save({ timeZone: 'Mars/Base' })).status).toBe(422)
  expect((await save({ callHours: { 1: [[600, 540]] } })).status).toBe(422)
  expect((await save({ callHours: { 7: [[540, 600]] } })).status).toBe(422)
  const saved = await save({ callHours: { 1: [[540, 600]] }, monthlyAdmissions: 12 })
  expect(saved.body).toMatchObject({
    callHours: { 1: [[540, 600]] },
    monthlyAdmissions: 12,
    version: first.version + 1,
  })
  expect((await save({ monthlyAdmissions: 3 })).body).toMatchObject({
    code: 'version_conflict',
    details: { version: first.version + 1 },
  })
  const { version: _, holidayCalls: __, ...back } = first
  await owner.ok(deskApi.saveSettings, { body: { ...back, version: first.version + 1 } })
})

describe('days without calls', () => {
  const save = async (changes: object) =>
    owner.call(deskApi.saveSettings, {
      body: { version: (await owner.ok(deskApi.settings, {})).version, ...changes } as never,
    })
  afterEach(() => save({ holidays: [] }))
  const slotsOf = async (): Promise<string[]> =>
    (await owner.ok(callsApi.slotsForOwner, { query: { minutes: 30 } })).slots

  it('offer no time to anybody; the call that is booked there stands and is named', async () => {
    const { timeZone } = await owner.ok(deskApi.settings, {})
    const [first = ''] = await slotsOf()
    const leadId = await aProspect({ name: 'Hollis Day' })
    const call = await owner.ok(callsApi.bookForLead, { params: { leadId }, body: { startsAt: first } })
    const [, next = ''] = [...new Set((await slotsOf()).map((slot) => dayOf(slot, timeZone)))]
    const day = dayOf(first, timeZone)
    const saved = await save({ holidays: [next, day, next, '2020-12-25'] })
    expect(saved.body.holidays).toEqual([day, next].sort())
    expect(saved.body.holidayCalls).toEqual([{ callId: call._id, name: 'Hollis Day', title: 'Demo', startsAt: first }])
    const days = (await slotsOf()).map((slot) => dayOf(slot, timeZone))
    expect([days.includes(day), days.includes(next), days.length > 0]).toEqual([false, false, true])
    const open = await stranger.ok(callsApi.slots, { query: {} })
    expect(open.slots.some((slot) => [day, next].includes(dayOf(slot, timeZone)))).toBe(false)
    const late = await owner.call(callsApi.bookForLead, {
      params: { leadId: await aProspect() },
      body: { startsAt: instantAt(next, 600, timeZone) },
    })
    expect(late.status).toBe(409)
    const { calls } = await owner.ok(callsApi.ofLead, { params: { leadId } })
    expect(calls.map(({ status }) => status)).toEqual(['booked'])
    await owner.ok(callsApi.ownerCancel, { params: { callId: call._id } })
    expect((await owner.ok(deskApi.settings, {})).holidayCalls).toEqual([])
  })

  it('are days, and not without end', async () => {
    expect((await save({ holidays: ['2027-02-30'] })).status).toBe(422)
    expect((await save({ holidays: Array(401).fill('2027-02-01') })).status).toBe(422)
    expect(
      (
        await save({
          callHours: {
            1: [
              [540, 720],
              [700, 800],
            ],
          },
        })
      ).error.errors?.[0]?.message,
    ).toBe('Hours of one day follow each other.')
  })
})
