import { describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/ids.ts'
import { addDays, dayOf } from '../../../shared/dates.ts'
import { type Api, apiFor } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import type { VisitStatus } from '../../visits/rules.ts'
import { customersApi } from '../contract.ts'
import { listPropertyIdsTx } from './queries.ts'

const make = (api: Api, name: string, changes: Record<string, unknown> = {}) =>
  api.ok(customersApi.create, { body: { name, ...changes } as never })

const at = (street: string, changes: Record<string, unknown> = {}) => ({
  property: { street, city: 'Savannah', state: 'GA', zip: '31401', ...changes },
})

const aJob = async (business: TestBusiness, customerId: string, propertyId: string) => {
  const id = newId()
  await business.db((db) =>
    db
      .insertInto('jobs')
      .values({
        businessId: business.id,
        id,
        number: Math.floor(Math.random() * 1e9),
        customerId,
        propertyId,
        title: 'Weekly mow',
        startOn: '2026-01-01',
      })
      .execute(),
  )
  return id
}

const aVisit = async (
  db: TenantDb,
  visit: { jobId: string; customerId: string; propertyId: string; day: string; crewId?: string; status?: VisitStatus },
) =>
  db
    .insertInto('visits')
    .values({
      businessId: db.businessId,
      id: newId(),
      occurrenceOn: visit.day,
      budgetMinutes: 30,
      priceCents: 4500,
      ...visit,
    })
    .execute()

const fill = async (business: TestBusiness, count: number) =>
  business.db((db) =>
    db
      .insertInto('customers')
      .values(
        Array.from({ length: count }, (_, i) => ({ businessId: business.id, id: newId(), name: `Customer ${i}` })),
      )
      .execute(),
  )

describe('creating', () => {
  it('saves the customer with the first property in one call, and reads both back', async () => {
    const { api } = await aBusiness()
    const made = await make(api, '  Ana Nguyễn ', {
      email: 'ANA@Example.Test',
      phone: '(912) 555-0123',
      tags: ['Front gate', 'Front gate'],
      ...at('12 Oak Street', {
        latitude: 32.05,
        longitude: -81.1,
        gateCode: '4711#',
        dog: 'Rex bites',
        mowHeightInches: 3.5,
      }),
    })
    expect(made).toMatchObject({
      name: 'Ana Nguyễn',
      email: 'ana@example.test',
      phone: '+19125550123',
      tags: ['Front gate'],
    })
    const got = await api.ok(customersApi.get, { params: { id: made.id } })
    expect(got.properties).toHaveLength(1)
    expect(got.properties[0]).toMatchObject({
      street: '12 Oak Street',
      geocodeQuality: 'manual',
      hasGateCode: true,
      dog: 'Rex bites',
    })
    expect(got).toMatchObject({ balanceCents: 0, jobs: [], nextVisits: [], invoices: { count: 0 } })
    expect(JSON.stringify(got)).not.toContain('4711')
  })

  it('makes one customer of a doubled click', async () => {
    const { api } = await aBusiness()
    const headers = { 'idempotency-key': newId() }
    const body = { name: 'Once', ...at('1 Once St') }
    const [first, second] = [
      await api.call(customersApi.create, { body }, headers),
      await api.call(customersApi.create, { body }, headers),
    ]
    expect(second.body.id).toBe(first.body.id)
    expect((await api.ok(customersApi.list, {})).total).toBe(1)
  })

  it.each([
    ['no name', { name: '   ' }, 'name'],
    ['a name of 121 characters', { name: 'x'.repeat(121) }, 'name'],
    ['a name with a null character', { name: 'A\u0000B' }, 'name'],
    ['half a character', { name: 'A\ud800' }, 'name'],
    ['no e-mail', { name: 'A', email: 'a@' }, 'email'],
    ['a short phone number', { name: 'A', phone: '555-0123' }, 'phone'],
    ['latitude 200', { name: 'A', property: { street: '1 A St', latitude: 200, longitude: 0 } }, 'property.latitude'],
    ['half a pin', { name: 'A', property: { street: '1 A St', latitude: 20 } }, 'property.longitude'],
    ['a ZIP code of three digits', { name: 'A', property: { street: '1 A St', zip: '374' } }, 'property.zip'],
    ['a billing ZIP code of letters', { name: 'A', billingZip: 'abcde' }, 'billingZip'],
    ['an empty street', { name: 'A', property: { street: ' ' } }, 'property.street'],
  ])('refuses %s by name of the field and writes nothing', async (_, body, path) => {
    const { api } = await aBusiness()
    const answer = await api.call(customersApi.create, { body: body as never })
    expect([answer.status, answer.error.errors?.map((e) => e.path)]).toEqual([422, [path]])
    expect((await api.ok(customersApi.list, {})).total).toBe(0)
  })

  it('takes names of 60 and of unusual characters as they are', async () => {
    const { api } = await aBusiness()
    for (const name of [
      'D\'Angelo "Al" O’Neil',
      '=1+1',
      '王小明 & Söhne GmbH',
      'N'.repeat(60),
      '<script>alert(1)</script>',
    ]) {
      const made = await make(api, name)
      expect((await api.ok(customersApi.get, { params: { id: made.id } })).name).toBe(name)
    }
  })

  it.each([
    ['e-mail', { email: 'JANE@first.test' }, ['email']],
    ['phone', { phone: '912.555.0144' }, ['phone']],
    ['address, spelled another way', at('400 N. Bull St', { unit: 'Apt 2' }), ['address']],
  ])('warns of the same %s, lists who it is, and goes on when told to', async (_, changes, matches) => {
    const { api } = await aBusiness()
    const first = await make(api, 'Jane First', {
      email: 'jane@first.test',
      phone: '9125550144',
      ...at('400 North Bull Street', { unit: '#2' }),
    })
    const headers = { 'idempotency-key': newId() }
    const answer = await api.call(customersApi.create, { body: { name: 'Second', ...changes } }, headers)
    expect(answer.status).toBe(409)
    expect(answer.error.details?.duplicates).toEqual([
      { customerId: first.id, name: 'Jane First', street: '400 North Bull Street', archived: false, matches },
    ])
    await make(api, 'Second', { ...changes, allowDuplicate: true })
    expect((await api.ok(customersApi.list, {})).total).toBe(2)
  })
})

describe('the limit of the plan', () => {
  it('refuses the 26th customer on basic, naming the plan that allows it; archived ones do not count', async () => {
    const business = await aBusiness({ tier: 'basic' })
    await fill(business, 24)
    const last = await make(business.api, 'The 25th')
    const refused = await business.api.call(customersApi.create, { body: { name: 'The 26th' } })
    expect([refused.status, refused.error.code]).toEqual([402, 'customer_limit_reached'])
    expect(refused.error.message).toContain('Pro')
    expect(refused.error.details).toMatchObject({ limit: 25, plan: 'pro' })
    await business.api.ok(customersApi.archive, { params: { id: last.id } })
    await make(business.api, 'The 26th')
    const back = await business.api.call(customersApi.unarchive, { params: { id: last.id } })
    expect([back.status, back.error.code]).toEqual([402, 'customer_limit_reached'])
    const all = await business.api.call(customersApi.bulk, {
      body: { choice: { filter: { archived: true } }, action: { kind: 'unarchive' } },
    })
    expect(all.status).toBe(402)
  })

  it('lets only one of many parallel creates through to the last place', async () => {
    const business = await aBusiness({ tier: 'basic' })
    await fill(business, 24)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => business.api.call(customersApi.create, { body: { name: `Racer ${i}` } })),
    )
    expect(answers.map((a) => a.status).sort()).toEqual([200, 402, 402, 402, 402, 402])
  })
})

