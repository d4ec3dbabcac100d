import { describe, expect, test } from 'vitest'
import { routesApi } from '../src/features/routes/contract.ts'
import { weatherApi } from '../src/features/weather/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { addDays, dayOf, formatDay } from '../src/shared/dates.ts'
import { aVisit } from '../src/test/field.ts'
import { optimized, placeNear } from '../src/test/planning.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, threeCrews } from './fixtures.ts'

/** Rain is to come: the dashboard says what it takes, one click shows the push, it is made with its messages, and taken back with them. */

const { openPage } = withBrowser({ afresh: 'file' })
const stops = 6

/** Tomorrow is planned, its first hours are marked wet, and one of its stops was promised to its customer. */
const aWetTomorrow = async () => {
  const fresh = await aNewBusiness()
  const { business, owner, timeZone } = fresh
  await threeCrews(fresh)
  const day = addDays(dayOf(clock.now(), timeZone), 1)
  const made: Awaited<ReturnType<typeof aVisit>>[] = []
  for (let i = 0; i < stops; i++)
    made.push(await aVisit(business, { day, budgetMinutes: 90, street: `${100 + i} Marsh Ln`, ...placeNear(i, 0.09) }))
  await business.db(async (db) => {
    for (const [i, { customerId }] of made.entries())
      await db
        .updateTable('customers')
        .set({ name: `Gertrude-Henrietta Featherstonehaugh-Cholmondeley the ${i}th`, phone: `+1912555${2000 + i}` })
        .where('businessId', '=', business.id)
        .where('id', '=', customerId)
        .execute()
    await db
      .updateTable('visits')
      .set({ locked: true })
      .where('businessId', '=', business.id)
      .where('id', '=', made[0]!.visitId)
      .execute()
  })
  await optimized(business.api, { day, evenness: 'even' })
  await business.api.ok(weatherApi.mark, { body: { day, hours: [7, 8, 9], version: 0 } })
  const orders = async () =>
    (await business.api.ok(routesApi.day, { query: { day } })).crews.map((crew) => crew.stops.map((s) => s.visitId))
  const messages = async () =>
    (
      await business.db((db) =>
        db
          .selectFrom('messages')
          .select('status')
          .where('businessId', '=', business.id)
          .where('entityType', '=', 'route_change')
          .execute(),
      )
    ).map((message) => message.status)
  return { business, owner, timeZone, day, orders, messages }
}

describe('rain', () => {
  test.each(widths(390))(
    'is seen coming, pushed with a word to the customers, and taken back, at %i px',
    async (width) => {
      const { owner, timeZone, day, orders, messages } = await aWetTomorrow()
      const before = await orders()
      const { page } = await openPage({ as: owner, path: '/dashboard', timezoneId: timeZone, width })
      const banner = page.getByRole('region', { name: 'Weather ahead' })
      await banner.getByText(/^Tomorrow: rain 7 AM to 10 AM, 3 of 10 hours, \d visits?$/).waitFor()
      await expectAccessible(page)
      await banner.getByRole('link', { name: 'Preview the push' }).click()

      const preview = page.getByRole('dialog', { name: `Rain on ${formatDay(day)}` })
      await preview.getByText('Was put on its day by hand.').waitFor()
      await preview.getByRole('checkbox', { name: /^Tell 5 customers: 5 by text/ }).waitFor()
      await expectAccessible(page)
      expect(await orders()).toEqual(before)
      await preview.getByRole('checkbox', { name: /^100 Marsh Ln/ }).click()
      await preview.getByRole('button', { name: 'Look again' }).click()
      await preview.getByRole('button', { name: `Move ${stops} visits and tell` }).click()
      await page.getByText('Rained off').waitFor()
      expect((await orders()).flat()).toEqual([])
      expect(await messages()).toEqual(Array(stops).fill('pending'))

      await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
      await page.getByText(`${stops} messages were recalled`).waitFor()
      expect(await orders()).toEqual(before)
      expect(await messages()).toEqual(Array(stops).fill('suppressed'))
    },
  )

  test('is marked by hand where no forecast is connected', async () => {
    const { owner, timeZone, day } = await aWetTomorrow()
    const { page } = await openPage({ as: owner, path: `/route-map?day=${day}`, timezoneId: timeZone })
    await page.getByRole('region', { name: 'Weather ahead' }).getByRole('button', { name: 'Wet hours' }).click()
    const dialog = page.getByRole('dialog', { name: `Wet hours of ${formatDay(day)}` })
    await dialog.getByRole('button', { name: '9 AM', exact: true }).click()
    await dialog.getByRole('button', { name: '2 PM', exact: true }).click()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Mark 3 wet hours' }).click()
    await page.getByText(/^Tomorrow: rain 7 AM to 9 AM and 2 PM to 3 PM, 3 of 10 hours/).waitFor()
  })
})
