import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { routesApi } from '../src/features/routes/contract.ts'
import type { Day } from '../src/shared/dates.ts'
import { aVisit } from '../src/test/field.ts'
import { aWorkday, optimized, placeNear } from '../src/test/planning.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness, threeCrews } from './fixtures.ts'

/** A planner's morning on the route map: search while it is watched, stop, compare, undo and forth, drag, rain. */

const { openPage } = withBrowser({ afresh: 'file' })

const day: Day = aWorkday(4)
const menu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More for this day' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** A day of so many stops for three crews, and its route map on a desk. */
const aMorning = async ({ stops, planned }: { stops: number; planned: boolean }) => {
  const fresh = await aNewBusiness()
  const { api } = fresh.business
  await threeCrews(fresh)
  for (let i = 0; i < stops; i++)
    await aVisit(fresh.business, { day, budgetMinutes: 12, street: `${100 + i} Marsh Ln`, ...placeNear(i, 0.09) })
  if (planned) await optimized(api, { day, evenness: 'even' })
  const place = { as: fresh.owner, path: `/route-map?day=${day}`, timezoneId: fresh.timeZone }
  const plan = () => api.ok(routesApi.day, { query: { day } })
  const orders = async () => (await plan()).crews.map((crew) => crew.stops.map((stop) => stop.visitId))
  const { page } = await openPage(place)
  await page.getByRole('button', { name: planned ? /^Optimize/ : `Optimize ${stops} stops` }).waitFor()
  return { stops, place, page, plan, orders }
}

describe('a planner', () => {
  test('watches the plan get better, on a phone too, and stops with the best so far', async () => {
    const { place, page, plan } = await aMorning({ stops: 110, planned: false })
    const phone = await openPage({ ...place, width: 390 })
    await phone.page.getByRole('button', { name: /^Optimize/ }).waitFor()
    await menu(page, 'Search longer')
    const bar = page.getByRole('region', { name: 'Searching for a better plan' })
    // The stops of the best plan so far stand in the list before anything is saved. All at once: a search is soon over on a quick machine.
    await Promise.all([
      bar.getByText(/plans tried/).waitFor(),
      page.getByRole('region', { name: 'North' }).getByText('Marsh Ln').first().waitFor(),
      phone.page.getByRole('region', { name: 'Searching for a better plan' }).waitFor(),
      phone.page.getByRole('region', { name: 'North' }).getByText('Marsh Ln').first().waitFor(),
    ])
    await bar.getByRole('button', { name: 'Stop, keep the best' }).dispatchEvent('click')
    const found = page.getByRole('region', { name: 'What the search brought' })
    await found.waitFor()
    await found.getByText('Drive labor').waitFor()
    const now = await plan()
    expect(now.unplaced).toEqual([])
    expect(now.totals.driveSeconds).toBeLessThan(now.booked.driveSeconds)
    await phone.page.getByRole('region', { name: 'What the search brought' }).waitFor()
    await expectAccessible(phone.page)
  })

  test('takes it back, does it again, and sees the plans beside each other', async () => {
    const { stops, page, plan, orders } = await aMorning({ stops: 24, planned: true })
    const planned = await orders()
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
    await expect.poll(async () => (await plan()).unplaced.length).toBe(stops)
    await page.getByRole('button', { name: 'Redo', exact: true }).click()
    await expect.poll(orders).toEqual(planned)
    await menu(page, 'Compare plans')
    const panel = page.getByRole('dialog', { name: 'Compare plans' })
    const table = panel.getByRole('table', { name: 'Plans beside each other' })
    await table.getByRole('columnheader', { name: 'As booked' }).waitFor()
    await table.getByRole('columnheader', { name: 'Plan now' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  test('drags a stop with the mouse to where it is let go, and nowhere when that is beside the lists', async () => {
    const { page, plan, orders } = await aMorning({ stops: 24, planned: true })
    const before = await plan()
    const crew = before.crews.find((c) => c.stops.length > 0)!
    const list = page.getByRole('region', { name: crew.name })
    const [first, , third] = crew.stops
    const drag = async (street: string, to: { x: number; y: number }) => {
      // anywhere on its row: here where a click would open it
      const grip = await list.getByText(street, { exact: true }).boundingBox()
      await page.mouse.move(grip!.x + grip!.width / 2, grip!.y + grip!.height / 2)
      await page.mouse.down()
      await page.mouse.move(grip!.x + 20, grip!.y + 24, { steps: 4 })
      await page.mouse.move(to.x, to.y, { steps: 12 })
      await page.mouse.move(to.x, to.y + 1)
      await page.mouse.up()
    }
    const place = await list.getByRole('button', { name: `Drag ${third!.street}`, exact: true }).boundingBox()
    await drag(first!.street, { x: place!.x + 40, y: place!.y + place!.height - 6 })
    await expect.poll(async () => (await orders())[before.crews.indexOf(crew)]?.[2]).toBe(first!.visitId)
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
    await expect.poll(orders).toEqual(before.crews.map((c) => c.stops.map((s) => s.visitId)))
    await page.getByText(/^Undone: Move/).waitFor()
    // Below the list, where its rows that are scrolled out of sight would lie.
    const figures = await page.getByRole('table', { name: `${crew.name}, as booked and planned` }).boundingBox()
    await drag(first!.street, { x: figures!.x + 120, y: figures!.y + figures!.height - 12 })
    await page.getByRole('button', { name: `Drag ${first!.street}`, exact: true }).waitFor()
    expect(await orders()).toEqual(before.crews.map((c) => c.stops.map((s) => s.visitId)))
    expect((await plan()).undo?.label).not.toMatch(/^Move/)
  })

  test('moves a rainy day as a proposal, looks at it on a phone, takes it, and takes it back', async () => {
    const { stops, page, plan, orders } = await aMorning({ stops: 24, planned: true })
    const before = await orders()
    await menu(page, 'Rain: move the day…')
    await page.getByRole('button', { name: 'Show where they go' }).click()
    await page.getByRole('button', { name: `Move ${stops} visits` }).waitFor()
    expect(await orders()).toEqual(before)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
    await page.getByRole('button', { name: `Move ${stops} visits` }).click()
    await expect.poll(async () => (await plan()).totals.stops).toBe(0)
    await page.getByText('Rained off').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
    await expect.poll(orders).toEqual(before)
  })
})
