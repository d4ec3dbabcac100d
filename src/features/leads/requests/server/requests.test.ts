import { beforeEach, describe, expect, it } from 'vitest'
import { clock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit } from '../../../../test/field.ts'
import { squareFeetOf } from '../../../customers/areas/rules.ts'
import { customersApi } from '../../../customers/contract.ts'
import { messagesApi } from '../../../messages/contract.ts'
import { suppress } from '../../../messages/server/commands.ts'
import { findSuppression } from '../../../messages/server/queries.ts'
import { referralsApi } from '../../../referrals/contract.ts'
import { servicesApi } from '../../../services/contract.ts'
import { defaultServices, flatPriceRule } from '../../../services/defaults/rules.ts'
import { businessLeadsApi as leadsApi } from '../../contract.ts'
import { leadRequestApi, leadSettingsApi } from '../contract.ts'
import { offersLine } from '../rules.ts'

let business: TestBusiness
let slug: string

const person = { name: 'Maya Brooks', phone: '(912) 555-0147', zip: '31401', wants: 'Weekly mowing' }
let from = 0
const post = (fields: Record<string, string>, accept = 'application/json') =>
  stranger.raw({
    method: 'POST',
    url: `/lead-form/${slug}`,
    payload: new URLSearchParams(fields).toString(),
    headers: { accept, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://marsh.example' },
    remoteAddress: `10.1.${Math.floor(from / 250)}.${from % 250}`,
  })
const leads = async () => (await business.api.ok(leadsApi.list, { query: {} })).items
const save = async (change: object) => {
  const { version } = await business.api.ok(leadSettingsApi.get, {})
  return business.api.call(leadSettingsApi.save, { body: { version, ...change } })
}
const mows = async () => {
  await aVisit(business)
  const [service] = defaultServices
  await business.db((db) =>
    db
      .updateTable('services')
      .set({ priceRule: JSON.stringify(service?.priceRule), timeRule: JSON.stringify(service?.timeRule) })
      .where('businessId', '=', business.id)
      .execute(),
  )
}

beforeEach(async () => {
  from++
  business = await aBusiness({ name: 'Marsh Side Lawns' })
  await business.db(async (db) => {
    await db
      .updateTable('businesses')
      .set({ quietEndMinute: 0, quietStartMinute: 1440, publicPage: true })
      .where('businessId', '=', business.id)
      .execute()
    ;({ slug } = await db
      .selectFrom('businesses')
      .select('slug')
      .where('businessId', '=', business.id)
      .executeTakeFirstOrThrow())
  })
})

describe('the form of a website', () => {
  it('makes a lead from any website, with the consent as it was shown and one answer by text', async () => {
    const sent = await post({
      ...person,
      consent: 'yes',
      key: newId(),
      page: 'https://marsh.example/contact',
      ms: '9000',
    })
    expect([sent.status, sent.body, sent.headers['access-control-allow-origin']]).toEqual([
      200,
      { received: true },
      '*',
    ])
    await runTasks()
    const [lead] = await leads()
    expect(lead).toMatchObject({
      name: 'Maya Brooks',
      phone: '+19125550147',
      source: 'website',
      stage: 'new',
      repliedAt: null,
    })
    const { items } = await business.api.ok(messagesApi.list, { query: {} })
    expect(items.map(({ text, address }) => [address, text.startsWith('Thanks for asking!')])).toEqual([
      ['+19125550147', true],
    ])
    const consents = await business.db((db) =>
      db
        .selectFrom('consentEvents')
        .select(['wording', 'action', 'source'])
        .where('businessId', '=', business.id)
        .execute(),
    )
    expect(consents).toEqual([
      {
        action: 'grant',
        source: 'website form',
        wording: expect.stringContaining('Marsh Side Lawns may text me about my request'),
      },
    ])
  })

  it('keeps a yes to offers with the words that were shown, for phone and e-mail, and opens nothing that is shut', async () => {
    const asked = await stranger.raw({ method: 'GET', url: `/lead-form/${slug}`, headers: { accept: 'text/html' } })
    const page = Buffer.from(asked.bytes).toString()
    const box = /<input[^>]*name="offers"[^>]*>/.exec(page)?.[0] ?? ''
    expect([box.includes('type="checkbox"'), box.includes('checked=')]).toEqual([true, false])
    await business.db((db) => suppress(db, 'sms', '+19125550151', 'all', 'They replied STOP'))
    await post({ ...person, name: 'No Box', phone: '(912) 555-0152', email: 'no@box.test' })
    await post({ ...person, name: 'Box', phone: '(912) 555-0151', email: 'Yes@box.test', offers: 'yes' })
    const kept = await business.db((db) =>
      db
        .selectFrom('consentEvents')
        .select(['channel', 'address', 'purpose', 'action', 'source', 'wording'])
        .where('businessId', '=', business.id)
        .where('address', 'in', ['+19125550151', '+19125550152', 'no@box.test', 'yes@box.test'])
        .orderBy('channel')
        .execute(),
    )
    const wording = offersLine('Marsh Side Lawns')
    for (const words of ['Marsh Side Lawns', 'do not have to agree to buy anything', 'Reply STOP', wording])
      expect(wording).toContain(words)
    expect(page).toContain(wording)
    const yes = { purpose: 'marketing', action: 'grant', source: 'website form', wording }
    expect(kept).toEqual([
      { channel: 'email', address: 'yes@box.test', ...yes },
      { channel: 'sms', address: '+19125550151', ...yes },
    ])
    expect(await business.db((db) => findSuppression(db, 'sms', '+19125550151'))).toMatchObject({ purpose: 'all' })
  })

  it('keeps the answer back that was overtaken: who was called in quiet hours, or became a customer', async () => {
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ quietStartMinute: 0, quietEndMinute: 1440 })
        .where('businessId', '=', business.id)
        .execute(),
    )
    const held = async (n: number) => {
      await post({ ...person, name: `Maya ${'ABC'[n]}`, phone: `(912) 555-019${n}`, consent: 'yes' })
      await runTasks()
      const [message] = (await business.api.ok(messagesApi.list, { query: {} })).items
      expect(message).toMatchObject({ status: 'held', address: `+1912555019${n}` })
      const lead = (await leads()).find(({ phone }) => phone === `+1912555019${n}`)
      const now = async () => {
        const { status, reason } = await business.api.ok(messagesApi.get, { params: { id: message?.id ?? '' } })
        return [status, reason]
      }
      return { id: lead?.id ?? '', version: lead?.version ?? 0, now, messageId: message?.id ?? '' }
    }
    const called = await held(0)
    await business.api.ok(leadsApi.note, { params: { id: called.id }, body: { call: 'talked' } })
    expect(await called.now()).toEqual(['suppressed', 'They were answered before it left'])
    const made = await held(1)
    await business.api.ok(leadsApi.convert, {
      params: { id: made.id },
      body: { version: made.version, property: null },
    })
    expect(await made.now()).toEqual(['suppressed', 'They became a customer before it left'])
    // One that slipped through is asked again when it would leave.
    const late = await held(2)
    await business.db(async (db) => {
      await db
        .updateTable('businessLeads')
        .set({ repliedAt: clock.iso() })
        .where('businessId', '=', business.id)
        .where('id', '=', late.id)
        .execute()
      await db
        .updateTable('messages')
        .set({ runAfter: null })
        .where('businessId', '=', business.id)
        .where('id', '=', late.messageId)
        .execute()
    })
    const { sendMessage } = await import('../../../messages/server/tasks.ts')
    await sendMessage.run({ kind: 'system', businessId: business.id }, { messageId: late.messageId })
    expect(await late.now()).toEqual(['suppressed', 'They were answered before it left'])
  })

  it('writes to nobody who did not agree, and takes the same form once', async () => {
    const key = newId()
    await post({ ...person, key })
    await post({ ...person, key })
    await runTasks()
    expect(await leads()).toHaveLength(1)
    expect((await business.api.ok(messagesApi.list, { query: {} })).items).toEqual([])
    const [lead] = await leads()
    const { items } = await business.api.ok(leadsApi.timeline, { params: { id: lead?.id ?? '' }, query: {} })
    expect(items.map(({ kind }) => kind)).toEqual(['created'])
  })

  it('says what is wrong, keeps what was typed, and thanks without a script', async () => {
    const bad = await post({ name: '<b>Maya</b>', phone: '12' }, 'text/html')
    expect(bad.status).toBe(422)
    expect(bad.text).toContain('A phone number has ten digits.')
    expect(bad.text).toContain('&lt;b&gt;Maya&lt;/b&gt;')
    const json = await post({ name: '', phone: '' })
    expect([json.status, json.error.errors?.map(({ path }) => path)]).toEqual([422, ['name', 'phone']])
    const good = await post(person, 'text/html')
    expect([good.status, good.headers.location]).toEqual([303, `/lead-form/${slug}/thanks`])
    expect((await stranger.raw({ url: `/lead-form/${slug}/thanks` })).text).toContain('We have your request.')
    expect(await leads()).toHaveLength(1)
  })

  it('takes nothing of machines, and tells them nothing', async () => {
    const traps: Record<string, string>[] = [{ company: 'Cheap SEO' }, { ms: '200' }, { name: 'http://spam.example' }]
    for (const trap of traps) expect((await post({ ...person, ...trap })).body).toEqual({ received: true })
    expect(await leads()).toEqual([])
  })

  it('says what is missing to who presses at once, before it looks for machines', async () => {
    expect((await post({ name: '', phone: '', ms: '300' })).error.errors?.map(({ path }) => path)).toEqual([
      'name',
      'phone',
    ])
  })

  it('keeps what was sent with a NUL or half an emoji, cleaned', async () => {
    const wants = `Mow\u0000ing ${'x'.repeat(1989)}🌳`
    expect((await post({ ...person, name: 'Ma\u0000ya', wants })).body).toEqual({ received: true })
    await runTasks()
    expect(await leads()).toMatchObject([{ name: 'Maya', wants: `Mowing ${'x'.repeat(1989)}🌳` }])
    const ask = stranger.call(leadRequestApi.ask, {
      params: { slug },
      body: { ...person, name: 'To\u0000m', phone: '(912) 555-0148', wants: 'Hedges\u0000', key: newId() } as never,
    })
    expect((await ask).status).toBeLessThan(500)
  })

  it('slows down who sends again and again', async () => {
    const answers: number[] = []
    for (let n = 0; n < 14; n++) answers.push((await post({ ...person, wants: `Try ${n}` })).status)
    expect([answers[0], answers.at(-1)]).toEqual([200, 429])
  })

  it('is a script that any website may load, and is closed when it is switched off', async () => {
    const script = await stranger.raw({ url: `/lead-form/${slug}/form.js` })
    expect([script.status, script.headers['cross-origin-resource-policy'], script.headers['content-type']]).toEqual([
      200,
      'cross-origin',
      'text/javascript; charset=utf-8',
    ])
    expect(script.text).toContain('Marsh Side Lawns')
    expect(() => new Function(script.text)).not.toThrow()
    expect((await save({ formOn: false })).status).toBe(200)
    expect((await post(person)).status).toBe(404)
    expect((await stranger.raw({ url: `/lead-form/${slug}/form.js` })).status).toBe(404)
  })

  it('knows who was sent by a customer', async () => {
    const { id } = await business.api.ok(customersApi.create, { body: { name: 'Rosa' } })
    const { code } = await business.api.ok(referralsApi.give, { params: { id } })
    await post({ ...person, ref: code?.toLowerCase() ?? '' })
    const [lead] = await leads()
    expect(lead?.source).toBe('referral')
    expect((await business.api.ok(leadsApi.get, { params: { id: lead?.id ?? '' } })).referredBy).toMatchObject({ id })
  })
})

