import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { withProspects } from '../../../platform/db/prospects.ts'
import { newId } from '../../../platform/ids.ts'
import { runTasks, stranger, testServer } from '../../../test/api.ts'
import { tidyAll } from '../../system/server/tasks.ts'
import { leadsApi } from '../contract.ts'
import { queueProspectMessage, suppressProspect } from '../outbox/server/commands.ts'
import { consentLine } from '../rules.ts'

const anEmail = () => `${newId()}@lawn.test`
const contact = (email = anEmail()) => ({ name: 'Dana Fields', email, phone: '(912) 555-0123' })

/** Every test comes from another address, so that the limit of one is not the limit of all. */
let ip = 1
const from = (body: object, headers: Record<string, string> = {}) => {
  const remoteAddress = `10.1.${Math.floor(ip / 250)}.${ip++ % 250}`
  return stranger.raw({ method: 'POST', url: '/api/leads', payload: body, headers, remoteAddress })
}
const leadOf = (email: string) =>
  withProspects((db) => db.selectFrom('leads').selectAll().where('email', '=', email).executeTakeFirst())

beforeAll(testServer)
afterEach(resetClock)

describe('POST /api/leads', () => {
  it('stores the lead with everything that the form knows', async () => {
    const email = anEmail()
    const visitId = newId()
    await stranger.ok(leadsApi.visit, { body: { visitId, path: '/landing?utm_source=spring', utm_source: 'spring' } })
    const { status, body } = await from({
      name: '  Dana   Fields ',
      email: ` ${email.toUpperCase()} `,
      phone: '(912) 555-0123',
      source: 'landing_page',
      utm_source: 'spring',
      utm_medium: 'mail',
      utm_campaign: 'spring-2026',
      utm_content: 'a',
      utm_term: 'b',
      userAgent: 'Browser 1',
      platform: 'Linux',
      language: 'en-US',
      screenResolution: '1440x900',
      viewport: '1200x800',
      landingTime: '2026-06-12T10:00:00.000Z',
      referrer: 'https://example.test/',
      isMobile: true,
      currentUrl: 'https://swath.example/landing?utm_source=spring',
      timeZone: 'America/Chicago',
      visitId,
    })
    expect(status).toBe(200)
    const lead = await leadOf(email)
    expect(lead).toMatchObject({
      id: (body as { leadId: string }).leadId,
      name: 'Dana Fields',
      email,
      phone: '(912) 555-0123',
      phoneE164: '+19125550123',
      source: 'landing_page',
      campaign: 'spring-2026',
      status: 'new',
      utmSource: 'spring',
      utmMedium: 'mail',
      utmCampaign: 'spring-2026',
      utmContent: 'a',
      utmTerm: 'b',
      userAgent: 'Browser 1',
      platform: 'Linux',
      language: 'en-US',
      screenResolution: '1440x900',
      viewport: '1200x800',
      landingTime: '2026-06-12T10:00:00.000Z',
      referrer: 'https://example.test/',
      isMobile: true,
      currentUrl: 'https://swath.example/landing?utm_source=spring',
      timeZone: 'America/Chicago',
    })
    const proof = await withProspects(async (db) => ({
      views: await db.selectFrom('pageViews').select(['path', 'leadId']).where('visitId', '=', visitId).execute(),
      consents: await db
        .selectFrom('consentEvents')
        .select(['channel', 'action', 'wording', 'address'])
        .where('leadId', '=', lead?.id ?? '')
        .orderBy('channel')
        .execute(),
    }))
    expect(proof.views).toEqual([{ path: '/landing', leadId: lead?.id }])
    expect(proof.consents).toEqual([
      { channel: 'email', action: 'grant', wording: consentLine, address: email },
      { channel: 'sms', action: 'grant', wording: consentLine, address: '+19125550123' },
    ])
  })

  it.each([
    [{ name: '', email: 'a@b.co', phone: '9125550123' }, 'name', 'Please fill in all required fields'],
    [{}, 'name', 'Please fill in all required fields'],
    [{ name: 'A', email: 'a@b', phone: '9125550123' }, 'email', 'Please enter a valid email address'],
    [{ name: 'A', email: 'a@b.co\r\nBcc: x@y.co', phone: '9125550123' }, 'email', 'Please enter a valid email address'],
    [{ name: 'A', email: 'a@b.co', phone: '912-555-012' }, 'phone', 'Please enter a valid phone number'],
  ])('%j is refused in the words of the form', async (body, path, message) => {
    const { status, error } = await from(body)
    expect(status).toBe(422)
    expect(error.message).toBe('Validation error')
    expect(error.errors?.[0]).toEqual({ path, message })
  })

  it('takes an advertisement of Google for the source, and an application for its own', async () => {
    const [byClick, byName, direct] = [anEmail(), anEmail(), anEmail()]
    await from({ ...contact(byClick), gclid: 'abc' })
    await from({ ...contact(byName), utm_source: 'Google' })
    await from({ ...contact(direct), source: 'quote_builder_direct' })
    const sources = await Promise.all([byClick, byName, direct].map(async (email) => (await leadOf(email))?.source))
    expect(sources).toEqual(['google_ads', 'google_ads', 'quote_builder_direct'])
  })

  it('takes the advertisement of a later visit for a lead that came without one, and keeps it after', async () => {
    const email = anEmail()
    await from(contact(email))
    expect(await leadOf(email)).toMatchObject({ utmSource: '', campaign: '', source: 'landing_page' })
    await from({ ...contact(email), utm_source: 'google', utm_campaign: 'fall' })
    const fall = { utmSource: 'google', utmCampaign: 'fall', campaign: 'fall', source: 'google_ads' }
    expect(await leadOf(email)).toMatchObject(fall)
    await from(contact(email))
    await from({ ...contact(email), utm_source: 'fb', utm_campaign: 'winter' })
    expect(await leadOf(email)).toMatchObject(fall)
  })

  it('answers alike whether the address was known; the lead is brought up to date and keeps its first touch', async () => {
    const email = anEmail()
    const first = await from({ ...contact(email), utm_source: 'spring' })
    const again = await from({ ...contact(email), name: 'Dana F. Fields', utm_source: 'fall' })
    expect(again.status).toBe(first.status)
    expect(Object.keys(again.body)).toEqual(Object.keys(first.body))
    expect((again.body as { token: string }).token).not.toBe((first.body as { token: string }).token)
    // Version 4: the id does not tell when it was made.
    expect((first.body as { leadId: string }).leadId[14]).toBe('4')
    expect(await leadOf(email)).toMatchObject({ name: 'Dana F. Fields', utmSource: 'spring' })
    const changes = await withProspects((db) =>
      db
        .selectFrom('auditLog')
        .select('change')
        .where('action', '=', 'lead.changed')
        .where('entityId', '=', (first.body as { leadId: string }).leadId)
        .execute(),
    )
    expect(changes[0]?.change).toMatchObject({ before: { name: 'Dana Fields' }, after: { name: 'Dana F. Fields' } })
  })

  it('sent twenty times at once makes one lead', async () => {
    const email = anEmail()
    const answers = await Promise.all(Array.from({ length: 20 }, () => from(contact(email))))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ body }) => (body as { leadId: string }).leadId)).size).toBe(1)
  })

  it('gives a machine that fills the hidden field its answer and stores nothing', async () => {
    const email = anEmail()
    const { status, body } = await from({ ...contact(email), company: 'Spam Inc' })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['leadId', 'token'])
    expect(await leadOf(email)).toBeUndefined()
  })

  it('counts a contact, not an office: typos and the others behind one address are never stopped', async () => {
    const remoteAddress = '10.9.9.9'
    const send = (payload: object) => stranger.raw({ method: 'POST', url: '/api/leads', payload, remoteAddress })
    for (let count = 0; count < 25; count++) expect((await send({ ...contact(), phone: '12' })).status).toBe(422)
    for (let count = 0; count < 25; count++) expect((await send(contact())).status).toBe(200)
    const email = anEmail()
    for (let count = 0; count < 20; count++) expect((await send(contact(email))).status).toBe(200)
    const refused = await send(contact(email))
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ message: expect.stringMatching(/try again in \d+ minutes/) })
    expect(refused.headers['retry-after']).toBeDefined()
    expect((await send(contact())).status).toBe(200)
  })

  it('of a page without JavaScript keeps where they came from, and is told what was wrong', async () => {
    const email = anEmail()
    const send = (fields: Record<string, string>) =>
      stranger.raw({
        method: 'POST',
        url: '/api/leads',
        payload: new URLSearchParams(fields).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          referer: 'https://swath.test/landing?utm_source=postcard&utm_campaign=spring',
        },
        remoteAddress: '10.9.9.10',
      })
    const form = { name: 'Dana Fields', email, phone: '9125550110', source: 'landing_page' }
    expect((await send({ ...form, phone: '12' })).headers.location).toBe('/landing#problem-phone')
    expect((await send({ ...form, email: 'dana' })).headers.location).toBe('/landing#problem-email')
    expect((await send({ ...form, name: '' })).headers.location).toBe('/landing#problem-missing')
    expect((await send(form)).headers.location).toBe('/landing#thanks')
    expect(await leadOf(email)).toMatchObject({ utmSource: 'postcard', utmCampaign: 'spring' })
    for (let count = 0; count < 19; count++) await send(form)
    expect((await send(form)).headers.location).toBe('/landing#problem-busy')
  })
})

