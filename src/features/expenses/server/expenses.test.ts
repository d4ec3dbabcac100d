import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { addDays } from '../../../shared/dates.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, today } from '../../../test/field.ts'
import { closingApi } from '../../invoices/closing/contract.ts'
import { categoriesApi } from '../categories/contract.ts'
import { expensesApi } from '../contract.ts'

let own: TestBusiness
let fuel: string
let materials: string

beforeEach(async () => {
  own = await aBusiness()
  const { items } = await own.api.ok(categoriesApi.list, {})
  fuel = items.find(({ code }) => code === 'fuel')?.id ?? ''
  materials = items.find(({ code }) => code === 'materials')?.id ?? ''
})

const draft = (more = {}) => ({
  day: today(),
  categoryId: fuel,
  vendor: 'Parker’s Kitchen',
  totalCents: 8450,
  method: 'card' as const,
  ...more,
})
const add = (more = {}) => own.api.ok(expensesApi.create, { body: draft(more) })
const list = (query = {}) => own.api.ok(expensesApi.list, { query })
const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#eee' } })
    .jpeg()
    .toBuffer()

describe('the list', () => {
  it('filters by each thing, and a split expense counts with what was for that crew', async () => {
    const { jobId, visitId } = await aVisit(own)
    const [one, two] = [await aCrew(own), await aCrew(own)]
    await add({ totalCents: 1000 })
    await add({
      totalCents: 6001,
      categoryId: materials,
      vendor: 'SiteOne',
      method: 'account',
      parts: [
        { amountCents: 4001, crewId: one, vehicle: 'Truck 1', jobId, visitId },
        { amountCents: 2000, crewId: two },
      ],
    })
    const person = await own.employee({ name: 'Ben Ortiz' })
    await add({
      totalCents: 2500,
      vendor: 'Lowe’s',
      categoryId: materials,
      method: 'personal',
      paidByUserId: person.userId,
    })
    const lastMonth = addDays(`${today().slice(0, 7)}-01`, -1)
    await add({ totalCents: 777, day: lastMonth })
    const sum = async (query: object) => {
      const { count, totalCents, items } = await list(query)
      return [items.length, count, totalCents]
    }
    expect(await sum({})).toEqual([3, 3, 9501])
    expect(await sum({ crewId: one })).toEqual([1, 1, 4001])
    expect(await sum({ crewId: two })).toEqual([1, 1, 2000])
    expect(await sum({ vehicle: 'Truck 1' })).toEqual([1, 1, 4001])
    expect(await sum({ jobId })).toEqual([1, 1, 4001])
    expect(await sum({ vendor: 'siteone' })).toEqual([1, 1, 6001])
    expect(await sum({ method: 'personal' })).toEqual([1, 1, 2500])
    expect(await sum({ paidByUserId: person.userId })).toEqual([1, 1, 2500])
    expect(await sum({ categoryId: fuel })).toEqual([1, 1, 1000])
    expect(await sum({ search: 'lowe' })).toEqual([1, 1, 2500])
    expect(await sum({ from: lastMonth, to: today() })).toEqual([4, 4, 10_278])
    const { categories, totalCents } = await list({})
    expect(categories.reduce((all, row) => all + row.cents, 0)).toBe(totalCents)
    const year = await own.api.ok(expensesApi.totals, { query: { year: Number(today().slice(0, 4)) } })
    expect(year.totalCents[Number(today().slice(5, 7)) - 1]).toBe(9501)
    const far = await own.api.call(expensesApi.list, { query: { from: '2020-01-01', to: today() } })
    expect([far.status, far.error.errors?.[0]?.path]).toEqual([422, 'from'])
  })

  it('goes on page by page in each order, none twice', async () => {
    for (let n = 0; n < 5; n++) await add({ totalCents: 100 + (n % 2), vendor: `Vendor ${n}` })
    for (const sort of ['day', 'total', 'vendor'] as const) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await list({ sort, limit: 2, ...(cursor ? { cursor } : {}) })
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(new Set(seen).size).toBe(5)
      expect(seen).toHaveLength(5)
    }
  })
})

