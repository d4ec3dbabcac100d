import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { ownerPool } from '../../../../platform/db/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { addDays, dayOf, formatDay, instantAt } from '../../../../shared/dates.ts'
import { apiFor, runTasks } from '../../../../test/api.ts'
import { ago, aLicense, aMix, aProduct, aRecord, treatLawns } from '../../../../test/chemicals.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit, today } from '../../../../test/field.ts'
import { tryAgain } from '../../../../test/refuse.ts'
import { licensesApi } from '../../../employees/licenses/contract.ts'
import { chemicalsApi } from '../../contract.ts'
import { recordsApi } from '../contract.ts'
import { recordPaper } from './files.ts'

let business: TestBusiness
let luis: Person
let productId: string
let visitId: string
let propertyId: string

beforeEach(async () => {
  business = await aBusiness()
  luis = await business.employee({ name: 'Luis Ortega' })
  ;({ visitId, propertyId } = await aVisit(business, { street: '7 Bay St', customer: 'Rebecca Odom' }))
  await treatLawns(business)
  productId = (await aProduct(business.api)).id
})
afterEach(resetClock)

/** As whoever owns the tables: the strongest hand there is. */
const asOwner = async (...queries: string[]): Promise<void> => {
  const client = await ownerPool().connect()
  try {
    await client.query('begin')
    await client.query(`set local app.business_id = '${business.id}'`)
    for (const query of queries) await client.query(query)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const license = (more: object = {}, person: Person = luis) =>
  business.api.ok(licensesApi.create, { params: { id: person.userId }, body: aLicense(more) })
const record = (more: object = {}, of: string = visitId) =>
  business.api.call(recordsApi.add, { params: { visitId: of }, body: aRecord(productId, luis.userId, more) })
const added = async (more: object = {}) => {
  const { status, body, error } = await record(more)
  expect(status, error?.message).toBe(200)
  return body
}

describe('products and mixes', () => {
  it('are added, changed over nobody, archived and brought back; a name stands once, and a product in a mix stays', async () => {
    const mix = await aMix(business.api, productId)
    expect(mix.products).toEqual([{ productId, rate: 1.5 }])
    const twice = await business.api.call(chemicalsApi.addProduct, { body: { name: 'trimec classic', unit: 'lb' } })
    expect([twice.status, twice.error.errors?.[0]?.path]).toEqual([422, 'name'])
    const change = (body: object) =>
      business.api.call(chemicalsApi.updateProduct, { params: { id: productId }, body: body as never })
    expect((await change({ archived: true, version: 1 })).error.message).toContain('in the mix “Weed control”')
    const gone = await business.api.ok(chemicalsApi.updateMix, {
      params: { id: mix.id },
      body: { archived: true, version: 1 },
    })
    expect(gone.archivedAt).not.toBeNull()
    expect((await change({ archived: true, version: 1 })).status).toBe(200)
    expect((await change({ name: 'X', version: 1 })).error.code).toBe('version_conflict')
    const back = await business.api.call(chemicalsApi.updateMix, {
      params: { id: mix.id },
      body: { archived: false, version: 2 },
    })
    expect(back.error.errors?.[0]?.message).toContain('Trimec Classic is archived')
    const { products, mixes } = await business.api.ok(chemicalsApi.catalog, {})
    expect([products.length, mixes.length]).toEqual([1, 1])
  })
  it('a mix takes no product of another business; who lacks the permission changes nothing', async () => {
    const other = await aBusiness()
    const { id } = await aProduct(other.api)
    const body = { name: 'Theirs', products: [{ productId: id, rate: 1 }] }
    expect((await business.api.call(chemicalsApi.addMix, { body })).status).toBe(404)
    expect((await luis.api.call(chemicalsApi.addMix, { body })).status).toBe(403)
  })
})

describe('a record', () => {
  it('keeps everything as it was then: the product, the person, the license, the place', async () => {
    await license()
    const made = await added()
    expect(made).toMatchObject({
      visitId,
      propertyId,
      day: dayOf(made.facts.startedAt, 'America/New_York'),
      late: false,
      missing: [],
      fromPhone: false,
      facts: {
        customer: 'Rebecca Odom',
        site: '7 Bay St, Savannah',
        state: 'GA',
        zip: '31419',
        license: 'own',
        applicator: { name: 'Luis Ortega', license: 'GA GA-1234' },
        products: [{ name: 'Trimec Classic', epaNumber: '2217-543', amount: 12, reentryHours: 24 }],
        keepOffUntil: new Date(Date.parse(made.facts.endedAt) + 24 * 3_600_000).toISOString(),
      },
    })
    await business.api.ok(chemicalsApi.updateProduct, {
      params: { id: productId },
      body: { name: 'Trimec 992', reentryHours: 1, version: 1 },
    })
    const { records } = await business.api.ok(recordsApi.ofVisit, { params: { visitId } })
    expect(records).toEqual([made])
  })

  it('says what the law of the state asks for and it lacks, and that it came late', async () => {
    const made = await added({ target: '', equipment: '', startedAt: ago(60 * 26), endedAt: ago(60 * 25) })
    expect([made.missing, made.late, made.facts.license]).toEqual([['target', 'equipment'], true, 'missing'])
    const early = await added({ startedAt: ago(60 * 24), endedAt: ago(60 * 23) })
    expect(early.late).toBe(false)
  })

  it('of a restricted product is refused without a license, also an expired or foreign one, and taken under a supervisor who has one', async () => {
    const restricted = await aProduct(business.api, { name: 'Barricade RUP', restricted: true, licenseSkill: '' })
    const more = { products: [{ productId: restricted.id, rate: 0.5, amount: 4 }] }
    expect((await record(more)).error.message).toContain('was not saved')
    await license({ expiresOn: addDays(today(), -2) })
    await license({ state: 'SC', expiresOn: addDays(today(), 30) })
    expect((await record(more)).status).toBe(409)
    expect((await business.api.ok(recordsApi.ofVisit, { params: { visitId } })).records).toEqual([])
    const ana = await business.employee({ name: 'Ana Ruiz' })
    expect((await record({ ...more, supervisorId: ana.userId })).status).toBe(409)
    await license({}, ana)
    const { body } = await record({ ...more, supervisorId: ana.userId })
    expect(body.facts).toMatchObject({ license: 'supervised', supervisor: { name: 'Ana Ruiz', license: 'GA GA-1234' } })
  })

  it('is refused for times that cannot be, products that are not ours, and visits that nobody made', async () => {
    const problem = async (more: object) => (await record(more)).error.errors?.[0]?.path
    expect(await problem({ endedAt: ago(50) })).toBe('endedAt')
    expect(await problem({ endedAt: ago(-30) })).toBe('endedAt')
    expect(await problem({ startedAt: ago(60 * 24 * 800), endedAt: ago(60 * 24 * 800) })).toBe('startedAt')
    const other = await aBusiness()
    const theirs = await aProduct(other.api)
    expect((await record({ products: [{ productId: theirs.id, rate: 1, amount: 1 }] })).status).toBe(404)
    expect((await record({ applicatorId: other.owner.userId })).status).toBe(404)
    const ahead = await aVisit(business, { day: addDays(today(), 2) })
    expect((await record({}, ahead.visitId)).error.message).toContain('has not come yet')
    const canceled = await aVisit(business, { status: 'canceled' })
    expect((await record({}, canceled.visitId)).status).toBe(409)
  })

  it('is changed by nobody, deleted by nobody before five years, and put right by amendments that keep what stood there', async () => {
    const made = await added()
    const tryIt = (query: string) => asOwner(query.replace('$1', `'${made.id}'`))
    await expect(
      business.db((db) => sql`update application_records set day = day - 1 where id = ${made.id}`.execute(db)),
    ).rejects.toThrow()
    await expect(tryIt("update application_records set facts = '{}' where id = $1")).rejects.toThrow('never changed')
    await expect(tryIt('update application_records set visit_id = gen_random_uuid() where id = $1')).rejects.toThrow()
    await expect(tryIt('delete from application_records where id = $1')).rejects.toThrow('five years')
    const amend = (body: object, seen: number) =>
      business.api.call(recordsApi.amend, {
        params: { id: made.id },
        body: { ...aRecord(productId, luis.userId, made.facts), ...body, reason: 'Read the wrong tank', seen } as never,
      })
    const same = { startedAt: made.facts.startedAt, endedAt: made.facts.endedAt, weather: made.facts.weather }
    expect((await amend({ ...same }, 0)).error.message).toContain('Nothing is different')
    const products = [{ productId, rate: 1.4, amount: 11.2 }]
    const { body: now } = await amend({ ...same, products }, 0)
    expect(now.facts.products[0]).toMatchObject({ amount: 11.2, name: 'Trimec Classic' })
    expect(now.amendments).toMatchObject([
      {
        reason: 'Read the wrong tank',
        changes: [
          { label: 'Product', from: expect.stringContaining('12 fl oz'), to: expect.stringContaining('11.2 fl oz') },
        ],
      },
    ])
    expect((await amend({ ...same }, 0)).error.code).toBe('version_conflict')
    expect((await amend({ ...same, soil: 'Wet', products }, 1)).body.amendments).toHaveLength(2)
    await expect(tryIt('delete from application_amendments where record_id = $1')).rejects.toThrow('five years')
    // a visit that goes takes nothing of its record along
    await business.db((db) => db.deleteFrom('visits').where('id', '=', visitId).execute())
    const { items } = await business.api.ok(recordsApi.list, { query: {} })
    expect(items).toMatchObject([{ id: made.id, visitId: null, facts: { site: '7 Bay St, Savannah' } }])
  })

  it('put right keeps who applied it under which license, whatever became of name and license since', async () => {
    const { id: licenseId } = await license()
    const made = await added()
    expect(made.facts).toMatchObject({ license: 'own', applicator: { name: 'Luis Ortega', license: 'GA GA-1234' } })
    await business.db(async (db) => {
      await db
        .updateTable('users')
        .set({ name: 'Luis Vega' })
        .where('businessId', '=', business.id)
        .where('id', '=', luis.userId)
        .execute()
      await db.deleteFrom('licenses').where('businessId', '=', business.id).where('id', '=', licenseId).execute()
    })
    const { startedAt, endedAt } = made.facts
    const body = {
      ...aRecord(productId, luis.userId, { startedAt, endedAt, target: 'Clover' }),
      reason: 'Wrong weed',
      seen: 0,
    }
    const after = await business.api.ok(recordsApi.amend, { params: { id: made.id }, body: body as never })
    expect(after.facts).toMatchObject({
      target: 'Clover',
      license: 'own',
      applicator: { name: 'Luis Ortega', license: 'GA GA-1234' },
    })
    expect(after.amendments[0]?.changes).toHaveLength(1)
  })

  it('goes after five years with its amendments', async () => {
    const made = await added()
    await asOwner(
      'alter table application_records disable trigger application_records_kept',
      `update application_records set applied_at = now() - interval '5 years 1 day' where id = '${made.id}'`,
      'alter table application_records enable trigger application_records_kept',
    )
    await business.db((db) => sql`delete from application_records where id = ${made.id}`.execute(db))
    expect((await business.api.ok(recordsApi.list, { query: {} })).items).toEqual([])
  })
})

describe('the customer', () => {
  const texts = async () => {
    // the notice waits a few minutes for the other products of the visit
    await runTasks()
    await tryAgain('notices.treated')
    return business.db((db) =>
      db
        .selectFrom('messages')
        .select(['bodyText', 'dedupeKey', 'entityId'])
        .where('businessId', '=', business.id)
        .where('dedupeKey', 'like', 'treated:%')
        .execute(),
    )
  }
  beforeEach(() =>
    business.db((db) =>
      db.updateTable('customers').set({ email: 'odom@example.test' }).where('businessId', '=', business.id).execute(),
    ),
  )

  it('hears once of all products of a visit, until when to keep off, and where the label is', async () => {
    const lime = await aProduct(business.api, {
      name: 'Lime',
      epaNumber: '',
      licenseSkill: '',
      reentryHours: 0,
      labelUrl: '',
    })
    await added()
    await added({ products: [{ productId: lime.id, rate: 10, amount: 80 }], mix: 'Lime' })
    const [message, ...more] = await texts()
    expect(more).toEqual([])
    expect(message?.bodyText).toContain('Trimec Classic and Lime')
    expect(message?.bodyText).toMatch(/Keep people and pets off until \d/)
    expect(message?.bodyText).toContain('https://labels.example/trimec.pdf')
    await added()
    expect(await texts()).toHaveLength(1)
  })

  const forWhom = (changes: { email: string | null; phone?: string }) =>
    business.db((db) => db.updateTable('customers').set(changes).where('businessId', '=', business.id).execute())

  it('hears that the lawn stays closed longer when the record is put right, and not when it opens earlier', async () => {
    const made = await added()
    expect(await texts()).toHaveLength(1)
    const weeks = await aProduct(business.api, { name: 'Slow one', reentryHours: 72 })
    const amend = (products: object[], seen: number) =>
      business.api.ok(recordsApi.amend, {
        params: { id: made.id },
        body: {
          ...aRecord(productId, luis.userId, {
            startedAt: made.facts.startedAt,
            endedAt: made.facts.endedAt,
            products,
          }),
          reason: 'The other tank',
          seen,
        } as never,
      })
    await amend([{ productId: weeks.id, rate: 1, amount: 8 }], 0)
    const told = await texts()
    expect(told).toHaveLength(2)
    const change = told.find(({ dedupeKey }) => dedupeKey.endsWith(':1'))
    expect(change?.bodyText).toMatch(/This has changed: keep people and pets off until .*[A-Z][a-z]{2} \d+/)
    await amend([{ productId, rate: 1, amount: 8 }], 1)
    expect(await texts()).toHaveLength(2)
  })

  it('is not asked to keep off a lawn that is open again, and reads the day with the hour', async () => {
    const short = await aProduct(business.api, { name: 'Quick one', reentryHours: 1 })
    await added({ startedAt: ago(240), endedAt: ago(200), products: [{ productId: short.id, rate: 1, amount: 8 }] })
    const [message] = await texts()
    expect(message?.bodyText).toContain('Quick one')
    expect(message?.bodyText).not.toContain('Keep people')
  })

  it('who has only a phone reads in the morning what holds in the morning', async () => {
    const night = instantAt(addDays(today(), 0), 23 * 60, 'America/New_York')
    setClock(() => new Date(night))
    await forWhom({ email: null, phone: '+19125550147' })
    const api = await apiFor(business.owner)
    await api.ok(recordsApi.add, { params: { visitId }, body: aRecord(productId, luis.userId) })
    expect(await texts()).toEqual([])
    setClock(() => new Date(Date.parse(night) + 11 * 3_600_000))
    await tryAgain('notices.treated')
    const [message] = await texts()
    expect(message?.bodyText).toMatch(/Keep people and pets off until .*[A-Z][a-z]{2} \d+/)
  })

  it('hears nothing a day later, nor where the business does not want it', async () => {
    await added({ startedAt: ago(60 * 26), endedAt: ago(60 * 25) })
    expect(await texts()).toEqual([])
    await business.api.ok(chemicalsApi.setRules, { body: { blockFinish: false, tellCustomers: false, version: 0 } })
    await added()
    expect(await texts()).toEqual([])
  })
})

describe('files', () => {
  const file = (kind: 'csv' | 'pdf', more = '') =>
    business.api.raw({
      method: 'GET',
      url: `/api/chemicals/records/${kind}?from=${addDays(today(), -30)}&to=${today()}${more}`,
    })
  const rowsOf = (text: string) => text.replace('\uFEFF', '').trim().split('\r\n').slice(1)

  it('hold a row for each product, by state, property and product, as they stand after amendments', async () => {
    const lime = await aProduct(business.api, { name: '=Lime', epaNumber: '', licenseSkill: '' })
    const made = await added({
      products: [
        { productId, rate: 1.5, amount: 12 },
        { productId: lime.id, rate: 10, amount: 80 },
      ],
    })
    expect(rowsOf((await file('csv')).text)).toHaveLength(2)
    expect((await file('csv')).text).toContain("'=Lime")
    expect(rowsOf((await file('csv', '&state=SC')).text)).toHaveLength(0)
    expect(rowsOf((await file('csv', `&state=GA&propertyId=${propertyId}&productId=${lime.id}`)).text)).toHaveLength(2)
    expect(rowsOf((await file('csv', `&propertyId=${newId()}`)).text)).toHaveLength(0)
    await business.api.ok(recordsApi.amend, {
      params: { id: made.id },
      body: {
        ...aRecord(productId, luis.userId, { startedAt: made.facts.startedAt, endedAt: made.facts.endedAt }),
        reason: 'No lime',
        seen: 0,
      },
    })
    expect(rowsOf((await file('csv', `&productId=${lime.id}`)).text)).toHaveLength(0)
    expect((await business.api.ok(recordsApi.list, { query: { productId: lime.id } })).items).toEqual([])
    const pdf = await file('pdf')
    expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    const { items } = await business.api.ok(recordsApi.list, { query: {} })
    const asked = {
      business: 'Greenway',
      from: addDays(today(), -30),
      to: today(),
      what: 'Georgia',
      timeZone: 'America/New_York',
    }
    const paper = recordPaper(items, asked)
    const said = JSON.stringify(paper)
    expect(said).toContain(`Amended ${formatDay(today(), { year: true })}`)
    expect(said).not.toMatch(/\d{4}-\d{2}-\d{2}/)
  })

  it('are of one business, and of a year at most', async () => {
    const other = await aBusiness()
    await added()
    const { text } = await other.api.raw({
      method: 'GET',
      url: `/api/chemicals/records/csv?from=${addDays(today(), -30)}&to=${today()}`,
    })
    expect(rowsOf(text)).toEqual([])
    const long = await business.api.raw({
      method: 'GET',
      url: `/api/chemicals/records/pdf?from=${addDays(today(), -400)}&to=${today()}`,
    })
    expect(long.status).toBe(422)
  })
})

it('pages through the records, and says in which states there are any', async () => {
  for (let n = 0; n < 3; n++) await added()
  const first = await business.api.ok(recordsApi.list, { query: { limit: 2 } })
  expect([first.items.length, first.total, first.states]).toEqual([2, 3, ['GA']])
  const second = await business.api.ok(recordsApi.list, { query: { limit: 2, cursor: first.nextCursor ?? '' } })
  expect(second.items).toHaveLength(1)
  expect(second.nextCursor).toBeNull()
})
