import { describe, expect, it } from 'vitest'
import { type Api, runTasks } from '../../../test/api.ts'
import { aBusiness, aPerson } from '../../../test/factories.ts'
import { today } from '../../../test/field.ts'
import { importSamples } from '../../../test/import-samples.ts'
import { customersApi } from '../../customers/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { makeExport } from '../../invoices/exports/server/queries.ts'
import { jobsApi } from '../../jobs/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { importsApi } from '../contract.ts'

const check = async (api: Api, text: string, fileName = 'list.csv') => {
  const { id } = await api.ok(importsApi.create, { body: { fileName, text } })
  return api.ok(importsApi.check, { params: { id } })
}
const bringIn = async (
  api: Api,
  text: string,
  duplicates: 'skip' | 'update' | 'import' = 'skip',
  fileName = 'list.csv',
) => {
  const { id } = await check(api, text, fileName)
  await api.ok(importsApi.confirm, { params: { id }, body: { duplicates } })
  await runTasks()
  return api.ok(importsApi.get, { params: { id } })
}
const undo = async (api: Api, id: string) => {
  await api.ok(importsApi.undo, { params: { id } })
  await runTasks()
  return api.ok(importsApi.get, { params: { id } })
}
const words = async (api: Api, id: string, status: 'ok' | 'error' | 'duplicate' | 'written') =>
  (await api.ok(importsApi.rows, { params: { id }, query: { status, withReason: 'true' } })).items.flatMap((row) =>
    row.reasons.map((reason) => `${row.line}: ${reason.message}`),
  )
const jobs = async (api: Api) => (await api.ok(jobsApi.list, { query: { limit: 100 } })).items
const count = async (business: Awaited<ReturnType<typeof aBusiness>>, table: 'properties' | 'jobs' | 'services') =>
  Number(
    (
      await business.db((db) =>
        db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('businessId', '=', business.id)
          .executeTakeFirstOrThrow(),
      )
    ).count,
  )

describe('files of other programs', () => {
  it.each(importSamples.map((sample) => [sample.fileName, sample] as const))(
    'takes %s without a hand',
    async (_, { program, text, fileName, expects }) => {
      const business = await aBusiness()
      const { api } = business
      const found = await check(api, text, fileName)
      expect(found).toMatchObject({
        source: program,
        customerCount: expects.customers,
        jobCount: expects.jobs,
        balanceCents: expects.balanceCents,
        errorCount: expects.errors,
      })
      expect((await words(api, found.id, 'ok')).length).toBe(expects.leftOut)
      await api.ok(importsApi.confirm, { params: { id: found.id }, body: {} })
      await runTasks()
      const done = await api.ok(importsApi.get, { params: { id: found.id } })
      expect([done.status, done.customerCount, done.jobCount]).toEqual(['done', expects.customers, expects.jobs])
      expect([await count(business, 'properties'), await count(business, 'jobs')]).toEqual([
        expects.properties,
        expects.jobs,
      ])
      const { rows } = {
        rows: await business.db((db) =>
          db.selectFrom('customerBalances').select('balanceCents').where('businessId', '=', business.id).execute(),
        ),
      }
      expect(rows.reduce((sum, row) => sum + Number(row.balanceCents), 0)).toBe(expects.balanceCents)
      await undo(api, done.id)
      expect([await count(business, 'jobs'), (await api.ok(customersApi.list, {})).total]).toEqual([0, 0])
    },
  )
})

