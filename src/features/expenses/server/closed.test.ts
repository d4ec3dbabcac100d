import { beforeEach, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { resetClock, setClock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { aCrew } from '../../../test/field.ts'
import { closingApi } from '../../invoices/closing/contract.ts'
import { categoriesApi } from '../categories/contract.ts'
import { expensesApi } from '../contract.ts'
import { receiveReceiptMail } from '../mailin/server/commands.ts'
import { mileageApi } from '../mileage/contract.ts'
import { recurringApi } from '../recurring/contract.ts'
import { bookRecurring } from '../recurring/server/commands.ts'

const now = '2026-06-10'
let own: TestBusiness

beforeEach(async () => {
  setClock(() => new Date(`${now}T16:00:00Z`))
  own = await aBusiness()
  return resetClock
})

const closeThrough = (closedThrough: string) =>
  own.db((db) =>
    db
      .insertInto('monthClosings')
      .values({ businessId: own.id, id: newId(), seq: 1, action: 'closed', closedThrough, onDay: closedThrough })
      .execute(),
  )
const listed = async () =>
  (await own.api.ok(expensesApi.list, { query: { from: '2026-04-01', to: '2026-07-31', sort: 'day' } })).items
const category = async () => (await own.api.ok(categoriesApi.list, {})).items[0]?.id ?? ''

it('a receipt from a phone or by mail never lands in a closed month: it is dated in the open one and says so', async () => {
  const ben = await own.employee({ name: 'Ben Ortiz' })
  await closeThrough(now)
  await ben.api.ok(expensesApi.handIn, { body: { kind: 'fuel', totalCents: 4100, note: 'Truck 2' } })
  await receiveReceiptMail(own.id, {
    from: 'receipts@siteone.com',
    subject: 'Your receipt',
    text: 'Total: $107.00',
    messageId: 'one@siteone.com',
    files: [],
  } as never)
  const items = await listed()
  expect(items.map(({ source, day }) => [source, day]).sort()).toEqual([
    ['crew', '2026-06-11'],
    ['mail', '2026-06-11'],
  ])
  for (const { note } of items) expect(note).toContain('June 2026 was closed when it arrived here')
  expect(items.map(({ note }) => note).join(' ')).toContain('Truck 2')
})

it('a cost that comes again and whose days were closed before the night ran is booked in the open month, each day once', async () => {
  const cost = await own.api.ok(recurringApi.create, {
    body: {
      every: 'month',
      firstOn: '2026-06-20',
      categoryId: await category(),
      vendor: 'Auto-Owners',
      totalCents: 41_200,
      method: 'bank',
    },
  })
  expect(cost.nextOn).toBe('2026-06-20')
  await closeThrough('2026-07-31')
  setClock(() => new Date('2026-08-02T16:00:00Z'))
  const night = () => bookRecurring(systemActor(own.id))
  await Promise.all([night(), night()])
  await night()
  const late = await own.db((db) =>
    db.selectFrom('expenses').select(['day', 'note']).where('businessId', '=', own.id).execute(),
  )
  expect(late.map(({ day }) => day)).toEqual(['2026-08-02', '2026-08-02'])
  expect(late.map(({ note }) => note.slice(0, 20)).sort()).toEqual(['Paid on Mon, Jul 20,', 'Paid on Sat, Jun 20,'])
})

it('an owner books into a closed month with a reason, which stands in the history; nobody else does', async () => {
  await closeThrough('2026-05-31')
  const admin = await own.admin()
  const body = { day: '2026-05-20', categoryId: await category(), totalCents: 900, method: 'card' as const }
  const exceptionReason = 'The statement of the card came late'
  const refused = await own.api.call(expensesApi.create, { body })
  expect([refused.status, refused.error.details]).toEqual([409, { closedThrough: '2026-05-31' }])
  expect((await admin.api.call(expensesApi.create, { body: { ...body, exceptionReason } })).status).toBe(403)
  const made = await own.api.ok(expensesApi.create, { body: { ...body, exceptionReason } })
  const change = { ...body, totalCents: 1000, version: made.version }
  expect((await own.api.call(expensesApi.update, { params: { id: made.id }, body: change })).status).toBe(409)
  await own.api.ok(expensesApi.update, { params: { id: made.id }, body: { ...change, exceptionReason } })
  const { history } = await own.api.ok(closingApi.list, {})
  expect(history.filter(({ action }) => action === 'exception').map(({ detail, reason }) => [detail, reason])).toEqual([
    ['Expense of $10.00', exceptionReason],
    ['Expense of $9.00', exceptionReason],
  ])
})

it('an expense is taken out of a closed month, and put back, by an owner with a reason; by nobody else', async () => {
  const body = { day: '2026-05-20', categoryId: await category(), totalCents: 900, method: 'card' as const }
  const { id } = await own.api.ok(expensesApi.create, { body })
  await closeThrough('2026-05-31')
  const admin = await own.admin()
  const exceptionReason = 'It was booked twice'
  for (const verb of ['remove', 'restore'] as const) {
    const put = async (who: Pick<TestBusiness, 'api'>, why = {}) => {
      const { version } = await own.api.ok(expensesApi.get, { params: { id } })
      return who.api.call(expensesApi[verb], { params: { id }, body: { version, ...why } })
    }
    const refused = await put(own)
    expect([refused.status, refused.error.details]).toEqual([409, { closedThrough: '2026-05-31' }])
    expect((await put(own, { exceptionReason: ' ' })).status).toBe(422)
    expect((await put(admin, { exceptionReason })).status).toBe(403)
    expect((await own.api.ok(expensesApi.get, { params: { id } })).removed).toBe(verb === 'restore')
    expect((await put(own, { exceptionReason })).body.removed).toBe(verb === 'remove')
  }
  const { history } = await own.api.ok(closingApi.list, {})
  expect(history.filter(({ action }) => action === 'exception').map(({ detail, reason }) => [detail, reason])).toEqual([
    ['Expense of $9.00, put back', exceptionReason],
    ['Expense of $9.00, removed', exceptionReason],
  ])
})

it('a cost that comes again begins in no closed month, and says what to do', async () => {
  await closeThrough('2026-05-31')
  const body = {
    every: 'month' as const,
    firstOn: '2026-05-20',
    categoryId: await category(),
    totalCents: 900,
    method: 'bank' as const,
  }
  const refused = await own.api.call(recurringApi.create, { body })
  expect([refused.status, refused.error.errors?.[0]]).toEqual([
    422,
    { path: 'firstOn', message: expect.stringMatching(/^This month is closed\. Begin in an open one/) },
  ])
  expect((await own.api.ok(recurringApi.list, {})).items).toEqual([])
  expect(await listed()).toEqual([])
})

it('miles of a closed month stay as they are', async () => {
  const crewId = await aCrew(own)
  const set = (day: string, endMiles = 150) =>
    own.api.call(mileageApi.setOdometer, { body: { day, crewId, startMiles: 100, endMiles } })
  expect((await set('2026-05-20')).status).toBe(200)
  await closeThrough('2026-05-31')
  const clear = await own.api.call(mileageApi.clearOdometer, { body: { day: '2026-05-20', crewId } })
  for (const refused of [await set('2026-05-20', 190), await set('2026-05-21'), clear])
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('May 2026 is closed')])
  const { days } = await own.api.ok(mileageApi.month, { query: { month: '2026-05' } })
  expect(days.map(({ day, tenthMiles }) => [day, tenthMiles])).toEqual([['2026-05-20', 500]])
  expect((await set('2026-06-02')).status).toBe(200)
})