describe('one expense', () => {
  it('is refused where it does not add up, names what is not ours, or has not come', async () => {
    const say = async (more: object) => {
      const { status, error } = await own.api.call(expensesApi.create, { body: draft(more) })
      return [status, error.errors?.[0]?.path]
    }
    expect(await say({ taxCents: 9000 })).toEqual([422, 'taxCents'])
    expect(await say({ parts: [{ amountCents: 8449 }] })).toEqual([422, 'parts'])
    expect(await say({ method: 'personal' })).toEqual([422, 'paidByUserId'])
    expect(await say({ reimbursedOn: today() })).toEqual([422, 'reimbursedOn'])
    expect(await say({ day: addDays(today(), 1) })).toEqual([422, 'day'])
    expect(await say({ categoryId: newId() })).toEqual([422, 'categoryId'])
    const other = await aBusiness()
    expect(await say({ parts: [{ amountCents: 8450, crewId: await aCrew(other) }] })).toEqual([404, undefined])
    const { jobId, visitId } = await aVisit(other)
    expect(await say({ parts: [{ amountCents: 8450, jobId }] })).toEqual([404, undefined])
    expect(await say({ parts: [{ amountCents: 8450, visitId }] })).toEqual([404, undefined])
    expect((await list()).count).toBe(0)
  })

  it('keeps its parts adding up whoever writes', async () => {
    const { id } = await add()
    await expect(
      own.db((db) => sql`update expenses set total_cents = 1 where business_id = ${own.id} and id = ${id}`.execute(db)),
    ).rejects.toThrow(/do not add up/)
    await expect(
      own.db((db) => sql`delete from expense_parts where business_id = ${own.id}`.execute(db)),
    ).rejects.toThrow(/do not add up/)
  })

  it('is asked about when the same vendor, amount and day stand already, and saved when it is another', async () => {
    const first = await add()
    const again = await own.api.call(expensesApi.create, { body: draft({ vendor: 'PARKER’S KITCHEN' }) })
    expect([again.status, again.error.details?.sameId]).toEqual([409, first.id])
    expect(again.error.message).toContain('$84.50 at PARKER’S KITCHEN on this day is in the books already')
    await add({ isAnother: true })
    expect((await list()).count).toBe(2)
    // one that was removed is no double
    await own.api.ok(expensesApi.remove, { params: { id: first.id }, body: { version: first.version } })
  })

  it('is changed over what was seen, removed and brought back', async () => {
    const made = await add()
    const body = { ...draft({ totalCents: 9000, categoryId: materials }), version: made.version }
    const changed = await own.api.ok(expensesApi.update, { params: { id: made.id }, body })
    expect([changed.totalCents, changed.parts[0]?.amountCents, changed.category.id]).toEqual([9000, 9000, materials])
    const old = await own.api.call(expensesApi.update, { params: { id: made.id }, body })
    expect([old.status, old.error.code]).toEqual([409, 'version_conflict'])
    const gone = await own.api.ok(expensesApi.remove, { params: { id: made.id }, body: { version: changed.version } })
    expect([gone.removed, gone.can.update, gone.can.restore]).toEqual([true, false, true])
    expect((await list()).count).toBe(0)
    const late = await own.api.call(expensesApi.update, {
      params: { id: made.id },
      body: { ...body, version: gone.version },
    })
    expect([late.status, late.error.code]).toEqual([409, 'state_conflict'])
    await own.api.ok(expensesApi.restore, { params: { id: made.id }, body: { version: gone.version } })
    expect((await list()).totalCents).toBe(9000)
  })

  it('has its receipts: once by their id, seen, taken off', async () => {
    const { id } = await add()
    const photoId = newId()
    const send = async () =>
      own.api.ok(
        expensesApi.addPhoto,
        { params: { id }, query: { id: photoId }, body: await picture() },
        { 'content-type': 'image/jpeg' },
      )
    await send()
    const { receipts } = await send()
    expect(receipts).toHaveLength(1)
    expect((await own.api.raw({ method: 'GET', url: receipts[0]?.url ?? '' })).status).toBe(200)
    const other = await add({ totalCents: 1 })
    const elsewhere = await own.api.call(
      expensesApi.addPhoto,
      { params: { id: other.id }, query: { id: photoId }, body: await picture() },
      { 'content-type': 'image/jpeg' },
    )
    expect(elsewhere.status).toBe(409)
    const left = await own.api.ok(expensesApi.removePhoto, { params: { id, photoId } })
    expect(left.receipts).toEqual([])
    expect((await own.api.call(expensesApi.removePhoto, { params: { id: other.id, photoId } })).status).toBe(404)
  })

  it('knows vendors by how they were booked last, and what fuel cost each crew last', async () => {
    const crewId = await aCrew(own)
    await add({ day: addDays(today(), -2), vendor: 'Shell', totalCents: 4000, parts: [{ amountCents: 4000, crewId }] })
    await add({ vendor: 'shell', totalCents: 5100, parts: [{ amountCents: 5100, crewId }] })
    const { items } = await own.api.ok(expensesApi.vendors, { query: { search: 'she' } })
    expect(items).toEqual([{ vendor: 'shell', categoryId: fuel, method: 'card' }])
    const { quick, mailTo } = await own.api.ok(expensesApi.choices, {})
    expect(quick).toEqual([
      { crewId, code: 'fuel', categoryId: fuel, vendor: 'shell', totalCents: 5100, method: 'card' },
    ])
    expect(mailTo).toMatch(/^receipts\+/)
  })
})

