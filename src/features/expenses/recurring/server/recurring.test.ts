import { beforeEach, expect, it } from 'vitest'
import { systemActor } from '../../../../platform/actor.ts'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { addDays, addMonths } from '../../../../shared/dates.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, today } from '../../../../test/field.ts'
import { categoriesApi } from '../../categories/contract.ts'
import { expensesApi } from '../../contract.ts'
import { recurringApi } from '../contract.ts'
import { bookRecurring } from './commands.ts'

let own: TestBusiness
let insurance: string
const now = today()

beforeEach(async () => {
  own = await aBusiness()
  const { items } = await own.api.ok(categoriesApi.list, {})
  insurance = items.find(({ code }) => code === 'insurance')?.id ?? ''
  return resetClock
})

const add = (more = {}) =>
  own.api.ok(recurringApi.create, {
    body: {
      every: 'month',
      firstOn: now,
      categoryId: insurance,
      vendor: 'Auto-Owners',
      totalCents: 41_200,
      method: 'bank',
      ...more,
    },
  })
const booked = async (query = {}) =>
  (await own.api.ok(expensesApi.list, { query: { from: addDays(now, -360), to: now, ...query } })).items
const night = () => bookRecurring(systemActor(own.id))

it('books what is due since its first day at once, and each day once however often the night runs', async () => {
  const crewId = await aCrew(own)
  const cost = await add({ firstOn: addMonths(now, -2), crewId })
  const days = () => booked().then((items) => items.map(({ day }) => day))
  expect(await days()).toEqual([now, addMonths(now, -1), addMonths(now, -2)])
  expect((await booked())[0]).toMatchObject({ source: 'recurring', parts: [{ crew: { id: crewId } }] })
  expect(cost.nextOn).toBe(addMonths(now, 1))
  await Promise.all([night(), night()])
  await night()
  expect(await days()).toHaveLength(3)
})

it('does not bring back what somebody removed, and books on after it', async () => {
  await add()
  const [one] = await booked()
  await own.api.ok(expensesApi.remove, { params: { id: one?.id ?? '' }, body: { version: one?.version ?? 0 } })
  await night()
  expect(await booked()).toEqual([])
  setClock(() => new Date(`${addMonths(now, 1)}T17:00:00Z`))
  await night()
  resetClock()
  const later = await own.api.ok(expensesApi.list, { query: { from: now, to: addMonths(now, 1) } })
  expect(later.items.map(({ day }) => day)).toEqual([addMonths(now, 1)])
})

it('changes only what comes, ends on its last day, and goes on without what came while it was off', async () => {
  const cost = await add({ firstOn: addMonths(now, -1) })
  const body = { ...cost, categoryId: insurance, crewId: null, totalCents: 50_000 }
  const changed = await own.api.ok(recurringApi.update, { params: { id: cost.id }, body })
  expect((await booked()).map(({ totalCents }) => totalCents)).toEqual([41_200, 41_200])
  const off = await own.api.ok(recurringApi.remove, { params: { id: cost.id }, body: { version: changed.version } })
  // two months go by
  await own.db((db) =>
    db
      .updateTable('recurringExpenses')
      .set({ nextOn: addMonths(now, -2) })
      .where('businessId', '=', own.id)
      .execute(),
  )
  await night()
  expect(await booked()).toHaveLength(2)
  const on = await own.api.ok(recurringApi.restore, { params: { id: cost.id }, body: { version: off.version } })
  expect([on.nextOn, (await booked()).length]).toEqual([now, 2])
  await night()
  expect(await booked()).toHaveLength(2)
  const ended = await own.api.ok(recurringApi.update, {
    params: { id: cost.id },
    body: { ...body, endOn: now, version: on.version },
  })
  expect(ended.nextOn).toBeNull()
  expect((await own.api.ok(recurringApi.list, {})).yearlyCents).toBe(0)
})

it('is refused from long ago, and its category stays while it is booked in', async () => {
  const old = await own.api.call(recurringApi.create, {
    body: { every: 'month', firstOn: addDays(now, -400), categoryId: insurance, totalCents: 1, method: 'bank' },
  })
  expect([old.status, old.error.errors?.[0]?.path]).toEqual([422, 'firstOn'])
  await add()
  const { items } = await own.api.ok(categoriesApi.list, {})
  const version = items.find(({ id }) => id === insurance)?.version ?? 0
  const kept = await own.api.call(categoriesApi.archive, { params: { id: insurance }, body: { version } })
  expect([kept.status, kept.error.message]).toEqual([409, expect.stringContaining('Auto-Owners')])
})
