import { describe, expect, test } from 'vitest'
import { areasApi } from '../src/features/customers/areas/contract.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** A lawn is drawn on the map, by mouse and by finger, and its turf is the lawn size from then on. */

const { openPage } = withBrowser({ afresh: 'file', maps: true })

describe.each([1440, 390])('at %i pixels', (width) => {
  test('the turf is drawn with a hole, its square feet are shown, and it is saved', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { customerId, propertyId } = await aLawn(business)
    const { page } = await openPage({
      as: owner,
      timezoneId: timeZone,
      width,
      path: `/customers?tab=manage&customerId=${customerId}`,
    })
    await page.getByRole('article').getByRole('button', { name: /^More/ }).first().click()
    await page.getByRole('menuitem', { name: 'Measure on the map' }).click()
    const dialog = page.getByRole('dialog', { name: /^Measure/ })
    const map = dialog.locator('.ui-map canvas')
    await map.waitFor()
    const press = async (x: number, y: number) => {
      const box = await map.boundingBox()
      if (!box) throw new Error('The map is not in sight.')
      const at = [box.x + box.width * x, box.y + box.height * y] as const
      await (width < 800 ? page.touchscreen.tap(...at) : page.mouse.click(...at))
    }
    const corners = (count: number) =>
      expect.poll(() => dialog.getByRole('button', { name: /corner \d+$/i }).count()).toBeGreaterThanOrEqual(count)
    await dialog.getByRole('button', { name: 'Draw an area' }).click()
    for (const [x, y, count] of [
      [0.2, 0.2, 1],
      [0.8, 0.2, 2],
      [0.8, 0.8, 3],
      [0.2, 0.8, 4],
    ] as const) {
      await press(x, y)
      await corners(count)
    }
    await dialog.getByRole('button', { name: 'Close the outline' }).click()
    const outline = await dialog.getByRole('status').first().textContent()
    await dialog.getByRole('button', { name: 'Cut a hole' }).click()
    for (const [x, y] of [
      [0.4, 0.4],
      [0.6, 0.4],
      [0.5, 0.6],
    ] as const)
      await press(x, y)
    await dialog.getByRole('button', { name: 'Close the outline' }).click()
    await expect.poll(() => dialog.getByRole('status').first().textContent()).not.toBe(outline)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save areas' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { items, lawnSquareFeet } = await business.api.ok(areasApi.list, { params: { id: propertyId } })
    expect(items).toMatchObject([{ kind: 'turf', rings: [expect.any(Array), expect.any(Array)] }])
    expect(lawnSquareFeet).toBe(items[0]?.squareFeet)
    await page
      .getByText(`${items[0]?.squareFeet.toLocaleString('en-US')} sq ft`)
      .first()
      .waitFor()
  })
})
