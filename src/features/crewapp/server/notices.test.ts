import { beforeAll, expect, it } from 'vitest'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay, publishDay, today } from '../../../test/field.ts'
import { staffingApi } from '../../employees/staffing/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { crewappApi } from '../contract.ts'

/** What the office tells a crew reaches the phone, in codes that it has words for. */

let business: TestBusiness
let luis: Person
let ana: Person
let north: string
let south: string
beforeAll(async () => {
  business = await aBusiness({ workDays: everyDay })
  luis = await business.employee({ name: 'Luis Ortega' })
  ana = await business.employee({ name: 'Ana Reyes' })
  north = await aCrew(business, { name: 'North', members: [luis], workDays: everyDay })
  south = await aCrew(business, { name: 'South', members: [ana], workDays: everyDay })
})
const bundleOf = (who: Person) => who.api.ok(crewappApi.day, { query: {} })
const noticesOf = async (who: Person) => (await bundleOf(who)).notices?.map(({ about }) => about)

it('a stop that the office gives to another crew of the same day is said to be so, to those who would drive there', async () => {
  const { visitId } = await aVisit(business, { crewId: north, street: '7 Bay St', position: 1 })
  await publishDay(business, north)
  expect((await bundleOf(luis)).days[0]?.stops[0]).toMatchObject({ id: visitId })
  expect((await bundleOf(luis)).days[0]?.stops[0]?.withOther).toBeUndefined()
  const { version } = await business.api.ok(visitsApi.get, { params: { visitId } })
  await business.api.ok(visitsApi.move, { params: { visitId }, body: { day: today(), crewId: south, version } })
  expect((await bundleOf(luis)).days[0]?.stops[0]).toMatchObject({ id: visitId, withOther: true })
  const theirs = (await bundleOf(ana)).days[0]?.stops.find(({ id }) => id === visitId)
  expect(theirs?.withOther).toBeUndefined()
  expect(await noticesOf(luis)).toEqual([{ code: 'moved', street: '7 Bay St', day: today(), sameDay: true }])
  expect(await noticesOf(ana)).toEqual([])
})

it('a change of crew is told to its person until they have seen it', async () => {
  const bo = await business.employee({ name: 'Bo Diaz' })
  const put = { crewId: south, from: today(), to: null }
  await business.api.ok(staffingApi.put, { params: { id: bo.userId }, body: put })
  const [notice] = (await bundleOf(bo)).notices ?? []
  expect(notice?.about).toEqual({ code: 'crew', crew: 'South', from: today(), to: null })
  await bo.api.ok(notificationsApi.markRead, { body: { notificationIds: [notice?.id ?? ''] } })
  expect(await noticesOf(bo)).toEqual([])
})
