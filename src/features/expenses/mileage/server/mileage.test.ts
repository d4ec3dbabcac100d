import { expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { addDays } from '../../../../shared/dates.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { aCrew, today } from '../../../../test/field.ts'
import { mileageApi } from '../contract.ts'

it('counts the miles of the routes that crews were sent, an odometer instead, at the rate of the year', async () => {
  const own = await aBusiness()
  const [one, two] = [await aCrew(own, { name: 'North' }), await aCrew(own, { name: 'South' })]
  const day = today()
  await own.db((db) =>
    db
      .insertInto('routes')
      .values(
        [
          { crewId: one, day, status: 'closed' as const, meters: 64_373.76 },
          // sent for today and not driven yet
          { crewId: two, day, status: 'published' as const, meters: 10_000 },
          { crewId: two, day: addDays(day, 1), status: 'published' as const, meters: 10_000 },
        ].map(({ meters, ...route }) => ({
          ...route,
          businessId: own.id,
          id: newId(),
          planned: JSON.stringify({ driveMeters: meters }),
        })),
      )
      .execute(),
  )
  await own.db((db) =>
    db
      .updateTable('crews')
      .set({ vehicleName: 'Truck 1' })
      .where('businessId', '=', own.id)
      .where('id', '=', one)
      .execute(),
  )
  const month = () => own.api.ok(mileageApi.month, { query: { month: day.slice(0, 7) } })
  const rate = (await month()).rateTenthCents ?? 0
  expect(await month()).toMatchObject({
    tenthMiles: 400,
    deductionCents: rate * 4,
    trucks: [{ name: 'Truck 1', dayCount: 1, odometerDays: 0 }],
  })
  const body = { day, crewId: one, startMiles: 41_200, endMiles: 41_252 }
  const said = await own.api.ok(mileageApi.setOdometer, { body })
  expect([said.tenthMiles, said.routeTenthMiles]).toEqual([520, 400])
  await own.api.ok(mileageApi.setOdometer, { body: { ...body, endMiles: 41_253 } })
  expect((await month()).tenthMiles).toBe(530)
  await own.api.ok(mileageApi.setOdometer, { body: { ...body, crewId: two } })
  expect((await month()).trucks.map(({ name, tenthMiles }) => [name, tenthMiles])).toEqual([
    ['South', 520],
    ['Truck 1', 530],
  ])
  expect(await own.api.ok(mileageApi.clearOdometer, { body: { day, crewId: one } })).toEqual({ cleared: true })
  expect((await month()).tenthMiles).toBe(920)
  for (const [wrong, path] of [
    [{ endMiles: 41_199 }, 'endMiles'],
    [{ endMiles: 44_000 }, 'endMiles'],
    [{ day: addDays(day, 1) }, 'day'],
  ] as const) {
    const { status, error } = await own.api.call(mileageApi.setOdometer, { body: { ...body, ...wrong } })
    expect([status, error.errors?.[0]?.path]).toEqual([422, path])
  }
  const other = await aBusiness()
  expect((await other.api.call(mileageApi.setOdometer, { body })).status).toBe(404)
})