describe('the list', () => {
  it('lists names where people look for them, whatever stands over their letters', async () => {
    const { api } = await aBusiness()
    for (const name of ['Zoe Adams', 'Évrard Petit', 'Ethan Gray', 'ana Ruiz', 'Ewa Nowak', 'Ñico Paz', 'Nora Quinn'])
      await make(api, name)
    const { items } = await api.ok(customersApi.list, {})
    expect(items.map((i) => i.name)).toEqual([
      'ana Ruiz',
      'Ethan Gray',
      'Évrard Petit',
      'Ewa Nowak',
      'Ñico Paz',
      'Nora Quinn',
      'Zoe Adams',
    ])
  })

  it('finds by words in name, company, e-mail, phone and street, and takes % literally', async () => {
    const { api } = await aBusiness()
    await make(api, 'Maria Lopez', { company: 'Habersham HOA', phone: '9125550171', ...at('9 Tidewater Way') })
    await make(api, 'Bob Stone', { email: 'bob@rocks.test', ...at('11 Vernon River Dr') })
    const names = async (q: string) => (await api.ok(customersApi.list, { query: { q } })).items.map((i) => i.name)
    expect(await names('lopez maria')).toEqual(['Maria Lopez'])
    expect(await names('habersham')).toEqual(['Maria Lopez'])
    expect(await names('rocks')).toEqual(['Bob Stone'])
    expect(await names('(912) 555-0171')).toEqual(['Maria Lopez'])
    expect(await names('555-0171')).toEqual(['Maria Lopez'])
    expect(await names('11 vernon')).toEqual(['Bob Stone'])
    expect(await names('%')).toEqual([])
  })

  it('filters by stage, tag, city, zip, job and archived, also with other spellings of one value', async () => {
    const business = await aBusiness()
    const { api } = business
    const a = await make(api, 'Ann', { tags: ['weekly'], ...at('1 A St') })
    await make(api, 'Ben', {
      stage: 'lead',
      tags: ['vip', 'weekly'],
      ...at('2 B St', { city: 'Pooler', zip: '31322-1234' }),
    })
    const c = await make(api, 'Cid', { stage: 'past' })
    await aJob(business, a.id, a.properties[0]!.id)
    await api.ok(customersApi.archive, { params: { id: c.id } })
    const names = async (query: Record<string, unknown>) =>
      (await api.ok(customersApi.list, { query: query as never })).items.map((i) => i.name)
    expect(await names({})).toEqual(['Ann', 'Ben'])
    expect(await names({ stage: ['lead', 'past'] })).toEqual(['Ben'])
    expect(await names({ tag: 'vip' })).toEqual(['Ben'])
    expect(await names({ city: 'pooler' })).toEqual(['Ben'])
    expect(await names({ zip: '31322' })).toEqual(['Ben'])
    expect(await names({ hasJob: 'true' })).toEqual(['Ann'])
    expect(await names({ hasJob: 'false' })).toEqual(['Ben'])
    expect(await names({ archived: 'true' })).toEqual(['Cid'])
    expect(await names({ unknown: 'ignored' })).toEqual(['Ann', 'Ben'])
  })

  it.each(['name', 'created', 'city'] as const)(
    'walks all pages by %s, each customer once, both ways',
    async (sort) => {
      const { api } = await aBusiness()
      for (let i = 0; i < 7; i++)
        await make(api, `Name ${i % 3}`, { allowDuplicate: true, ...at(`${i} St`, { city: `City ${i % 2}` }) })
      for (const order of ['asc', 'desc'] as const) {
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const page = await api.ok(customersApi.list, {
            query: { sort, order, limit: 3, ...(cursor ? { cursor } : {}) },
          })
          expect(page.total).toBe(7)
          seen.push(...page.items.map((i) => i.id))
          cursor = page.nextCursor ?? undefined
        } while (cursor)
        expect(new Set(seen).size).toBe(7)
        expect(seen).toHaveLength(7)
      }
      expect((await api.call(customersApi.list, { query: { cursor: 'junk' } })).status).toBe(422)
    },
  )

  it('says how many properties, the next visit and the balance, never the gate code', async () => {
    const business = await aBusiness()
    const { api } = business
    const a = await make(api, 'Ann', at('1 A St', { gateCode: '0815', lawnSquareFeet: 5500 }))
    const second = { street: '2 A St', city: 'Pooler', lawnSquareFeet: 8000 }
    await api.ok(customersApi.addProperty, { params: { id: a.id }, body: second })
    const propertyId = a.properties[0]!.id
    const jobId = await aJob(business, a.id, propertyId)
    const today = dayOf(clock.now(), 'America/New_York')
    await business.db(async (db) => {
      await aVisit(db, { jobId, customerId: a.id, propertyId, day: addDays(today, -3), status: 'completed' })
      await aVisit(db, { jobId, customerId: a.id, propertyId, day: addDays(today, 4) })
      await aVisit(db, { jobId, customerId: a.id, propertyId, day: addDays(today, 11) })
      for (const amountCents of [12_000, -2_000])
        await db
          .insertInto('ledgerEntries')
          .values({
            businessId: business.id,
            id: newId(),
            customerId: a.id,
            kind: amountCents > 0 ? 'invoice' : 'payment',
            amountCents,
            refType: 'test',
            refId: newId(),
            onDay: today,
          })
          .execute()
    })
    const answer = await api.call(customersApi.list, {})
    expect(answer.body.items[0]).toMatchObject({
      propertyCount: 2,
      lawnSquareFeet: 13_500,
      street: '1 A St',
      nextVisitDay: addDays(today, 4),
      balanceCents: 10_000,
      owedCents: 0,
    })
    expect(answer.text).not.toMatch(/0815|gate/i)
    const record = await api.ok(customersApi.get, { params: { id: a.id } })
    expect(record.nextVisits.map((v) => v.day)).toEqual([addDays(today, 4), addDays(today, 11)])
    expect(record.lastVisits.map((v) => v.status)).toEqual(['completed'])
    expect(record.jobs).toHaveLength(1)
    const map = await api.ok(customersApi.map, {})
    expect(map).toMatchObject({ pins: [], withoutPin: 2, leftOut: 0 })
    const property = await api.ok(customersApi.setLocation, {
      params: { id: propertyId },
      body: { latitude: 32.01, longitude: -81.2, version: 1 },
    })
    const late = await api.call(customersApi.setLocation, {
      params: { id: propertyId },
      body: { latitude: 33, longitude: -82, version: 1 },
    })
    expect([late.status, late.error.code, late.error.details?.version]).toEqual([
      409,
      'version_conflict',
      property.version,
    ])
    expect(property.geocodeQuality).toBe('manual')
    expect((await api.ok(customersApi.map, {})).pins).toMatchObject([
      { id: propertyId, customerId: a.id, nextVisitDay: addDays(today, 4) },
    ])
    const dispatcher = await business.admin()
    await business.db((db) =>
      db
        .updateTable('users')
        .set({ permissions: ['customers'] })
        .where('businessId', '=', business.id)
        .where('id', '=', dispatcher.userId)
        .execute(),
    )
    expect((await dispatcher.api.ok(customersApi.list, {})).items[0]?.balanceCents).toBeNull()
    expect((await dispatcher.api.ok(customersApi.get, { params: { id: a.id } })).invoices).toBeNull()
  })

  it('hands a batch the properties that themselves fit the filter', async () => {
    const { api, db } = await aBusiness()
    const a = await make(api, 'Ann', at('1 A St'))
    await api.ok(customersApi.addProperty, { params: { id: a.id }, body: { street: '2 A St', city: 'Pooler' } })
    await make(api, 'Ben', at('3 B St', { city: 'Pooler' }))
    const ids = async (filter: Parameters<typeof listPropertyIdsTx>[1]) =>
      (await db((d) => listPropertyIdsTx(d, filter))).length
    expect([await ids({}), await ids({ city: ['Pooler'] }), await ids({ q: 'ann', city: ['Pooler'] })]).toEqual([
      3, 2, 1,
    ])
  })
})