describe('jobs', () => {
  const header = 'Name,Street,Email,Service,Frequency,Day,Start date,Price'

  it('books them with their recurrence, and names what it cannot be sure of', async () => {
    const { api } = await aBusiness()
    const done = await bringIn(
      api,
      `${header}\nAnn,1 Oak St,a@x.test,Mowing,Weekly,Tuesday,3/3/2026,45\nBob,2 Oak St,b@x.test,Mowing,Biweekly,,,45\nCid,3 Oak St,c@x.test,Mowing,Now and then,,3/3/2026,45\nDot,4 Oak St,d@x.test,Mowing,Weekly,Mon/Thu,,45`,
    )
    expect(done).toMatchObject({ customerCount: 4, jobCount: 2 })
    const booked = await jobs(api)
    expect(booked.map((job) => [job.customerName, job.title, job.perVisitCents]).sort()).toEqual([
      ['Ann', 'Mowing', 4500],
      ['Dot', 'Mowing', 4500],
    ])
    expect(booked.find((job) => job.customerName === 'Ann')?.scheduleText).toMatch(/Tue/)
    expect(booked.every((job) => job.openVisits > 0)).toBe(true)
    const left = await api.ok(importsApi.rows, {
      params: { id: done.id },
      query: { status: 'written', withReason: 'true' },
    })
    expect(left.items.map((row) => row.reasons[0]?.message)).toEqual([
      '"Biweekly" needs a first day to count from. Book "Mowing" by hand, or add the day to the file.',
      '"Now and then" does not say how often for sure. Book "Mowing" by hand.',
    ])
  })

  it('books them for who is there already, by number, address, e-mail or name, and takes all of it back', async () => {
    const business = await aBusiness()
    const { api } = business
    await bringIn(
      api,
      'Customer ID,Name,Street,Email\n7,Ann,1 Oak St,a@x.test\n8,Bob,2 Oak St,\n8,Bob,3 Oak St,\n9,Cid,4 Oak St,',
    )
    const services = await count(business, 'services')
    const done = await bringIn(
      api,
      'Customer ID,Name,Street,Email,Service,Frequency,Day,Price\n7,Someone,,,Mowing X,Weekly,Mon,40\n,Bob,3 Oak Street,,Mowing X,Weekly,Mon,41\n,Cid,,,Mowing X,Weekly,Mon,42\n8,Bob,,,Mowing X,Weekly,Mon,43\n,Nobody,,,Mowing X,Weekly,Mon,44',
    )
    expect(done).toMatchObject({ customerCount: 0, jobCount: 3, errorCount: 2 })
    expect((await jobs(api)).map((job) => [job.customerName, job.street]).sort()).toEqual([
      ['Ann', '1 Oak St'],
      ['Bob', '3 Oak St'],
      ['Cid', '4 Oak St'],
    ])
    expect(await words(api, done.id, 'error')).toEqual([
      '5: Bob has 2 properties and the row does not say which. The job was not booked.',
      '6: The street is empty.',
    ])
    expect(await count(business, 'services')).toBe(services + 1)
    expect(await undo(api, done.id)).toMatchObject({ status: 'undone', remainingCount: 0 })
    expect([await count(business, 'jobs'), await count(business, 'services')]).toEqual([0, services])
    expect((await api.ok(customersApi.list, {})).total).toBe(3)
  })

  it('is for who may see money', async () => {
    const business = await aBusiness()
    const { api } = await aPerson(business.id, 'Admin', { permissions: ['customers', 'schedule'] })
    const { id } = await api.ok(importsApi.create, {
      body: { fileName: 'a.csv', text: `${header}\nAnn,1 Oak St,,Mowing,Weekly,Mon,,45` },
    })
    const refused = await api.call(importsApi.check, { params: { id } })
    expect([refused.status, refused.error.errors?.[0]?.message]).toEqual([422, expect.stringContaining('permissions')])
  })
})

describe('open balances', () => {
  it('stand as an invoice that says from where, outside of income, and are voided by an undo', async () => {
    const { api } = await aBusiness()
    const text =
      'Name,Street,Open balance,Balance date\nAnn,1 Oak St,$120.00,1/31/2026\nBob,2 Oak St,abc,\nCid,3 Oak St,($15.00),'
    const done = await bringIn(api, text, 'skip', 'old books.csv')
    expect(done).toMatchObject({ customerCount: 3, balanceCents: 12000 })
    const [invoice] = (await api.ok(invoicesApi.list, { query: {} })).items
    const full = await api.ok(invoicesApi.get, { params: { id: invoice?.id ?? '' } })
    expect([full.totalCents, full.taxCents, full.lines.map((line) => line.description)]).toEqual([
      12000,
      0,
      ['Opening balance as of Sat, Jan 31, 2026, brought from old books.csv'],
    ])
    const journal = await api.raw({ method: 'GET', url: `/api/books/csv?kind=journal&from=${today()}&to=${today()}` })
    const of = (account: string) => journal.text.split('\r\n').filter((row) => row.includes(`,${account},`)).length
    // it was income of the former books
    expect([of('Opening Balance Equity'), of('Services'), of('Accounts Receivable')]).toEqual([1, 0, 1])
    const undone = await undo(api, done.id)
    expect(undone).toMatchObject({ status: 'undone', remainingCount: 0 })
    expect(await words(api, done.id, 'written')).toEqual([
      '2: Stays, archived: its opening balance was voided, and your books keep that.',
    ])
  })
})