it('own money of a closed month is paid back in the open one by anybody of the office; no paying back is dated in the closed one', async () => {
  const worker = await own.employee()
  const body = {
    day: '2026-05-20',
    categoryId: await category(),
    totalCents: 900,
    method: 'personal' as const,
    paidByUserId: worker.userId,
  }
  const made = await own.api.ok(expensesApi.create, { body })
  await closeThrough('2026-05-31')
  const admin = await own.admin()
  const { id } = made
  const change = async (changes: object, who = admin) => {
    const { version } = await own.api.ok(expensesApi.get, { params: { id } })
    return who.api.call(expensesApi.update, { params: { id }, body: { ...body, version, ...changes } })
  }
  const refused = await change({ reimbursedOn: '2026-05-28' })
  expect([refused.status, refused.error.details]).toEqual([409, { closedThrough: '2026-05-31' }])
  for (const [reimbursedOn, word] of [
    ['2026-06-11', 'not come yet'],
    ['2026-05-19', 'before the day'],
  ]) {
    const wrong = await change({ reimbursedOn })
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'reimbursedOn'])
    expect(wrong.error.errors?.[0]?.message).toContain(word)
  }
  expect((await change({ reimbursedOn: '2026-06-09', note: 'By check' })).body).toMatchObject({
    day: '2026-05-20',
    reimbursedOn: '2026-06-09',
  })
  // what stands in the closed month stays as it is
  const others = {
    totalCents: 901,
    vendor: 'Shell',
    taxCents: 10,
    method: 'card',
    parts: [{ amountCents: 900, vehicle: 'Truck 2' }],
  }
  for (const [key, value] of Object.entries(others))
    expect([
      key,
      (await change({ [key]: value, ...(key === 'method' ? { paidByUserId: null } : { reimbursedOn: '2026-06-09' }) }))
        .status,
    ]).toEqual([key, 409])
  expect((await change({ reimbursedOn: null })).status).toBe(200)
  const later = { ...body, day: '2026-06-05' }
  expect((await own.api.call(expensesApi.create, { body: { ...later, reimbursedOn: '2026-05-15' } })).status).toBe(422)
})

