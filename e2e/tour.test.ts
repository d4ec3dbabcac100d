import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { addDemoTx } from '../src/features/tour/server/commands.ts'
import { clock } from '../src/platform/clock.ts'
import { dayOf } from '../src/shared/dates.ts'
import { runTasks } from '../src/test/api.ts'
import { aVisit, publishDay } from '../src/test/field.ts'
import { placeNear } from '../src/test/planning.ts'
import { rowSums } from '../src/test/row-sums.ts'
import { type Opened, withBrowser } from './browser.ts'
import { aNewBusiness, expectAccessibleAtBothWidths, type NewBusiness, threeCrews } from './fixtures.ts'

/** Somebody without an account takes the tour; whoever is signed in beside it notices nothing, and neither does the next visitor. */

const { openPage } = withBrowser({ afresh: 'test' })

/** A business that visitors are shown, with work for today and an invoice that is still to be paid. */
const theDemo = async (): Promise<NewBusiness & { crewId: string }> => {
  const made = await aNewBusiness()
  const { business } = made
  const { North: crewId } = await threeCrews(made)
  const day = dayOf(clock.now(), made.timeZone)
  for (let i = 0; i < 3; i++)
    await aVisit(business, {
      day,
      crewId,
      position: i,
      startMinute: 500 + i * 40,
      street: `${100 + i} Marsh Ln`,
      ...placeNear(i),
    })
  await publishDay(business, crewId, day)
  await aVisit(business, { day, status: 'completed', priceCents: 6100, street: '9 Paid Pl', ...placeNear(7) })
  await business.api.ok(invoicesApi.createBatch, { body: { send: true } })
  await business.db(async (db) => {
    await db.updateTable('businesses').set({ demo: true }).where('businessId', '=', business.id).execute()
    await addDemoTx(db, true)
  })
  await runTasks()
  return { ...made, crewId }
}

const rowsOf = ({ business }: NewBusiness) => business.db((db) => rowSums(db))

const signpost = (page: Page) => page.getByRole('region', { name: 'Tour of a demo business' })
const next = (page: Page, title: string) =>
  signpost(page)
    .getByRole('link', { name: `Next: ${title}` })
    .click()
const standsAt = (page: Page, title: string) =>
  signpost(page).locator('[aria-current="step"]').filter({ hasText: title }).waitFor()

test('a visitor goes past the five signposts, and nothing is changed behind them', async () => {
  const demo = await theDemo()
  const before = await rowsOf(demo)
  const { page } = await openPage({ path: '/features' })
  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  // The page goes out with what was known; that a demo is there now is asked behind it.
  const way = page.getByRole('link', { name: 'Take the tour' })
  await expect
    .poll(async () => {
      await page.reload()
      return way.count()
    })
    .toBe(1)
  await way.click()
  await page.waitForURL('**/tour/dashboard')
  await standsAt(page, 'Dashboard')
  expect(writes.filter((write) => write.endsWith('/api/tour'))).toHaveLength(1)
  writes.length = 0
  await signpost(page)
    .getByText('Marsh Side Lawns is a demo business.')
    .or(signpost(page).getByText('Every name is invented'))
    .first()
    .waitFor()
  await expectAccessibleAtBothWidths(page)

  await next(page, 'Route map')
  await standsAt(page, 'Route map')
  await page.getByText('100 Marsh Ln').first().waitFor()
  for (const name of [/^Optimize/, /^Publish/]) expect(await page.getByRole('button', { name }).count()).toBe(0)
  await expectAccessibleAtBothWidths(page)

  await next(page, 'Crew phone')
  await page.waitForURL('**/tour/crew/employee-dashboard')
  await standsAt(page, 'Crew phone')
  await page.getByRole('heading', { name: '100 Marsh Ln' }).waitFor()
  await expectAccessibleAtBothWidths(page)
  // the day is played in this tab
  await page.getByRole('button', { name: 'Clock in' }).click()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('button', { name: 'Finish' }).waitFor()
  await page.getByText('All sent').waitFor()

  await next(page, 'Invoice')
  await page.waitForURL('**/tour/jobs?tab=invoices**')
  await page.getByRole('link', { name: 'The page where the customer pays' }).waitFor()
  for (const name of [/Record a payment/, /^Void/, /^Send/])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  await expectAccessibleAtBothWidths(page)

  await next(page, 'What your customer sees')
  await page.waitForURL('**/tour/customer-page')
  await standsAt(page, 'What your customer sees')
  await page.getByRole('button', { name: 'Pay $61.00' }).click()
  await page.getByText('This is a tour: nothing is charged.').waitFor()
  await expectAccessibleAtBothWidths(page)

  const kept = await page.evaluate(async () => [
    Object.keys(localStorage).filter((key) => key.startsWith('swath.crew')),
    (await indexedDB.databases()).map(({ name }) => name),
    (await navigator.serviceWorker.getRegistrations()).length,
  ])
  expect(kept).toEqual([[], [], 0])
  await runTasks()
  expect(writes).toEqual([])
  expect(await rowsOf(demo)).toEqual(before)

  await signpost(page)
    .getByRole('button', { name: /^Leave/ })
    .click()
  await page.waitForURL('**/landing')
})