it('in a closed month nothing is added, changed or removed, and nothing moves into it', async () => {
  const lastMonth = addDays(`${today().slice(0, 7)}-01`, -1)
  const old = await add({ day: lastMonth })
  const now = await add({ totalCents: 1 })
  await own.api.ok(closingApi.close, { body: { month: lastMonth.slice(0, 7), leaveOpen: true } })
  const refused = async (answer: Promise<{ status: number; error: { message: string } }>) => {
    const { status, error } = await answer
    expect([status, error.message]).toEqual([409, expect.stringMatching(/is closed.* or reopen the month at Invoices/)])
  }
  await refused(own.api.call(expensesApi.create, { body: draft({ day: lastMonth, totalCents: 2 }) }))
  const body = { ...draft({ totalCents: 3 }), version: 1 }
  await refused(own.api.call(expensesApi.update, { params: { id: old.id }, body }))
  await refused(own.api.call(expensesApi.update, { params: { id: now.id }, body: { ...body, day: lastMonth } }))
  await refused(own.api.call(expensesApi.remove, { params: { id: old.id }, body: { version: 1 } }))
  expect((await list({ from: lastMonth, to: today() })).totalCents).toBe(8451)
})

describe('categories', () => {
  it('begin with those of the field, are renamed, archived and restored; a name is there once', async () => {
    const { items } = await own.api.ok(categoriesApi.list, {})
    expect(items.map(({ code }) => code)).toContain('disposal')
    const first = items[0]
    const renamed = await own.api.ok(categoriesApi.rename, {
      params: { id: first?.id ?? '' },
      body: { name: 'Gas and diesel', version: first?.version ?? 0 },
    })
    expect([renamed.name, renamed.code]).toEqual(['Gas and diesel', 'fuel'])
    const twice = await own.api.call(categoriesApi.create, { body: { name: 'gas AND diesel' } })
    expect([twice.status, twice.error.errors?.[0]?.path]).toEqual([422, 'name'])
    const made = await own.api.ok(categoriesApi.create, { body: { name: 'Uniforms' } })
    const gone = await own.api.ok(categoriesApi.archive, { params: { id: made.id }, body: { version: made.version } })
    const booked = await own.api.call(expensesApi.create, { body: draft({ categoryId: made.id }) })
    expect([booked.status, booked.error.message]).toEqual([409, expect.stringContaining('“Uniforms” is archived')])
    await own.api.ok(categoriesApi.restore, { params: { id: made.id }, body: { version: gone.version } })
    await add({ categoryId: made.id })
    const stale = await own.api.call(categoriesApi.archive, { params: { id: made.id }, body: { version: 1 } })
    expect(stale.error.code).toBe('version_conflict')
  })
})

describe('a crew', () => {
  it('hands in its own receipts, sees only them, and the office looks at each once', async () => {
    const ben = await own.employee({ name: 'Ben Ortiz' })
    const ana = await own.employee()
    const crewId = await aCrew(own, { members: [ben] })
    const handed = await ben.api.ok(expensesApi.handIn, {
      body: { kind: 'fuel', totalCents: 6512, vendor: 'Shell', ownMoney: true },
    })
    expect(handed).toMatchObject({ state: 'waiting', sum: '$65.12', kind: 'fuel', pictures: 0 })
    const send = async (who: typeof ben, id: string) =>
      who.api.call(
        expensesApi.handInPhoto,
        { params: { id }, query: { id: newId() }, body: await picture() },
        { 'content-type': 'image/jpeg' },
      )
    expect((await send(ben, handed.id)).body.pictures).toBe(1)
    expect((await send(ana, handed.id)).status).toBe(404)
    expect((await ana.api.ok(expensesApi.ownReceipts, {})).items).toEqual([])
    expect((await ben.api.call(expensesApi.list, { query: {} })).status).toBe(403)
    const waiting = await list({ review: 'true' })
    expect([waiting.items.length, waiting.reviewCount]).toEqual([1, 1])
    // the list names what no month has yet, so that both sums can be told apart
    const before = await list()
    const ofMonth = async () =>
      (await own.api.ok(expensesApi.totals, { query: { year: Number(today().slice(0, 4)) } })).totalCents[
        Number(today().slice(5, 7)) - 1
      ]
    expect([before.waitingCents, before.totalCents - before.waitingCents]).toEqual([6512, await ofMonth()])
    const [row] = waiting.items
    expect([row?.paidBy?.name, row?.parts[0]?.crew?.id]).toEqual(['Ben Ortiz', crewId])
    await own.api.ok(expensesApi.update, {
      params: { id: handed.id },
      body: {
        ...draft({ totalCents: 6512, vendor: 'Shell', method: 'personal', paidByUserId: ben.userId }),
        reimbursedOn: today(),
        version: row?.version ?? 0,
      },
    })
    const after = await list()
    expect([after.reviewCount, after.waitingCents, after.totalCents]).toEqual([0, 0, await ofMonth()])
    expect((await ben.api.ok(expensesApi.ownReceipts, {})).items[0]?.state).toBe('paid_back')
  })

  it('is not let in where money is not seen', async () => {
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['customers'] })
    const { id } = await add()
    expect((await clerk.api.call(expensesApi.get, { params: { id } })).status).toBe(403)
    expect((await clerk.api.call(expensesApi.create, { body: draft() })).status).toBe(403)
    const other = await aBusiness()
    expect((await other.api.call(expensesApi.get, { params: { id } })).status).toBe(404)
  })
})
