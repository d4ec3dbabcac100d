import { describe, expect, test } from 'vitest'
import { areasApi } from '../src/features/customers/areas/contract.ts'
import { customersApi } from '../src/features/customers/contract.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** A lawn is drawn on the map, by mouse and by finger, and its turf is the lawn size from then on. */

type Ring = (readonly [number, number])[]

/**
 * The square feet of an outline less its holes, on a plane that lies at its middle: by the length of a degree there (the series of the Geodetic Survey),
 * which for a lot is right to a few hundredths of a percent, and shares nothing with how the product measures.
 */
const flatSquareFeet = ([outline = [], ...holes]: readonly Ring[]): number => {
  const middle = ((outline[0]?.[0] ?? 0) * Math.PI) / 180
  const north = 111_132.92 - 559.82 * Math.cos(2 * middle) + 1.175 * Math.cos(4 * middle)
  const east = 111_412.84 * Math.cos(middle) - 93.5 * Math.cos(3 * middle)
  const squareMeters = (ring: Ring) =>
    Math.abs(
      ring.reduce((sum, [lat, lon], at) => {
        const [nextLat, nextLon] = ring[(at + 1) % ring.length] ?? [lat, lon]
        return sum + (lon * nextLat - nextLon * lat) * north * east
      }, 0),
    ) / 2
  const feet = 10.763_910_417
  return (squareMeters(outline) - holes.reduce((sum, hole) => sum + squareMeters(hole), 0)) * feet
}

const { openPage } = withBrowser({ afresh: 'file', maps: 'half' })

describe.each(widths(390))('at %i pixels', (width) => {
  test('the turf is drawn with a hole, its square feet are shown, and it is saved', async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { customerId, propertyId } = await aLawn(business)
    const { version } = await business.api.ok(areasApi.list, { params: { id: propertyId } })
    await business.api.ok(customersApi.updateProperty, {
      params: { id: propertyId },
      body: { version, lawnSquareFeet: 5000 },
    })
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
    // a size was typed before: both figures are read before one takes the other's place
    const question = page.getByRole('dialog', { name: 'Another lawn size?' })
    await question.getByText(/stands with 5,000 sq ft/).waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: /^Use [\d,]+ sq ft$/ }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { items, lawnSquareFeet } = await business.api.ok(areasApi.list, { params: { id: propertyId } })
    expect(items).toMatchObject([{ kind: 'turf', rings: [expect.any(Array), expect.any(Array)] }])
    expect(lawnSquareFeet).toBe(items[0]?.squareFeet)
    // what the fingers drew, measured another way: the square feet are the truth
    const truth = flatSquareFeet((items[0]?.rings ?? []) as Ring[])
    expect(truth).toBeGreaterThan(1000)
    expect(Math.abs((lawnSquareFeet ?? 0) / truth - 1)).toBeLessThan(0.01)
    await page
      .getByText(`${items[0]?.squareFeet.toLocaleString('en-US')} sq ft`)
      .first()
      .waitFor()
  })
})
