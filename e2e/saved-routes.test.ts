import { describe, expect, test } from 'vitest'
import { routesApi } from '../src/features/routes/contract.ts'
import { savedRoutesApi } from '../src/features/routes/saved/contract.ts'
import { clock } from '../src/platform/clock.ts'
import { addDays, dayOf, formatDay } from '../src/shared/dates.ts'
import { aVisit } from '../src/test/field.ts'
import { placeNear } from '../src/test/planning.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, threeCrews } from './fixtures.ts'

/** A crew's day is kept as a weekday route, put on another crew's stops with the differences shown first, and taken back. */

const { openPage } = withBrowser({ afresh: 'file' })

const aWeek = async () => {
  const fresh = await aNewBusiness()
  const { business, owner, timeZone } = fresh
  const crews = await threeCrews(fresh)
  const day = dayOf(clock.now(), timeZone)
  for (const n of [1, 2, 3])
    await aVisit(business, { day, crewId: crews.North, position: n, street: `${n} Oak St`, ...placeNear(n, 0.04) })
  await aVisit(business, { day: addDays(day, 7), crewId: crews.Coast, street: '9 Pine St', ...placeNear(2, 0.05) })
  const orderOf = async (crewId: string, on: string) =>
    (await business.api.ok(routesApi.day, { query: { day: on } })).crews
      .find((crew) => crew.crewId === crewId)
      ?.stops.map((stop) => stop.street)
  return { business, crews, day, orderOf, at: { as: owner, timezoneId: timeZone } }
}

describe.each(widths(390))('at %i pixels', (width) => {
  test('save a day, change its order, apply it, undo', async () => {
    const { business, crews, day, orderOf, at } = await aWeek()
    const { page } = await openPage({ ...at, width, path: '/route-map?tab=saved' })
    const list = page
      .getByRole('region', { name: 'Weekday routes' })
      .or(page.locator('section', { hasText: 'Weekday routes' }))
      .first()
    await list.getByText(/None yet\. Save a day/).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save a day' }).click()
    const save = page.getByRole('dialog', { name: 'Save a day as a route' })
    await save.getByLabel('Crew').selectOption({ label: 'North' })
    await save.getByLabel('Name').fill('North usual')
    await expectAccessible(page)
    await save.getByRole('button', { name: 'Save route' }).click()
    await list.getByText('North usual').waitFor()
    await page.getByRole('button', { name: 'More for North usual' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit North usual' })
    await edit.getByRole('button', { name: '3 Oak St earlier' }).click()
    await edit.getByRole('button', { name: '3 Oak St earlier' }).click()
    await edit.getByRole('button', { name: 'Take 2 Oak St out' }).click()
    await edit.getByLabel('Add a stop').fill('Pine')
    await page.getByRole('option', { name: /9 Pine St/ }).click()
    await page.getByText(/9 Pine St comes (first|after)/).waitFor()
    await expectAccessible(page)
    await edit.getByRole('button', { name: 'Take 9 Pine St out' }).click()
    await edit.getByLabel('Add a stop').fill('Pine')
    await page.getByRole('option', { name: /9 Pine St/ }).click()
    await edit.getByRole('button', { name: 'Take 9 Pine St out' }).click()
    await edit.getByRole('button', { name: 'Save route' }).click()
    await expect
      .poll(async () => (await business.api.ok(savedRoutesApi.list, {})).items[0]?.stops.map((stop) => stop.street))
      .toEqual(['3 Oak St', '1 Oak St'])
    await page.getByRole('button', { name: 'Apply…' }).click()
    const apply = page.getByRole('dialog', { name: 'Apply North usual' })
    await apply.getByText('1 extra: they stay, where they cost the least').waitFor()
    await apply.getByText(/North has 2 stops of it, in another order\./).waitFor()
    await expectAccessible(page)
    await apply.getByRole('button', { name: `Apply to ${formatDay(day)}` }).click()
    const wanted = (streets: string[] | undefined) => streets?.filter((one) => one !== '2 Oak St')
    await expect.poll(async () => wanted(await orderOf(crews.North, day))).toEqual(['3 Oak St', '1 Oak St'])
    await page.getByRole('status').filter({ hasText: 'North usual' }).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => orderOf(crews.North, day)).toEqual(['1 Oak St', '2 Oak St', '3 Oak St'])
    await page.getByRole('button', { name: 'Apply…' }).click()
    await apply.getByLabel('To the day').fill(formatDay(addDays(day, 1), { year: true }))
    await apply.getByLabel('To the day').press('Enter')
    await apply.getByText('2 missing on this day').waitFor()
  })
})
