import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aVisit, today } from '../src/test/field.ts'
import { placeNear } from '../src/test/planning.ts'
import { collectComplaints, expectQuiet, type Opened, withBrowser } from './browser.ts'
import { aNewBusiness, expectAccessibleAtBothWidths, oneAfterAnother, threeCrews } from './fixtures.ts'

/** An Owner lets support in; the product owner looks, can change nothing, and is shown out. */

const { openPage } = withBrowser()
oneAfterAnother()

let owner: Opened
/** The product owner's browser, in which they are also signed in as the Owner of a business of their own. */
let theirs: Opened
let context: BrowserContext
let desk: Page
let support: Page
const complaints: string[] = []
const ended = 'The owner ended support access. Nothing was changed.'

beforeAll(async () => {
  const [helped, own] = [await aNewBusiness(), await aNewBusiness()]
  for (const [business, name] of [
    [helped.business, 'Tybee Lawns'],
    [own.business, 'My Own Lawns'],
  ] as const)
    await business.db((db) =>
      db.updateTable('businesses').set({ name }).where('businessId', '=', business.id).execute(),
    )
  await threeCrews(helped)
  for (let i = 0; i < 6; i++)
    await aVisit(helped.business, { day: today(), street: `${100 + i} Marsh Ln`, ...placeNear(i) })
  owner = await openPage({ as: helped.owner, path: '/profile#support', timezoneId: helped.timeZone })
  theirs = await openPage({ as: own.owner, path: '/profile' })
  context = theirs.context
})

const section = () => owner.page.locator('#support')
const isTheirOwn = async () => {
  await theirs.page.reload()
  await theirs.page.getByRole('heading', { name: 'Sign-in & security' }).waitFor()
  await expect.poll(() => theirs.page.getByLabel('Name of the business').inputValue()).toBe('My Own Lawns')
}

test('the Owner lets support in for four hours', async () => {
  await section().getByText('Support has never opened your business.').waitFor()
  await section().getByLabel('What should support look at?').fill('Why is the north crew late?')
  await section().getByRole('button', { name: 'Let support in' }).click()
  await section()
    .getByText(/^Support may look until/)
    .waitFor()
  await section().getByText('Why is the north crew late?').waitFor()
  await expectAccessibleAtBothWidths(owner.page)
})

test('the product owner opens it from the desk, in a tab of its own', async () => {
  desk = await context.newPage()
  complaints.push(...collectComplaints(desk))
  await desk.goto('/owner/leads?tab=support')
  await desk.getByLabel('Username').fill('owner')
  await desk.getByLabel('Password', { exact: true }).fill('demo-swath-2026')
  await desk.getByRole('button', { name: 'Access Leads Dashboard' }).click()
  const row = desk.getByRole('listitem').filter({ hasText: 'Tybee Lawns' })
  await row.getByText('Why is the north crew late?').waitFor()
  expect(await desk.getByText('My Own Lawns').count()).toBe(0)
  await expectAccessibleAtBothWidths(desk)
  const opening = context.waitForEvent('page')
  await row.getByRole('button', { name: 'Open as support' }).click()
  support = await opening
  await support.waitForURL('**/dashboard')
  await support.getByText('Support view, read only, until').waitFor()
  const kept = await support.evaluate(() => [JSON.stringify(sessionStorage), JSON.stringify(localStorage)])
  expect(kept[0]).toContain('swath.support')
  expect(kept.join()).not.toContain('swath.owner-desk')
  expect(kept[1]).not.toContain('token')
})

test('a second tab can leave, and the first goes on', async () => {
  const opening = context.waitForEvent('page')
  await desk.getByRole('button', { name: 'Open as support' }).click()
  const second = await opening
  await second.getByText('Support view, read only, until').waitFor()
  await second.getByRole('button', { name: 'Leave' }).click()
  await second.getByText('You left the business. Nothing was changed in it.').waitFor()
  expect(await second.evaluate(() => sessionStorage.getItem('swath.support'))).not.toContain('token')
  await second.reload()
  await second.getByRole('heading', { name: 'This support view is closed' }).waitFor()
  await second.close()
})

test('support sees customers and routes, and can change nothing', async () => {
  await support.goto('/customers')
  await support.getByText('Tybee Lawns.').waitFor()
  await support
    .getByRole('button', { name: /Marsh Ln/ })
    .or(support.getByText(/10\d Marsh Ln/))
    .first()
    .waitFor()
  await expectAccessibleAtBothWidths(support)
  await support.goto('/route-map')
  await support.getByRole('button', { name: /^Optimise/ }).click()
  await support.getByText('You are looking as support: nothing was changed.').first().waitFor()
  await support.goto('/profile')
  await support.getByRole('heading', { name: 'Business details' }).waitFor()
  for (const name of ['Sign-in & security', 'Support access', 'Account'])
    expect(await support.getByRole('heading', { name, exact: true }).count(), name).toBe(0)
  await isTheirOwn()
  await support.getByText('Tybee Lawns.').waitFor()
})

test('the Owner reads what was looked at and ends it; the tab says so', async () => {
  await owner.page.reload()
  await section().getByText('Swath support opened your business').first().waitFor()
  const looked = await section()
    .getByText(/^Looked at/)
    .last()
    .textContent()
  for (const area of ['Customers', 'Routes', 'Dashboard', 'Settings']) expect(looked).toContain(area)
  await section().getByRole('button', { name: 'End access now' }).click()
  await section().getByRole('button', { name: 'Let support in' }).waitFor()
  await desk.getByRole('button', { name: 'Open as support' }).click()
  await desk.getByText('Tybee Lawns: The owner does not let support in any more. Nothing was opened.').waitFor()
  await section().getByRole('button', { name: 'Let support in' }).waitFor()
  await support
    .getByRole('link', { name: /Customers/ })
    .first()
    .click()
  await support.getByRole('heading', { name: 'This support view is closed' }).waitFor()
  await support.getByText(ended).waitFor()
  await expectAccessibleAtBothWidths(support)
  await support.reload()
  await support.getByText(ended).waitFor()
  await isTheirOwn()
  expectQuiet(owner.complaints)
  expectQuiet(complaints, /status of 404/)
})
