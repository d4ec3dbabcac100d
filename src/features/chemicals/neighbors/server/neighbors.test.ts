import { afterEach, beforeEach, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { addDays, instantAt } from '../../../../shared/dates.ts'
import { apiFor } from '../../../../test/api.ts'
import { aProduct, aRecord, treatLawns } from '../../../../test/chemicals.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aVisit, everyDay } from '../../../../test/field.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { visitsApi } from '../../../visits/contract.ts'
import { recordsApi } from '../../records/contract.ts'
import { neighborsApi } from '../contract.ts'

const zone = 'America/New_York'
/** A Wednesday. */
const wednesday = '2026-06-10'
let business: TestBusiness
let propertyId: string
let visitId: string
afterEach(resetClock)

beforeEach(async () => {
  setClock(() => new Date(instantAt(wednesday, 9 * 60, zone)))
  business = await aBusiness({ workDays: everyDay })
  ;({ visitId, propertyId } = await aVisit(business, { day: '2026-06-15', street: '7 Bay St' }))
  await treatLawns(business)
})

const add = (name = 'Ann Beside') =>
  business.api.ok(neighborsApi.add, {
    params: { id: propertyId },
    body: { name, contact: '(912) 555-0147', askedOn: wednesday },
  })
const needs = async () => {
  const api = await apiFor(business.owner)
  return (await api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'neighbors')
}
const listed = async () => (await apiFor(business.owner)).ok(neighborsApi.ofVisit, { params: { visitId } })
const tell = async (neighborId: string, of = visitId) =>
  (await apiFor(business.owner)).call(neighborsApi.tell, {
    params: { visitId: of },
    body: { neighborId, how: 'Called' },
  })

it('who asked stands in "Needs you" until they are told, one business day before at the latest', async () => {
  expect(await needs()).toEqual([])
  const ann = await add()
  const bob = await add('Bob Beyond')
  expect(await needs()).toMatchObject([
    {
      visitId,
      tone: 'wait',
      title: '7 Bay St is treated Mon, Jun 15: Ann Beside and 1 more asked to be told before',
      detail: 'Tell them by Fri, Jun 12, one business day before',
    },
  ])
  setClock(() => new Date(instantAt('2026-06-12', 9 * 60, zone)))
  expect(await needs()).toMatchObject([{ tone: 'late', detail: 'Tell them today, one business day before' }])
  setClock(() => new Date(instantAt('2026-06-13', 9 * 60, zone)))
  expect((await needs())[0]?.detail).toContain('tell them now, or move the treatment')
  expect((await tell(ann.id)).body.told).toMatchObject({ how: 'Called', by: business.owner.name })
  expect((await needs())[0]?.title).toContain('Bob Beyond asked')
  await tell(bob.id)
  expect(await needs()).toEqual([])
})

it('told twice is told once; a treatment that moves is told again; what is no treatment asks nobody', async () => {
  const { id } = await add()
  const first = await tell(id)
  const again = await tell(id)
  expect(again.body.told).toEqual(first.body.told)
  const { version } = await business.api.ok(visitsApi.get, { params: { visitId } })
  await business.api.ok(visitsApi.move, { params: { visitId }, body: { day: '2026-06-12', crewId: null, version } })
  expect((await needs())[0]?.title).toContain('Fri, Jun 12')
  expect((await listed()).items[0]?.told).toBeNull()
  await business.db((db) =>
    db.updateTable('services').set({ category: 'mow' }).where('businessId', '=', business.id).execute(),
  )
  expect(await needs()).toEqual([])
})

it('one who takes it back is off the list and can come back; a later change is not written over', async () => {
  const { id } = await add()
  const set = (removed: boolean, version: number) =>
    business.api.call(neighborsApi.update, { params: { id }, body: { removed, version } })
  expect((await set(true, 1)).body.removed).toBe(true)
  expect(await needs()).toEqual([])
  expect((await set(false, 1)).error.code).toBe('version_conflict')
  expect((await set(false, 2)).status).toBe(200)
  expect(await needs()).toHaveLength(1)
})

it('a neighbor of another lawn, a day that has not come and a visit of another business are refused', async () => {
  const { id } = await add()
  const elsewhere = await aVisit(business, { day: '2026-06-15' })
  expect((await tell(id, elsewhere.visitId)).status).toBe(404)
  const other = await aBusiness()
  const theirs = await aVisit(other)
  expect((await tell(id, theirs.visitId)).status).toBe(404)
  const early = await business.api.call(neighborsApi.add, {
    params: { id: propertyId },
    body: { name: 'Ann', contact: 'x', askedOn: addDays(wednesday, 1) },
  })
  expect(early.error.errors?.[0]?.path).toBe('askedOn')
})

it('who was told stands in the record of the treatment, also when the list of neighbors is gone', async () => {
  const ann = await add()
  await tell(ann.id)
  setClock(() => new Date(instantAt('2026-06-15', 15 * 60, zone)))
  const api = await apiFor(business.owner)
  const product = await aProduct(api)
  const person = await business.employee({ name: 'Luis Ortega' })
  const made = await api.ok(recordsApi.add, { params: { visitId }, body: aRecord(product.id, person.userId) })
  await business.db((db) => db.deleteFrom('chemicalNeighbors').where('businessId', '=', business.id).execute())
  const { records } = await api.ok(recordsApi.ofVisit, { params: { visitId } })
  expect(records.map(({ id, facts }) => [id, facts.neighborsTold])).toEqual([
    [made.id, 'Ann Beside (Called, Wed, Jun 10)'],
  ])
})