describe('changing', () => {
  it('refuses a stale version with words and keeps the newer state', async () => {
    const { api } = await aBusiness()
    const made = await make(api, 'Ann', at('1 A St'))
    const params = { id: made.id }
    await api.ok(customersApi.update, { params, body: { version: made.version, notes: 'newer' } })
    const late = await api.call(customersApi.update, { params, body: { version: made.version, notes: 'older' } })
    expect([late.status, late.error.code]).toEqual([409, 'version_conflict'])
    expect(late.error.details).toEqual({ version: made.version + 1 })
    expect((await api.ok(customersApi.get, { params })).notes).toBe('newer')
    const property = made.properties[0]!
    await api.ok(customersApi.updateProperty, { params: { id: property.id }, body: { version: 1, street: '1 B St' } })
    expect(
      (
        await api.call(customersApi.updateProperty, {
          params: { id: property.id },
          body: { version: 1, street: '1 C St' },
        })
      ).status,
    ).toBe(409)
  })

  it('tags many by filter, archives many, and leaves those with current work and says so', async () => {
    const business = await aBusiness()
    const { api } = business
    const a = await make(api, 'Ann', at('1 A St'))
    const b = await make(api, 'Ben', at('2 B St'))
    await aJob(business, a.id, a.properties[0]!.id)
    const bulk = (action: never, choice: never) => api.ok(customersApi.bulk, { body: { choice, action } })
    const everyone = { filter: { q: '' } } as never
    await bulk({ kind: 'tag', tag: 'spring' } as never, { ids: [a.id] } as never)
    const tagged = await bulk({ kind: 'tag', tag: 'spring' } as never, everyone)
    expect(tagged).toMatchObject({ changed: 1, changedIds: [b.id] })
    // taken back it is only taken from whom it was given to
    await bulk({ kind: 'untag', tag: 'spring' } as never, { ids: tagged.changedIds } as never)
    expect((await api.ok(customersApi.get, { params: { id: b.id } })).tags).toEqual([])
    await bulk({ kind: 'tag', tag: 'spring' } as never, everyone)
    expect(await bulk({ kind: 'tag', tag: 'spring' } as never, everyone)).toMatchObject({ changed: 0, changedIds: [] })
    expect((await api.ok(customersApi.get, { params: { id: a.id } })).tags).toEqual(['spring'])
    expect((await api.ok(customersApi.facets, {})).tags).toEqual([{ value: 'spring', count: 2 }])
    expect(await bulk({ kind: 'archive' } as never, { ids: [a.id, b.id] } as never)).toEqual({
      changed: 1,
      changedIds: [b.id],
      skipped: [{ id: a.id, name: 'Ann', reason: '1 current job' }],
      skippedCount: 1,
    })
    expect((await api.call(customersApi.archive, { params: { id: a.id } })).status).toBe(409)
    expect(await api.ok(customersApi.counts, {})).toMatchObject({ all: 1, archived: 1, withoutJob: 0, limit: null })
  })

  it('says of many where they came from, and gives each back what they had', async () => {
    const { api } = await aBusiness()
    const [a, b, c] = [await make(api, 'Ann'), await make(api, 'Ben'), await make(api, 'Cy')]
    const ids = [a.id, b.id, c.id]
    const bulk = (choice: string[], action: Record<string, unknown>) =>
      api.ok(customersApi.bulk, { body: { choice: { ids: choice }, action: action as never } })
    await bulk([a.id], { kind: 'source', source: 'Home show' })
    const set = await bulk(ids, { kind: 'source', source: 'Referral' })
    expect(set.changed).toBe(3)
    expect(await bulk(ids, { kind: 'source', source: 'Referral' })).toMatchObject({ changed: 0, changedIds: [] })
    const sources = () =>
      Promise.all(ids.map(async (id) => (await api.ok(customersApi.get, { params: { id } })).source))
    expect(await sources()).toEqual(['Referral', 'Referral', 'Referral'])
    expect((await api.ok(customersApi.facets, {})).sources).toEqual([{ value: 'Referral', count: 3 }])
    // a colleague knew better meanwhile
    await bulk([c.id], { kind: 'source', source: 'Ad' })
    await bulk(ids, { kind: 'sourceBack', were: set.sourcesWere })
    expect(await sources()).toEqual(['Home show', '', 'Ad'])
    const empty = await api.call(customersApi.bulk, {
      body: { choice: { ids }, action: { kind: 'source', source: ' ' } },
    })
    expect(empty.status).toBe(422)
  })

  it('exports what the filter means, formulas as text', async () => {
    const { api } = await aBusiness()
    await make(api, '=1+1', {
      phone: '9125550123',
      ...at('1 "A" St', { latitude: 32.5, longitude: -81.25, gateCode: '0815' }),
    })
    await make(api, 'Nguyễn', { stage: 'lead' })
    const csv = await api.call(customersApi.exportCsv, { query: { stage: 'active' } })
    expect(csv.headers['content-type']).toContain('text/csv')
    const [header, row, rest] = csv.text.split('\r\n')
    expect(header).toMatch(/^\uFEFFName,Company,Email,Phone,Street/)
    expect(row).toMatch(/^'=1\+1,,,\(912\) 555-0123,"1 ""A"" St",,Savannah,GA,31401,32.5,-81.25,/)
    expect(rest).toBe('')
    expect(csv.text).not.toContain('0815')
  })
})

describe('gate codes', () => {
  it('are stored unreadable, shown to the office and to the crew of the day, and every look is written down', async () => {
    const business = await aBusiness()
    const { api } = business
    const made = await make(api, 'Ann', at('1 A St', { gateCode: '4711#' }))
    const property = made.properties[0]!
    const params = { id: property.id }
    const stored = await business.db((db) =>
      db
        .selectFrom('properties')
        .select('gateCodeCipher')
        .where('businessId', '=', business.id)
        .executeTakeFirstOrThrow(),
    )
    expect(stored.gateCodeCipher).not.toContain('4711')
    expect(await api.ok(customersApi.revealGateCode, { params })).toEqual({ gateCode: '4711#' })

    const worker = await business.employee()
    expect((await worker.api.call(customersApi.revealGateCode, { params })).status).toBe(403)
    const today = dayOf(clock.now(), 'America/New_York')
    const jobId = await aJob(business, made.id, property.id)
    const crewId = newId()
    await business.db(async (db) => {
      await db
        .insertInto('crews')
        .values({ businessId: business.id, id: crewId, name: 'North', color: '#14432f' })
        .execute()
      await db
        .insertInto('crewMembers')
        .values({ businessId: business.id, id: newId(), crewId, userId: worker.userId, validFrom: '2020-01-01' })
        .execute()
      await aVisit(db, { jobId, customerId: made.id, propertyId: property.id, day: addDays(today, 1), crewId })
    })
    expect((await worker.api.call(customersApi.revealGateCode, { params })).status).toBe(403)
    await business.db((db) => aVisit(db, { jobId, customerId: made.id, propertyId: property.id, day: today, crewId }))
    expect(await worker.api.ok(customersApi.revealGateCode, { params })).toEqual({ gateCode: '4711#' })

    const looks = await business.db((db) =>
      db
        .selectFrom('gateCodeReveals')
        .select(['userId', 'visitId'])
        .where('businessId', '=', business.id)
        .orderBy('id')
        .execute(),
    )
    expect(looks.map((l) => l.userId)).toEqual([business.owner.userId, worker.userId])
    expect(looks[1]?.visitId).not.toBeNull()
    await api.ok(customersApi.updateProperty, { params, body: { version: 1, gateCode: null } })
    expect((await api.call(customersApi.revealGateCode, { params })).status).toBe(404)
    const log = await business.db((db) =>
      db.selectFrom('auditLog').selectAll().where('businessId', '=', business.id).execute(),
    )
    expect(JSON.stringify(log)).not.toContain('4711')
  })
})

describe('the walls', () => {
  it('answers 404 for another business, and 403 to employees', async () => {
    const mine = await aBusiness()
    const other = await aBusiness()
    const made = await make(other.api, 'Theirs', at('1 A St', { gateCode: '1' }))
    const worker = await mine.employee()
    const customer = { params: { id: made.id } }
    const property = { params: { id: made.properties[0]!.id } }
    const calls = (api: Api) => [
      api.call(customersApi.get, customer),
      api.call(customersApi.update, { ...customer, body: { version: 1, name: 'Mine' } }),
      api.call(customersApi.archive, customer),
      api.call(customersApi.unarchive, customer),
      api.call(customersApi.addProperty, { ...customer, body: { street: 'x' } }),
      api.call(customersApi.updateProperty, { ...property, body: { version: 1, street: 'x' } }),
      api.call(customersApi.setLocation, { ...property, body: { latitude: 1, longitude: 1, version: 1 } }),
      api.call(customersApi.archiveProperty, property),
      api.call(customersApi.unarchiveProperty, property),
    ]
    for (const answer of await Promise.all(calls(mine.api))) expect(answer.status).toBe(404)
    expect((await mine.api.call(customersApi.revealGateCode, property)).status).toBe(404)
    expect((await worker.api.call(customersApi.revealGateCode, property)).status).toBe(404)
    for (const answer of await Promise.all(calls(worker.api))) expect(answer.status).toBe(403)
    for (const path of ['', '/counts', '/map', '/facets', '/export.csv'])
      expect((await worker.api.raw({ url: `/api/customers${path}` })).status).toBe(403)
    const bulk = await mine.api.ok(customersApi.bulk, {
      body: { choice: { ids: [made.id] }, action: { kind: 'archive' } },
    })
    expect(bulk.changed).toBe(0)
    expect((await (await apiFor(other.owner)).ok(customersApi.get, customer)).archivedAt).toBeNull()
  })

  it('lets a business without a subscription read and export, not change', async () => {
    const { api } = await aBusiness({ tier: 'pro', status: 'canceled' })
    expect((await api.call(customersApi.list, {})).status).toBe(200)
    expect((await api.call(customersApi.exportCsv, {})).status).toBe(200)
    const refused = await api.call(customersApi.create, { body: { name: 'A' } })
    expect([refused.status, refused.error.code]).toEqual([402, 'subscription_required'])
  })
})