it('a credit on an open balance takes nothing off the untaxed work of the tax report', async () => {
  const own = await aBusiness()
  await bringIn(own.api, 'Name,Street,Open balance\nAnn,1 Oak St,$120.00', 'skip', 'old books.csv')
  const [invoice] = (await own.api.ok(invoicesApi.list, { query: {} })).items
  const params = { id: invoice?.id ?? '' }
  await own.api.ok(correctionsApi.creditInvoice, { params, body: { amountCents: 2000, reason: 'Old dispute' } })
  const { text } = await own.db((db) => makeExport(db, 'tax', { from: today(), to: today() }))
  expect(text).not.toContain('-20.00')
})

it('reads the numbers of a European file as they are meant, and names a credit in dollars', async () => {
  const business = await aBusiness()
  const { api } = business
  const found = await bringIn(
    api,
    'Name;Street;Lawn size;Balance\nAnn;1 Oak St;7.200;1.234,50\nBob;2 Oak St;7200,5;45,50\nCid;3 Oak St;7,200;-30',
  )
  expect(found.balanceCents).toBe(123450 + 4550)
  const lawns = await business.db((db) =>
    db
      .selectFrom('properties')
      .select(['street', 'lawnSquareFeet'])
      .where('businessId', '=', business.id)
      .orderBy('street')
      .execute(),
  )
  expect(lawns.map((one) => one.lawnSquareFeet)).toEqual([7200, 7201, 7200])
  expect(await words(api, found.id, 'written')).toEqual([expect.stringContaining('They have a credit of $30.00.')])
})

it('takes the shipping address of QuickBooks for the property, and the billing address for the bills', async () => {
  const business = await aBusiness()
  const { api } = business
  await bringIn(
    api,
    'Customer,Phone Numbers,Billing Address,Shipping Address\nReed LLC,,"9 Harrow St, Savannah, GA 31401","12 Site Rd, Pooler, GA 31322"\nAnn,,"1 Oak St, Savannah, GA 31401","1 Oak St, Savannah, GA 31401"\nBob,,"2 Oak St, Savannah, GA 31401",',
  )
  const rows = await business.db((db) =>
    db
      .selectFrom('customers as c')
      .innerJoin('properties as p', (join) =>
        join.onRef('p.businessId', '=', 'c.businessId').onRef('p.customerId', '=', 'c.id'),
      )
      .select(['c.name', 'p.street', 'p.city', 'c.billingStreet', 'c.billingCity', 'c.billingZip'])
      .where('c.businessId', '=', business.id)
      .orderBy('c.name')
      .execute(),
  )
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['Ann', '1 Oak St', 'Savannah', null, null, null],
    ['Bob', '2 Oak St', 'Savannah', null, null, null],
    ['Reed LLC', '12 Site Rd', 'Pooler', '9 Harrow St', 'Savannah', '31401'],
  ])
})

it('blames the plan for nobody who is archived in the file', async () => {
  const { api } = await aBusiness()
  const done = await bringIn(api, 'Name,Street,Archived\nAnn,1 Oak St,true\nBob,2 Oak St,false')
  expect(done).toMatchObject({ customerCount: 2, archivedCount: 0 })
  expect((await api.ok(customersApi.list, { query: { archived: 'true' } })).items.map(({ name }) => name)).toEqual([
    'Ann',
  ])
})

describe('the same file again', () => {
  it.each(
    importSamples
      .filter(({ expects }) => expects.jobs + expects.balanceCents > 0)
      .map((one) => [one.fileName, one] as const),
  )('doubles neither jobs nor balances of %s', async (_, { text, fileName }) => {
    const { api } = await aBusiness()
    await bringIn(api, text, 'skip', fileName)
    const before = (await jobs(api)).length
    expect(await check(api, text, fileName)).toMatchObject({
      customerCount: 0,
      jobCount: 0,
      balanceCents: 0,
      okCount: 0,
    })
    expect((await jobs(api)).length).toBe(before)
  })

  it('says what is there already, and takes what is new', async () => {
    const { api } = await aBusiness()
    const header = 'Name,Email,Street,Service,Frequency,Day,Price,Open balance'
    await bringIn(api, `${header}\nAnn,a@x.test,1 Oak St,Mowing,Weekly,Tue,45,60`)
    const again = await check(
      api,
      `${header}\nAnn,a@x.test,1 Oak St,mowing,Weekly,Tuesday,48,$60.00\nAnn,a@x.test,1 Oak St,Mulch,Monthly on the first Monday,,80,\nAnn,a@x.test,2 Oak St,Mowing,Weekly,Tue,45,70\nAnn,a@x.test,1 Oak St,,,,,61`,
    )
    expect(again).toMatchObject({ okCount: 2, duplicateCount: 2, jobCount: 2, balanceCents: 0 })
    expect(await words(api, again.id, 'duplicate')).toEqual([
      '2: Ann has the job "mowing" already; left out.',
      '2: Ann has an opening balance of $60.00 already; left out.',
      '5: Ann has an opening balance of $60.00 already; left out.',
    ])
    expect(await words(api, again.id, 'ok')).toEqual(['4: Ann has an opening balance of $60.00 already; left out.'])
  })
})