describe('the public page', () => {
  const ask = (change: object = {}) =>
    stranger.call(leadRequestApi.ask, {
      params: { slug },
      body: { ...person, key: newId(), street: '7 Bay St', city: 'Savannah', state: 'GA', ...change } as never,
    })

  it('names a range by the own rules, and the request carries it', async () => {
    await mows()
    const { services, consent } = await stranger.ok(leadRequestApi.offer, { params: { slug } })
    expect(services.map(({ name, frequencies }) => [name, frequencies])).toEqual([
      ['Mow, edge, blow', ['weekly', 'biweekly', 'once']],
    ])
    expect(consent).toContain('Reply STOP')
    const chosen = [{ id: services[0]?.id ?? '', frequency: 'weekly' as const }]
    const { items } = await stranger.ok(leadRequestApi.price, {
      params: { slug },
      body: { squareFeet: 8000, way: 'typed', services: chosen },
    })
    expect(items[0]?.lowCents).toBeGreaterThan(0)
    expect(items[0]?.highCents ?? 0).toBeGreaterThanOrEqual(items[0]?.lowCents ?? 0)
    expect((await ask({ lawn: { squareFeet: 8000, way: 'typed' }, services: chosen })).body).toEqual({
      received: true,
      served: true,
    })
    expect(await leads()).toMatchObject([
      {
        source: 'profile',
        priceLowCents: items[0]?.lowCents,
        priceHighCents: items[0]?.highCents,
        wants: 'Mow, edge, blow, every week\nWeekly mowing',
      },
    ])
    // what was ticked stands with it as a choice, so that a quote begins with it; words alone later do not undo it
    const leadId = (await leads())[0]?.id ?? ''
    const chosenOf = async () => (await business.api.ok(leadsApi.get, { params: { id: leadId } })).chosen
    expect(await chosenOf()).toEqual([{ serviceId: services[0]?.id, frequency: 'weekly' }])
    expect((await ask({ wants: 'And the hedges' })).status).toBe(200)
    expect(await chosenOf()).toEqual([{ serviceId: services[0]?.id, frequency: 'weekly' }])
  })

  it('a request of what has a price and what has none names both, and the price says what is not in it', async () => {
    await mows()
    const [first] = (await business.api.ok(servicesApi.catalog, { query: {} })).items
    const mow = first?.id ?? ''
    const beds = await business.api.ok(servicesApi.create, {
      body: {
        name: 'Mulch',
        category: 'other',
        measuredBy: 'beds',
        priceRule: { ...flatPriceRule(5000), tiers: [{ upToSquareFeet: null, centsPerKsqft: 10_000 }] },
        timeRule: first?.timeRule,
      } as never,
    })
    await business.db((db) =>
      db
        .insertInto('leadSettings')
        .values({ businessId: business.id, serviceIds: [mow, beds.id], replyText: 'Hello' })
        .execute(),
    )
    const chosen = [
      { id: mow, frequency: 'weekly' as const },
      { id: beds.id, frequency: 'once' as const },
    ]
    const { items } = await stranger.ok(leadRequestApi.price, {
      params: { slug },
      body: { squareFeet: 8000, way: 'typed', services: chosen },
    })
    expect(items.map(({ lowCents }) => lowCents === null)).toEqual([false, true])
    await ask({ wants: '', lawn: { squareFeet: 8000, way: 'typed' }, services: chosen })
    const id = (await leads())[0]?.id ?? ''
    const lead = await business.api.ok(leadsApi.get, { params: { id } })
    expect(lead).toMatchObject({
      wants: `Mow, edge, blow, every week; Mulch, once (to be priced after a look)`,
      priceLowCents: items[0]?.lowCents,
      priceHighCents: items[0]?.highCents,
      chosen: [
        { serviceId: mow, frequency: 'weekly' },
        { serviceId: beds.id, frequency: 'once', afterLook: true },
      ],
      afterLook: ['Mulch'],
    })
  })

  it('keeps the line that a visitor drew, measures it again, and refuses one that means nothing', async () => {
    await mows()
    const { services } = await stranger.ok(leadRequestApi.offer, { params: { slug } })
    const chosen = [{ id: services[0]?.id ?? '', frequency: 'weekly' as const }]
    const { latitude, longitude } = await stranger.ok(leadRequestApi.place, {
      params: { slug },
      body: { street: '7 Bay St', city: 'Savannah', state: 'GA', zip: '31401' },
    })
    const [lat, lon] = [latitude ?? 32.08, longitude ?? -81.09]
    const square: [number, number][] = [
      [lat, lon],
      [lat + 0.0003, lon],
      [lat + 0.0003, lon + 0.0003],
      [lat, lon + 0.0003],
    ]
    const bow = [square[0], square[2], square[1], square[3]]
    const away = square.map(([a, b]) => [a + 3, b])
    const drawn = (ring: unknown, squareFeet: number) =>
      ask({ lawn: { squareFeet, way: 'drawn', ring }, services: chosen, phone: '(912) 555-0148' })
    const size = squareFeetOf([square])
    for (const [ring, words] of [
      [bow, 'crosses itself'],
      [square.slice(0, 2), 'at least three corners'],
      ...(latitude === null ? [] : [[away, 'far from your address'] as const]),
    ] as const) {
      const refused = await drawn(ring, size)
      expect([refused.status, JSON.stringify(refused.body).includes(words)]).toEqual([422, true])
    }
    expect(await leads()).toEqual([])
    // ten times as large as the line encloses: the line counts
    expect((await drawn(square, size * 10)).status).toBe(200)
    const [lead] = await leads()
    const record = await business.api.ok(leadsApi.get, { params: { id: lead?.id ?? '' } })
    expect(record.drawnSquareFeet).toBe(size)
    expect(Math.abs((record.lawnSquareFeet ?? 0) - size)).toBeLessThanOrEqual(2)
    const { street, city, state, zip, lawnSquareFeet, version } = record
    const won = await business.api.ok(leadsApi.convert, {
      params: { id: record.id },
      body: { version, property: { street, city, state, zip, lawnSquareFeet } } as never,
    })
    const areas = await business.db((db) =>
      db
        .selectFrom('propertyAreas as a')
        .innerJoin('properties as p', (x) =>
          x.onRef('p.businessId', '=', 'a.businessId').onRef('p.id', '=', 'a.propertyId'),
        )
        .where('p.businessId', '=', business.id)
        .where('p.customerId', '=', won.customer?.id ?? '')
        .select(['a.kind', 'a.name', 'a.squareFeet'])
        .execute(),
    )
    expect(areas).toEqual([{ kind: 'turf', name: 'Drawn by the visitor', squareFeet: size }])
  })

  it('keeps who lives elsewhere apart', async () => {
    expect((await save({ areaKind: 'zips', areaZips: ['31401'] })).status).toBe(200)
    const place = (zip: string) =>
      stranger.ok(leadRequestApi.place, { params: { slug }, body: { street: '7 Bay St', zip } as never })
    expect([(await place('31401')).served, (await place('99501')).served]).toEqual([true, false])
    expect((await ask({ zip: '99501' })).body.served).toBe(false)
    expect(await leads()).toMatchObject([{ outOfArea: true, stage: 'lost', lostReason: 'out_of_area' }])
    expect((await business.api.ok(leadsApi.list, { query: { area: 'out' } })).total).toBe(1)
  })

  it('is set up by who may change settings; a manager reads it', async () => {
    const manager = await aPerson(business.id, 'Admin', { permissions: ['customers', 'schedule', 'money', 'team'] })
    const { version } = await manager.api.ok(leadSettingsApi.get, {})
    expect((await manager.api.call(leadSettingsApi.save, { body: { version, replyOn: false } })).status).toBe(403)
    const admin = await aPerson(business.id, 'Admin', { permissions: ['customers', 'settings'] })
    expect((await admin.api.call(leadSettingsApi.save, { body: { version, replyOn: false } })).status).toBe(200)
  })

  it('refuses an area that crosses itself or is none, and a service that is not there', async () => {
    const bow = [
      [32, -81],
      [32.1, -81.1],
      [32, -81.1],
      [32.1, -81],
    ]
    expect((await save({ areaKind: 'drawn', areaRing: bow })).status).toBe(422)
    expect((await save({ areaKind: 'zips', areaZips: [] })).status).toBe(422)
    expect((await save({ serviceIds: [newId()] })).status).toBe(422)
  })

  it('is not there where the owner has none', async () => {
    await business.db((db) =>
      db.updateTable('businesses').set({ publicPage: false }).where('businessId', '=', business.id).execute(),
    )
    expect((await ask()).status).toBe(404)
    expect((await stranger.call(leadRequestApi.offer, { params: { slug: 'nobody' } })).status).toBe(404)
  })
})
