import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { type Api, runTasks } from '../../../test/api.ts'
import { aBusiness } from '../../../test/factories.ts'
import { customersApi } from '../../customers/contract.ts'
import { importsApi } from '../contract.ts'

const upload = (api: Api, text: string, fileName = 'list.csv') =>
  api.ok(importsApi.create, { body: { fileName, text } })

const checked = async (api: Api, text: string) => {
  const made = await upload(api, text)
  return api.ok(importsApi.check, { params: { id: made.id } })
}

const confirmed = async (api: Api, text: string, duplicates: 'skip' | 'import' = 'skip') => {
  const { id } = await checked(api, text)
  await api.ok(importsApi.confirm, { params: { id }, body: { duplicates } })
  await runTasks()
  return api.ok(importsApi.get, { params: { id } })
}

const names = async (api: Api, query: Record<string, unknown> = {}) =>
  (await api.ok(customersApi.list, { query: query as never })).items.map((c) => c.name)

const reasons = async (api: Api, id: string, status: 'error' | 'duplicate' | 'written' | 'ok') =>
  (await api.ok(importsApi.rows, { params: { id }, query: { status, withReason: 'true' } })).items.map(
    (row) => `${row.line}: ${row.reasons.map((r) => r.message).join(' ')}`,
  )

const many = (count: number, from = 0) =>
  `name,street,zip\n${Array.from({ length: count }, (_, i) => `Customer ${String(from + i).padStart(5, '0')},${from + i} Oak St,31401`).join('\n')}`

describe('reading a file', () => {
  it.each([
    ['commas', 'name,street,city,phone\nAnn,1 Oak St,Pooler,9125550101\n'],
    [
      'another order and spelling',
      'Main Phone #,CITY,Customer Name,Service Street 1\n(912) 555-0101,Pooler,Ann,1 Oak St',
    ],
    ['semicolons and CRLF', 'Name;Street;City;Phone\r\nAnn;1 Oak St;Pooler;912-555-0101\r\n'],
    ['tabs and a byte order mark', '\uFEFFName\tStreet\tCity\tPhone\nAnn\t1 Oak St\tPooler\t9125550101'],
    [
      'quotes and lines above the header',
      'Customer list,,,\n,,,\nName,Street,City,Phone\n"Ann","1 Oak St","Pooler","912 555 0101"',
    ],
    ['the whole address in one cell', 'Client,Address,Mobile\nAnn,"1 Oak St, Pooler, GA 31322",9125550101'],
  ])('takes %s', async (_, text) => {
    const { api } = await aBusiness()
    const done = await confirmed(api, text)
    expect(done).toMatchObject({ status: 'done', okCount: 1, customerCount: 1, doneCount: 1 })
    const list = await api.ok(customersApi.list, {})
    expect(list.items).toMatchObject([{ name: 'Ann', street: '1 Oak St', city: 'Pooler', phone: '+19125550101' }])
  })

  it('shows samples and a proposal, and lets a person say it otherwise', async () => {
    const { api } = await aBusiness()
    const made = await upload(api, 'A,B,C\nAnn Lee,x,1 Oak St\nBob Ray,y,2 Oak St')
    expect(made.columns[0]).toEqual({ header: 'A', samples: ['Ann Lee', 'Bob Ray'] })
    expect(made.mapping).toEqual([null, null, 'street'])
    const params = { id: made.id }
    expect((await api.call(importsApi.check, { params })).status).toBe(422)
    const wrong = await api.call(importsApi.setMapping, { params, body: { mapping: ['name', 'name', 'street'] } })
    expect([wrong.status, wrong.error.errors?.[0]?.message]).toEqual([422, expect.stringContaining('Two columns')])
    expect((await api.call(importsApi.setMapping, { params, body: { mapping: ['name'] } })).status).toBe(422)
    await api.ok(importsApi.setMapping, { params, body: { mapping: ['name', null, 'street'] } })
    expect(await api.ok(importsApi.check, { params })).toMatchObject({ status: 'checked', okCount: 2 })
  })

  it('refuses what is no list with clear words', async () => {
    const { api } = await aBusiness()
    const words = async (text: string) =>
      (await api.call(importsApi.create, { body: { fileName: 'a.csv', text } })).error.errors?.[0]?.message
    expect(await words('name,street')).toContain('no row')
    expect(await words('\n\n')).toContain('no row')
    expect(await words('a,b\n'.repeat(50_002))).toContain('50,000')
    expect(await words(`${'x,'.repeat(400)}\n${'y,'.repeat(400)}`)).toContain('columns')
    const large = await api.call(importsApi.create, {
      body: { fileName: 'a.csv', text: `name,street\n${'x'.repeat(21 * 1024 * 1024)}` },
    })
    expect([large.status, large.error.message]).toEqual([413, expect.stringContaining('20 MB')])
  })
})