describe('a page view', () => {
  it('is not stored for a browser that asks not to be followed', async () => {
    const visitId = newId()
    const body = { visitId, path: '/' }
    expect((await stranger.ok(leadsApi.visit, { body }, { dnt: '1' })).stored).toBe(false)
    expect((await stranger.ok(leadsApi.visit, { body }, { 'sec-gpc': '1' })).stored).toBe(false)
    const count = await withProspects((db) =>
      db.selectFrom('pageViews').selectAll().where('visitId', '=', visitId).execute(),
    )
    expect(count).toEqual([])
  })

  it('belongs to the lead once the visit has one, and is forgotten after 13 months', async () => {
    const email = anEmail()
    const visitId = newId()
    await from({ ...contact(email), visitId })
    await stranger.ok(leadsApi.visit, { body: { visitId, path: '/' } })
    await from({ ...contact(email), visitId })
    await stranger.ok(leadsApi.visit, { body: { visitId, path: '/pricing' } })
    const rows = () =>
      withProspects((db) =>
        db.selectFrom('pageViews').select(['path', 'leadId']).where('visitId', '=', visitId).execute(),
      )
    const id = (await leadOf(email))?.id
    expect(await rows()).toEqual([
      { path: '/', leadId: id },
      { path: '/pricing', leadId: id },
    ])
    const tidy = () => tidyAll.run({})
    await tidy()
    await runTasks()
    expect((await rows()).length).toBe(2)
    const later = Date.now() + 397 * 86_400_000
    setClock(() => new Date(later))
    await tidy()
    await runTasks()
    expect(await rows()).toEqual([])
  })
})