it('books a line that stands in the file twice once, and says where the first one is', async () => {
  const { api } = await aBusiness()
  const header = 'Name,Email,Street,Service,Frequency,Day,Price,Open balance'
  const twice = 'Ann,a@x.test,1 Oak St,Mowing,Weekly,Tue,45,60'
  const text = `${header}\n${twice}\n${twice}\nAnn,a@x.test,1 Oak St,Mowing,Weekly,Fri,45,`
  const dry = await check(api, text)
  expect(dry).toMatchObject({ okCount: 2, duplicateCount: 1, jobCount: 2, balanceCents: 6000 })
  expect(await words(api, dry.id, 'duplicate')).toEqual(['3: Line 2 brings the same job of Ann; left out.'])
  await bringIn(api, text)
  expect(await jobs(api)).toHaveLength(2)
})

it('brings back from the archive whom it gives work or money, and an undo archives them again', async () => {
  const { api } = await aBusiness()
  const text = 'Name,Email,Street,Open balance\nAnn,a@x.test,1 Oak St,$60.00\nBob,b@x.test,2 Oak St,'
  const active = async () => (await api.ok(customersApi.list, {})).items.map(({ name }) => name).sort()
  await undo(api, (await bringIn(api, text)).id)
  expect(await active()).toEqual([])
  const again = await check(api, text)
  expect(again).toMatchObject({ customerCount: 1, okCount: 2, balanceCents: 6000 })
  expect(await words(api, again.id, 'ok')).toEqual(['2: Ann is in the archive and comes back with this row.'])
  await api.ok(importsApi.confirm, { params: { id: again.id }, body: {} })
  await runTasks()
  expect(await active()).toEqual(['Ann', 'Bob'])
  expect(await undo(api, again.id)).toMatchObject({ status: 'undone', remainingCount: 0 })
  expect(await active()).toEqual([])
})

describe('doubles', () => {
  it('fill what is empty, and an undo empties it again', async () => {
    const { api } = await aBusiness()
    await api.ok(customersApi.create, { body: { name: 'Ann', phone: '9125550101', notes: 'Old' } })
    const done = await bringIn(
      api,
      'Name,Street,Phone,Email,Notes\nAnn Lee,1 Oak St,912-555-0101,ann@x.test,New\nBob,2 Oak St,,,',
      'update',
    )
    expect(done).toMatchObject({ customerCount: 1, doneCount: 2 })
    const [ann] = (await api.ok(customersApi.list, { query: { q: 'ann' } })).items
    expect(ann).toMatchObject({ name: 'Ann', email: 'ann@x.test', street: '1 Oak St' })
    await undo(api, done.id)
    const [again] = (await api.ok(customersApi.list, {})).items
    expect(again).toMatchObject({ name: 'Ann', email: null, phone: '+19125550101' })
  })

  it('remembers by hand how a file is matched', async () => {
    const { api } = await aBusiness()
    const first = await api.ok(importsApi.create, { body: { fileName: 'a.csv', text: 'Aa,Bb\nAnn Lee,1 Oak St' } })
    await api.ok(importsApi.setMapping, { params: { id: first.id }, body: { mapping: ['name', 'street'] } })
    await api.ok(importsApi.check, { params: { id: first.id } })
    await api.ok(importsApi.confirm, { params: { id: first.id }, body: {} })
    const second = await api.ok(importsApi.create, { body: { fileName: 'b.csv', text: 'Aa,Bb\nBob,2 Oak St' } })
    expect([second.mapping, second.remembered]).toEqual([['name', 'street'], true])
  })
})
