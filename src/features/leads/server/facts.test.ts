import { beforeEach, describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { today } from '../../../test/field.ts'
import { customersApi } from '../../customers/contract.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { quotesApi } from '../../quotes/contract.ts'
import { servicesApi } from '../../services/contract.ts'
import { businessLeadsApi as leadsApi } from '../contract.ts'

let business: TestBusiness
let slug: string
let serviceId: string
const person = { name: 'Hollis Brandt', phone: '(912) 555-0177', email: 'hollis@brandt.test', wants: 'Weekly mowing' }
const home = { street: '132 Laurel Green Ct', city: 'Savannah', state: 'GA', zip: '31405' }

let from = 0
const ask = async (fields: Record<string, string>) => {
  const sent = await stranger.raw({
    method: 'POST',
    url: `/lead-form/${slug}`,
    payload: new URLSearchParams(fields).toString(),
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    remoteAddress: `10.3.${Math.floor(from / 250)}.${from++ % 250}`,
  })
  expect(sent.status).toBe(200)
  await runTasks()
}
const leads = async () => (await business.api.ok(leadsApi.list, { query: { order: 'asc' } })).items
const lead = (id: string) => business.api.ok(leadsApi.get, { params: { id } })
const convert = async (id: string) => {
  const { version } = await lead(id)
  const made = await business.api.ok(leadsApi.convert, { params: { id }, body: { version, property: home } })
  const { properties } = await business.api.ok(customersApi.get, { params: { id: made.customer?.id ?? '' } })
  return { customerId: made.customer?.id ?? '', propertyId: properties[0]?.id ?? '' }
}
const line = () => ({ id: newId(), serviceId, name: 'Mowing', frequency: 'once', unitPriceCents: 5000 })
const quote = (propertyId: string, more: object = {}) =>
  business.api.ok(quotesApi.create, { body: { propertyId, content: { lines: [line()] }, ...more } as never })
const send = async (id: string) => {
  const { version } = await business.api.ok(quotesApi.get, { params: { id } })
  await business.api.ok(quotesApi.send, { params: { id }, body: { mail: true, text: false, version } })
  await runTasks()
}
const decline = async (id: string) => {
  const { version } = await business.api.ok(quotesApi.get, { params: { id } })
  await business.api.ok(quotesApi.decline, { params: { id }, body: { version, reason: 'price', note: '' } as never })
  await runTasks()
}
const approve = async (id: string) => {
  const { publicPath, totalCents } = await business.api.ok(quotesApi.get, { params: { id } })
  const signed = await stranger.raw({
    method: 'POST',
    url: `${publicPath}/sign`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mozilla/5.0 (iPhone) Safari' },
    payload: new URLSearchParams({ signer: 'Hollis Brandt', agree: '1', expected: String(totalCents) }).toString(),
  })
  expect(signed.status).toBeLessThan(400)
  await runTasks()
  const { version } = await business.api.ok(quotesApi.get, { params: { id } })
  await business.api.ok(quotesApi.convert, { params: { id }, body: { startOn: addDays(today(), 7), version } })
  await runTasks()
}

beforeEach(async () => {
  business = await aBusiness({ name: 'Fenwick Turf & Garden' })
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  serviceId = items.find(({ category }) => category === 'mow')?.id ?? ''
  await business.db(async (db) => {
    ;({ slug } = await db
      .selectFrom('businesses')
      .select('slug')
      .where('businessId', '=', business.id)
      .executeTakeFirstOrThrow())
  })
})

describe('whoever asks a second time', () => {
  it('keeps each request whole on one lead, with all that was typed', async () => {
    await ask({ ...person, ...home })
    await ask({ ...person, ...home, email: 'h.brandt@work.test', wants: 'Aerate too\nTwo dogs' })
    const [one, ...more] = await leads()
    expect(more).toEqual([])
    expect(one).toMatchObject({ requestCount: 2, wants: 'Weekly mowing', lastWants: 'Aerate too\nTwo dogs' })
    expect((await lead(one?.id ?? '')).requests).toMatchObject([
      { email: 'h.brandt@work.test', wants: 'Aerate too\nTwo dogs', street: home.street, source: 'website' },
      { email: 'hollis@brandt.test', wants: 'Weekly mowing', phone: '+19125550177' },
    ])
  })

  it('is a lead of its own where the person or the place is another one, shown with the first', async () => {
    await ask({ ...person, ...home })
    await ask({
      ...person,
      name: 'Peter Quill',
      email: 'peter@quill.test',
      street: '9 Other Ave',
      zip: '31405',
      wants: 'Leaf clean-up',
    })
    await ask({ ...person, ...home, street: '7 Harrow St', wants: 'Also my second house' })
    const [hollis, peter, second] = await leads()
    expect(peter).toMatchObject({
      name: 'Peter Quill',
      email: 'peter@quill.test',
      street: '9 Other Ave',
      wants: 'Leaf clean-up',
      stage: 'new',
      tied: { by: 'phone' },
    })
    expect(second).toMatchObject({ name: 'Hollis Brandt', street: '7 Harrow St', wants: 'Also my second house' })
    expect(hollis).toMatchObject({ requestCount: 1, wants: 'Weekly mowing' })
    expect((await lead(peter?.id ?? '')).others.map(({ name, matches }) => [name, matches])).toEqual(
      expect.arrayContaining([['Hollis Brandt', ['phone']]]),
    )
    // The same phone once more, as one of the two: it joins that one and no other.
    await ask({ ...person, ...home, street: '132 Laurel Green Court', wants: 'Any news?' })
    expect((await leads()).map(({ requestCount }) => requestCount)).toEqual([2, 1, 1])
  })

  it('tells both of one address', async () => {
    await ask({ ...person, ...home })
    await ask({
      name: 'Ruth Brandt',
      phone: '(912) 555-0178',
      ...home,
      street: '132 Laurel Green Court',
      wants: 'Hedges',
    })
    const [hollis, ruth] = await leads()
    expect([hollis?.tied, ruth?.tied]).toMatchObject([
      { name: 'Ruth Brandt', by: 'address' },
      { name: 'Hollis Brandt', by: 'address' },
    ])
  })

  it('sent twice it is one, also when it is a second request', async () => {
    await ask({ ...person, ...home })
    const again = { ...person, ...home, wants: 'Aerate too', key: newId() }
    await ask(again)
    await ask(again)
    expect((await leads()).map(({ requestCount }) => requestCount)).toEqual([2])
  })

  it('is shown as a customer with their address where they are one', async () => {
    await business.api.ok(customersApi.create, {
      body: { name: 'Hollis Brandt', phone: '+19125550177', property: home } as never,
    })
    await ask({ name: 'Hollis Brandt', phone: '(912) 555-0177', wants: 'Also aerate please' })
    expect(await leads()).toMatchObject([
      { customer: { name: 'Hollis Brandt' }, customerPlace: '132 Laurel Green Ct, Savannah', stage: 'new' },
    ])
  })
})

describe('what becomes of a quote', () => {
  it('moves the lead that it was made of, to lost when they say no', async () => {
    await ask({ ...person, ...home })
    const [first] = await leads()
    const { propertyId } = await convert(first?.id ?? '')
    expect((await lead(first?.id ?? '')).stage).toBe('new')
    const made = await quote(propertyId, { leadId: first?.id })
    expect(made.source).toBe('Website form')
    await send(made.id)
    expect((await lead(first?.id ?? '')).stage).toBe('quoted')
    await decline(made.id)
    expect(await lead(first?.id ?? '')).toMatchObject({ stage: 'lost', lostReason: 'declined', stageBy: 'facts' })
  })

  it('stays quoted when they say no to one of two, and is lost with the last', async () => {
    await ask({ ...person, ...home })
    const [first] = await leads()
    const { propertyId } = await convert(first?.id ?? '')
    const mowing = await quote(propertyId, { leadId: first?.id })
    // One that was made in the customer's record, without the lead, is theirs too.
    const hedges = await quote(propertyId)
    await send(mowing.id)
    await send(hedges.id)
    await decline(mowing.id)
    expect(await lead(first?.id ?? '')).toMatchObject({ stage: 'quoted', lostReason: null })
    // A draft waits for nobody's answer.
    await quote(propertyId, { leadId: first?.id })
    await decline(hedges.id)
    expect(await lead(first?.id ?? '')).toMatchObject({ stage: 'lost', lostReason: 'declined' })
  })

  it('is moved by work that was booked before places were told of it, too', async () => {
    await ask({ ...person, ...home })
    const [first] = await leads()
    const { customerId } = await convert(first?.id ?? '')
    await business.api.ok(leadsApi.note, { params: { id: first?.id ?? '' }, body: { call: 'talked' } })
    await business.db((db) => emit(db, 'job.booked', { customerIds: [customerId], at: clock.iso() } as never))
    await runTasks()
    expect((await lead(first?.id ?? '')).stage).toBe('won')
  })

  it('leaves a request that came after it where it is, with its timer, through signature and job', async () => {
    await ask({ ...person, ...home })
    const [first] = await leads()
    const { propertyId } = await convert(first?.id ?? '')
    const mowing = await quote(propertyId)
    await send(mowing.id)
    await ask({ ...person, ...home, wants: 'Also aerate please' })
    const [, second] = await leads()
    expect(second).toMatchObject({ stage: 'new', repliedAt: null, customer: { name: 'Hollis Brandt' } })
    await approve(mowing.id)
    expect((await lead(first?.id ?? '')).stage).toBe('won')
    expect(await lead(second?.id ?? '')).toMatchObject({ stage: 'new', repliedAt: null, wants: 'Also aerate please' })
    expect((await business.api.ok(leadsApi.counts, {})).reply).toBe(1)
    // Work that the office books besides is no answer to it either.
    await business.api.ok(jobsApi.create, {
      body: {
        propertyId,
        startOn: today(),
        lines: [{ serviceId, quantity: 1, unitPriceCents: 5500, recurrence: null, onceOn: today() }],
      } as never,
    })
    await runTasks()
    expect((await lead(second?.id ?? '')).stage).toBe('new')
    // Its own quote moves it, and nothing else.
    await send((await quote(propertyId, { leadId: second?.id })).id)
    expect((await lead(second?.id ?? '')).stage).toBe('quoted')
  })

  it('takes no lead of another customer, nor of another business', async () => {
    await ask({ ...person, ...home })
    const [first] = await leads()
    const { id } = await business.api.ok(customersApi.create, {
      body: { name: 'Other', property: { ...home, street: '1 Elm St' } } as never,
    })
    const { properties } = await business.api.ok(customersApi.get, { params: { id } })
    const wrong = await business.api.call(quotesApi.create, {
      body: { propertyId: properties[0]?.id, leadId: first?.id, content: { lines: [line()] } } as never,
    })
    expect(wrong.status).toBe(404)
  })
})