describe('mail to a prospect', () => {
  const queue = async (email: string, purpose: 'marketing' | 'transactional', key = newId()) => {
    const leadId = (await leadOf(email))?.id ?? null
    return withProspects((db) =>
      queueProspectMessage(db, {
        leadId,
        channel: 'email',
        purpose,
        address: email,
        subject: 'Hello',
        text: 'A word <b>',
        dedupeKey: key,
      }),
    )
  }
  const message = (id: string) =>
    withProspects((db) => db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
  const setPostal = (postalAddress: string) =>
    withProspects((db) => db.updateTable('settings').set({ postalAddress }).execute())

  it('leaves once however often it is asked for; an offer needs our postal address', async () => {
    const email = anEmail()
    await from(contact(email))
    await setPostal('')
    await expect(queue(email, 'marketing')).rejects.toThrow(/postal address/)
    await setPostal('1 Main St, Savannah, GA 31401')
    const key = newId()
    const ids = await Promise.all([queue(email, 'marketing', key), queue(email, 'marketing', key)])
    expect(new Set(ids).size).toBe(1)
    await runTasks()
    expect(await message(ids[0] ?? '')).toMatchObject({ status: 'sent', attempts: 1, provider: 'local' })
  })

  it('of a lead that unsubscribed: no offers any more, word about a call still comes', async () => {
    const email = anEmail()
    await from(contact(email))
    await setPostal('1 Main St')
    const first = await queue(email, 'marketing')
    await runTasks()
    expect((await message(first)).status).toBe('sent')
    const lead = await leadOf(email)
    const { hmacToken } = await import('../../../platform/keys.ts')
    const token = hmacToken('link', `prospect-unsubscribe:${lead?.id}`)
    expect(await stranger.ok(leadsApi.unsubscribeInfo, { params: { token } })).toEqual({
      address: email,
      unsubscribed: false,
    })
    // As the mail program does it, without a page.
    const oneClick = await stranger.raw({
      method: 'POST',
      url: `/api/leads/unsubscribe/${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(oneClick.status).toBe(200)
    expect((await stranger.ok(leadsApi.unsubscribe, { params: { token } })).unsubscribed).toBe(true)
    expect((await stranger.ok(leadsApi.unsubscribeInfo, { params: { token } })).unsubscribed).toBe(true)
    const [offer, word] = [await queue(email, 'marketing'), await queue(email, 'transactional')]
    await runTasks()
    expect(await message(offer)).toMatchObject({ status: 'suppressed', reason: 'They unsubscribed' })
    expect((await message(word)).status).toBe('sent')
  })

  it('never reaches a shut address', async () => {
    const email = anEmail()
    await from(contact(email))
    await withProspects((db) => suppressProspect(db, 'email', email, 'all', 'It bounced'))
    const id = await queue(email, 'transactional')
    await runTasks()
    expect((await message(id)).status).toBe('suppressed')
  })

  it('a form of a foreign page can send nothing where none is asked for', async () => {
    const answer = await stranger.raw({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=a%40b.co&password=x',
    })
    expect(answer.status).toBe(415)
  })
})