it('a receipt without a sum that was left to review is dated in the open month by whoever reads it', async () => {
  await receiveReceiptMail(own.id, {
    from: 'receipts@siteone.com',
    subject: 'Your receipt',
    text: 'See the file',
    messageId: 'two@siteone.com',
    files: [],
  } as never)
  await own.db((db) => db.updateTable('expenses').set({ day: '2026-05-28' }).where('businessId', '=', own.id).execute())
  const open = (await own.api.ok(closingApi.check, { query: { month: '2026-05' } })).open
  expect(open.receipts).toEqual({ count: 1, totalCents: 0 })
  await closeThrough('2026-05-31')
  const admin = await own.admin()
  const [waiting] = await listed()
  const { id = '', version = 0 } = waiting ?? {}
  const body = { version, categoryId: await category(), totalCents: 4400, method: 'card' as const, vendor: 'Siteone' }
  const read = (day: string) => admin.api.call(expensesApi.update, { params: { id }, body: { ...body, day } })
  expect((await read('2026-05-28')).status).toBe(409)
  expect((await read(now)).body).toMatchObject({ day: now, totalCents: 4400, review: false })
})

it('a receipt that waits is in no books, and comes into those of the day that it is given: never into a closed month', async () => {
  const ben = await own.employee({ name: 'Ben Ortiz' })
  const handed = await ben.api.ok(expensesApi.handIn, { body: { kind: 'fuel', totalCents: 4100, vendor: 'Shell' } })
  expect((await ben.api.call(expensesApi.handIn, { body: { kind: 'fuel', totalCents: 500_001 } })).status).toBe(422)
  await own.db((db) => db.updateTable('expenses').set({ day: '2026-05-28' }).where('businessId', '=', own.id).execute())
  const file = async (kind: string) =>
    (await own.api.raw({ method: 'GET', url: `/api/books/csv?kind=${kind}&from=2026-05-01&to=2026-06-30` })).text
  const spent = async () =>
    (await own.api.ok(closingApi.check, { query: { month: '2026-05' } })).sums.spentCents +
    (await own.api.ok(closingApi.check, { query: { month: '2026-06' } })).sums.spentCents
  const year = async () =>
    (await own.api.ok(expensesApi.totals, { query: { year: 2026 } })).totalCents.reduce((a, b) => a + b)
  expect([await spent(), await year()]).toEqual([0, 0])
  expect(await file('expenses')).toContain('Not in it: 1 receipt waits to be looked at,,,41.00')
  for (const kind of ['expenses', 'journal', 'iif']) expect(await file(kind)).not.toContain('Shell')
  await closeThrough('2026-05-31')
  const admin = await own.admin()
  const body = { version: 1, categoryId: await category(), totalCents: 4100, method: 'card' as const, vendor: 'Shell' }
  const look = async (day: string) => {
    const { version } = await own.api.ok(expensesApi.get, { params: { id: handed.id } })
    return admin.api.call(expensesApi.update, { params: { id: handed.id }, body: { ...body, version, day } })
  }
  expect((await look('2026-05-28')).status).toBe(409)
  expect((await look(now)).status).toBe(200)
  expect([await spent(), await year()]).toEqual([4100, 4100])
  for (const kind of ['expenses', 'journal', 'iif']) expect(await file(kind)).toContain('Shell')
})