describe('the dry run', () => {
  const text = [
    'Name,Street,ZIP,Lat,Lon,Email,Phone,Lawn size',
    'Good One,1 Oak St,31401,32.05,-81.1,good@one.test,9125550101,5500',
    ',2 Oak St,31401,,,,,',
    'No Street,,31401,,,,,',
    'Far Off,4 Oak St,31401,200,-81,,,',
    'Bad Mail,5 Oak St,31401,,,nobody@,555,',
    'Big Lawn,6 Oak St,31401,,,,,huge',
    '',
    'Good Two,7 Oak St,31401,,,,,',
    'Copy of One,1 Oak Street,31401,,,,,',
    'Other Name,9 Oak St,31401,,,GOOD@one.test,,',
  ].join('\n')

  it('lists bad rows with line and reason, keeps the good ones, and writes nothing', async () => {
    const { api } = await aBusiness()
    const record = await checked(api, text)
    expect(record).toMatchObject({
      rowCount: 9,
      okCount: 5,
      errorCount: 2,
      duplicateCount: 2,
      customerCount: 5,
      archivedCount: 0,
    })
    expect(await reasons(api, record.id, 'error')).toEqual(['3: No name.', '4: The street is empty.'])
    expect(await reasons(api, record.id, 'ok')).toEqual([
      '5: Latitude 200 is not between -90 and 90.',
      '6: "nobody@" is not an e-mail address. "555" is not a phone number with ten digits.',
      '7: Lawn size "huge" is not a number of square feet.',
    ])
    expect(await reasons(api, record.id, 'duplicate')).toEqual([
      '10: Same address as line 2 (Good One).',
      '11: Same e-mail as line 2 (Good One).',
    ])
    expect(await names(api)).toEqual([])
    await runTasks()
    expect(await names(api)).toEqual([])

    await api.ok(importsApi.confirm, { params: { id: record.id }, body: {} })
    await runTasks()
    expect(await names(api)).toEqual(['Bad Mail', 'Big Lawn', 'Far Off', 'Good One', 'Good Two'])
    const map = await api.ok(customersApi.map, {})
    expect(Object.fromEntries(map.pins.map(({ name, quality }) => [name, quality]))).toMatchObject({
      'Good One': 'exact',
      'Good Two': 'zip',
      'Far Off': 'zip',
    })
  })

  it('gives the bad rows back as a file that can be fixed and brought again', async () => {
    const { api } = await aBusiness()
    const { id } = await checked(api, 'Name,Street\n=1+1,\nAnn,1 Oak St')
    const csv = await api.call(importsApi.rowsCsv, { params: { id }, query: {} })
    expect(csv.text).toBe("\uFEFFName,Street,Line in file,Problem\r\n'=1+1,,2,The street is empty.\r\n")
    await confirmed(api, csv.text.replace(',,2', ',9 Elm St,2'))
    expect(await names(api)).toEqual(['=1+1'])
  })

  it('finds customers who are there already, and brings them in twice only when told to', async () => {
    const { api } = await aBusiness()
    await api.ok(customersApi.create, {
      body: { name: 'Jane', email: 'jane@x.test', property: { street: '3 N Elm Street', zip: '31401' } },
    })
    const file =
      'name,street,zip,email\nJane D,8 Far Rd,31401,jane@x.test\nSomebody,3 North Elm St,31401-2200,\nNew,5 New St,31401,'
    const skipped = await confirmed(api, file)
    expect(skipped).toMatchObject({ okCount: 1, duplicateCount: 2, customerCount: 1 })
    expect(await reasons(api, skipped.id, 'duplicate')).toEqual([
      '2: Same e-mail as Jane, 3 N Elm Street.',
      '3: Same address as Jane, 3 N Elm Street.',
    ])
    expect(await names(api)).toEqual(['Jane', 'New'])
    const doubled = await confirmed(api, file, 'import')
    expect(doubled).toMatchObject({ okCount: 3, duplicateCount: 0, doneCount: 3 })
    expect(await names(api)).toEqual(['Jane', 'Jane D', 'New', 'New', 'Somebody'])
  })

  it('makes one customer with several properties of several rows of one person', async () => {
    const { api } = await aBusiness()
    const done = await confirmed(
      api,
      'name,street,email\nAnn,1 Oak St,ann@x.test\nBob,2 Oak St,bob@x.test\nANN,3 Oak St,Ann@x.test\nAnn,4 Oak St,',
    )
    expect(done).toMatchObject({ okCount: 4, customerCount: 3 })
    const list = await api.ok(customersApi.list, {})
    expect(list.items.map((c) => `${c.name} ${c.propertyCount}`).sort()).toEqual(['Ann 1', 'Ann 2', 'Bob 1'])
  })
})