test('the way can be gone by keyboard, and a form says why it is not there', async () => {
  await theDemo()
  const { page } = await openPage({ path: '/tour' })
  await standsAt(page, 'Dashboard')
  await signpost(page).getByRole('link', { name: 'Next: Route map' }).focus()
  await page.keyboard.press('Enter')
  await standsAt(page, 'Route map')
  await page.goto('/tour/jobs?tab=create')
  await page.getByText('Nothing is saved on the tour, so there is no form here.').waitFor()
  await signpost(page).getByText('You are looking around beside the way').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
})

test('who is signed in beside it stays so, in the office and on the crew phone', async () => {
  await theDemo()
  const own = await aNewBusiness()
  const { page, context } = (await openPage({ as: own.owner, path: '/profile?section=business' })) as Opened
  await page.getByRole('heading', { name: 'Business details' }).waitFor()
  const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`)
  const tour = await context.newPage()
  await tour.goto('/tour')
  await standsAt(tour, 'Dashboard')
  await tour.goto('/tour/crew/employee-dashboard')
  await standsAt(tour, 'Crew phone')
  const stillThere = (await context.cookies()).map(({ name, value }) => `${name}=${value}`)
  expect(stillThere.filter((one) => one.startsWith('swath_app'))).toEqual(
    cookies.filter((one) => one.startsWith('swath_app')),
  )
  await page.reload()
  await page.getByRole('heading', { name: 'Business details' }).waitFor()
  expect(await signpost(page).count()).toBe(0)
  // the same tab, outside of the tour, is one's own again
  await tour.goto('/dashboard')
  await tour.getByRole('heading', { level: 1 }).first().waitFor()
  expect(await signpost(tour).count()).toBe(0)
})

test('an ended tour begins afresh with one press', async () => {
  await theDemo()
  const { page } = await openPage({ path: '/tour' })
  await standsAt(page, 'Dashboard')
  await page.evaluate(() => sessionStorage.setItem('swath.tour', 'no token of ours'))
  await page.reload()
  await page.getByRole('heading', { name: 'Your tour has ended' }).waitFor()
  await expectAccessibleAtBothWidths(page)
  await page.getByRole('button', { name: 'Start a fresh tour' }).click()
  await standsAt(page, 'Dashboard')
})

test('where there is no demo business there is no tour, and no page leads to one', async () => {
  const { page } = await openPage({ path: '/landing' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: 'Take the tour' }).count()).toBe(0)
  await page.goto('/tour')
  await page.getByRole('heading', { name: 'There is no tour here right now' }).waitFor()
  await page.getByRole('button', { name: 'Start free trial' }).waitFor()
  await expectAccessibleAtBothWidths(page)
})