describe('writing', () => {
  it('makes no doubles however often it is confirmed or run', async () => {
    const business = await aBusiness()
    const { api } = business
    const { id } = await checked(api, many(1_200))
    const key = { 'idempotency-key': newId() }
    const confirm = (headers = {}) => api.call(importsApi.confirm, { params: { id }, body: {} }, headers)
    const answers = await Promise.all([confirm(key), confirm(), confirm()])
    expect(answers.filter((a) => a.status === 200).length).toBeGreaterThan(0)
    await runTasks()
    expect((await confirm()).body.status).toBe('done')
    await runTasks()
    expect((await api.ok(customersApi.list, {})).total).toBe(1_200)
    const events = await business.db((db) =>
      db
        .selectFrom('events')
        .select('name')
        .where('businessId', '=', business.id)
        .where('name', '=', 'import.finished')
        .execute(),
    )
    expect(events).toHaveLength(1)
  })

  it('goes on where it was killed, with the same customers', async () => {
    const business = await aBusiness()
    const { api } = business
    const done = await confirmed(api, many(700))
    // as after a kill between the customers of the second chunk and its mark
    await business.db(async (db) => {
      await db
        .updateTable('importRows')
        .set({ status: 'ok' })
        .where('businessId', '=', business.id)
        .where('importId', '=', done.id)
        .where('line', '>', 400)
        .execute()
      await db
        .updateTable('imports')
        .set({ status: 'checked', doneCount: 399 })
        .where('businessId', '=', business.id)
        .where('id', '=', done.id)
        .execute()
    })
    await api.ok(importsApi.confirm, { params: { id: done.id }, body: {} })
    await runTasks()
    expect((await api.ok(customersApi.list, {})).total).toBe(700)
    const { count } = await business.db((db) =>
      db
        .selectFrom('properties')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('businessId', '=', business.id)
        .executeTakeFirstOrThrow(),
    )
    expect(count).toBe(700)
  })

  it('leaves out who came in since the check: one file confirmed in two tabs', async () => {
    const { api } = await aBusiness()
    const [a, b] = [await checked(api, many(20)), await checked(api, many(20))]
    for (const { id } of [a, b]) await api.ok(importsApi.confirm, { params: { id }, body: {} })
    await runTasks()
    expect((await api.ok(customersApi.list, {})).total).toBe(20)
    const late = await api.ok(importsApi.get, { params: { id: b.id } })
    expect([late.status, late.okCount + late.duplicateCount]).toEqual(['done', 20])
  })

  it('brings what the plan does not hold in as archived, ready to be switched on', async () => {
    const { api } = await aBusiness({ tier: 'basic' })
    await api.ok(customersApi.create, { body: { name: 'First' } })
    const before = await checked(api, many(30))
    expect(before).toMatchObject({
      customerCount: 30,
      archivedCount: 6,
      plan: { name: 'Basic', limit: 25, customers: 1, nextName: 'Pro' },
    })
    await api.ok(importsApi.confirm, { params: { id: before.id }, body: {} })
    await runTasks()
    expect(await api.ok(importsApi.get, { params: { id: before.id } })).toMatchObject({
      customerCount: 30,
      archivedCount: 6,
    })
    expect((await api.ok(customersApi.list, {})).total).toBe(25)
    expect(await names(api, { archived: 'true' })).toEqual(
      [24, 25, 26, 27, 28, 29].map((i) => `Customer ${String(i).padStart(5, '0')}`),
    )
  })

  it('keeps gate codes unreadable and names of every kind as they are', async () => {
    const business = await aBusiness()
    const list = ['Nguyễn', 'D\'Angelo ""Al""', '=1+1', 'N'.repeat(60), '王小明']
    await confirmed(
      business.api,
      `name,street,gate code\n${list.map((n, i) => `"${n}",${i} Oak St,47110${i}`).join('\n')}`,
    )
    expect(new Set(await names(business.api))).toEqual(new Set(list.map((n) => n.replaceAll('""', '"'))))
    const rows = await business.db((db) =>
      db.selectFrom('properties').selectAll().where('businessId', '=', business.id).execute(),
    )
    expect(rows.every((r) => r.gateCodeCipher !== null)).toBe(true)
    expect(JSON.stringify(rows.map((r) => r.gateCodeCipher))).not.toContain('47110')
  })
})

describe('undo', () => {
  it('removes what it made, except who has work or money since, and says who that is', async () => {
    const business = await aBusiness()
    const { api } = business
    await api.ok(customersApi.create, { body: { name: 'Before' } })
    const done = await confirmed(api, many(3))
    const [worked] = (await api.ok(customersApi.list, { query: { q: '00001' } })).items
    await business.db((db) =>
      db
        .insertInto('jobs')
        .values({
          businessId: business.id,
          id: newId(),
          number: 1,
          customerId: worked!.id,
          propertyId: worked!.propertyId!,
          title: 'Mow',
          startOn: '2026-01-01',
        })
        .execute(),
    )
    for (let i = 0; i < 2; i++) {
      await api.ok(importsApi.undo, { params: { id: done.id } })
      await runTasks()
    }
    expect(await api.ok(importsApi.get, { params: { id: done.id } })).toMatchObject({
      status: 'undone',
      remainingCount: 1,
    })
    expect(await names(api)).toEqual(['Before', 'Customer 00001'])
    expect(await reasons(api, done.id, 'written')).toEqual(['3: Stays: 1 job since the import.'])
    expect((await api.call(importsApi.confirm, { params: { id: done.id }, body: {} })).status).toBe(409)
  })

  it('is refused before an import is finished', async () => {
    const { api } = await aBusiness()
    const { id } = await checked(api, many(1))
    expect((await api.call(importsApi.undo, { params: { id } })).status).toBe(409)
    expect(
      (await api.call(importsApi.confirm, { params: { id: (await upload(api, many(1))).id }, body: {} })).status,
    ).toBe(409)
  })
})

it("answers 404 for another business's import, 403 to employees, 402 without a subscription", async () => {
  const mine = await aBusiness()
  const theirs = await upload((await aBusiness()).api, many(2))
  const worker = await mine.employee()
  const params = { id: theirs.id }
  const calls = (api: Api) =>
    Promise.all([
      api.call(importsApi.get, { params }),
      api.call(importsApi.rows, { params, query: {} }),
      api.call(importsApi.rowsCsv, { params, query: {} }),
      api.call(importsApi.setMapping, { params, body: { mapping: [] } }),
      api.call(importsApi.check, { params }),
      api.call(importsApi.confirm, { params, body: {} }),
      api.call(importsApi.undo, { params }),
    ])
  for (const answer of await calls(mine.api)) expect(answer.status).toBe(404)
  for (const answer of await calls(worker.api)) expect(answer.status).toBe(403)
  expect((await worker.api.call(importsApi.create, { body: { fileName: 'a', text: 'b' } })).status).toBe(403)
  expect((await mine.api.ok(importsApi.list, {})).items).toEqual([])
  const lapsed = await aBusiness({ status: 'canceled' })
  expect((await lapsed.api.call(importsApi.create, { body: { fileName: 'a', text: many(1) } })).status).toBe(402)
})
