import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { supportApi } from '../src/features/support/contract.ts'
import { aVisit, today } from '../src/test/field.ts'
import { placeNear } from '../src/test/planning.ts'
import { collectComplaints, expectQuiet, type Opened, withBrowser } from './browser.ts'
import { aNewBusiness, expectAccessibleAtBothWidths, type NewBusiness, threeCrews } from './fixtures.ts'

/** An Owner lets support in; the product owner looks, can change nothing, and is shown out. */

const { openPage } = withBrowser({ afresh: 'test' })
const why = 'Why is the north crew late?'
const ended = 'The owner ended support access. Nothing was changed.'

const aNamedBusiness = async (name: string): Promise<NewBusiness> => {
  const made = await aNewBusiness()
  await made.business.db((db) =>
    db.updateTable('businesses').set({ name }).where('businessId', '=', made.business.id).execute(),
  )
  return made
}

/** The business that asks for help, with something to look at. */
const theHelped = async ({ granted }: { granted: boolean }): Promise<NewBusiness> => {
  const helped = await aNamedBusiness('Tybee Lawns')
  await threeCrews(helped)
  for (let i = 0; i < 6; i++)
    await aVisit(helped.business, { day: today(), street: `${100 + i} Marsh Ln`, ...placeNear(i) })
  if (granted) await helped.business.api.ok(supportApi.grant, { body: { hours: 4, note: why } })
  return helped
}

/** The product owner's browser, in which they are also signed in as the Owner of a business of their own. */
const theirBrowser = async () => {
  const own = await aNamedBusiness('My Own Lawns')
  const { page, context } = await openPage({ as: own.owner, path: '/profile?section=business' })
  const desk = await context.newPage()
  const complaints = collectComplaints(desk)
  await desk.goto('/owner/leads?tab=support')
  await desk.getByLabel('Username').fill('owner')
  await desk.getByLabel('Password', { exact: true }).fill('demo-swath-2026')
  await desk.getByRole('button', { name: 'Access Leads Dashboard' }).click()
  const row = desk.getByRole('listitem').filter({ hasText: 'Tybee Lawns' })
  await row.getByText(why).waitFor()
  const open = async (): Promise<Page> => {
    const opening = context.waitForEvent('page')
    await row.getByRole('button', { name: 'Open as support' }).click()
    const support = await opening
    await support.waitForURL('**/dashboard')
    await support.getByText('Support view, read only, until').waitFor()
    return support
  }
  const isTheirOwn = async () => {
    await page.reload()
    await page.getByRole('heading', { name: 'Business details' }).waitFor()
    await expect.poll(() => page.getByLabel('Name of the business').inputValue()).toBe('My Own Lawns')
  }
  return { desk, row, open, isTheirOwn, complaints }
}
const section = ({ page }: Opened) => page.locator('#support')

test('the Owner lets support in for four hours', async () => {
  const helped = await theHelped({ granted: false })
  const owner = await openPage({ as: helped.owner, path: '/profile#support', timezoneId: helped.timeZone })
  await section(owner).getByText('Support has never opened your business.').waitFor()
  await section(owner).getByLabel('What should support look at?').fill(why)
  await section(owner).getByRole('button', { name: 'Let support in' }).click()
  await section(owner)
    .getByText(/^Support may look until/)
    .waitFor()
  await section(owner).getByText(why).waitFor()
  await expectAccessibleAtBothWidths(owner.page)
  expectQuiet(owner.complaints)
})

test('the product owner opens it from the desk, in a tab of its own; a second one can leave, and the first goes on', async () => {
  await theHelped({ granted: true })
  const { desk, open } = await theirBrowser()
  expect(await desk.getByText('My Own Lawns').count()).toBe(0)
  await expectAccessibleAtBothWidths(desk)
  const support = await open()
  const kept = await support.evaluate(() => [JSON.stringify(sessionStorage), JSON.stringify(localStorage)])
  expect(kept[0]).toContain('swath.support')
  expect(kept.join()).not.toContain('swath.owner-desk')
  expect(kept[1]).not.toContain('token')
  const second = await open()
  await second.getByRole('button', { name: 'Leave' }).click()
  await second.getByText('You left the business. Nothing was changed in it.').waitFor()
  expect(await second.evaluate(() => sessionStorage.getItem('swath.support'))).not.toContain('token')
  await second.reload()
  await second.getByRole('heading', { name: 'This support view is closed' }).waitFor()
  await support.goto('/customers')
  await support.getByText('Tybee Lawns.').waitFor()
})

test('support sees customers and routes, and can change nothing', async () => {
  await theHelped({ granted: true })
  const { open, isTheirOwn } = await theirBrowser()
  const support = await open()
  await support.goto('/customers')
  await support.getByText('Tybee Lawns.').waitFor()
  await support
    .getByRole('button', { name: /Marsh Ln/ })
    .or(support.getByText(/10\d Marsh Ln/))
    .first()
    .waitFor()
  for (const name of ['Add customer', 'Import a list'])
    expect(await support.getByRole('link', { name }).count(), name).toBe(0)
  await expectAccessibleAtBothWidths(support)
  await support.goto('/route-map')
  await support
    .getByText(/10\d Marsh Ln/)
    .first()
    .waitFor()
  await support.getByRole('button', { name: 'More for this day' }).click()
  await support.getByRole('menuitem', { name: 'Compare plans' }).waitFor()
  await support.keyboard.press('Escape')
  for (const name of [/^Optimize/, /^Publish/, /^Place 10\d/, /^Move 10\d/])
    expect(await support.getByRole('button', { name }).count(), String(name)).toBe(0)
  for (const path of ['/customers?tab=create', '/jobs?tab=create']) {
    await support.goto(path)
    await support.getByText('Support reads and changes nothing, so there is no form here.').waitFor()
  }
  await support.goto('/profile')
  await support.getByRole('heading', { name: 'Business details' }).waitFor()
  for (const name of ['Sign-in & security', 'Support access', 'Account'])
    expect(await support.getByRole('heading', { name, exact: true }).count(), name).toBe(0)
  await isTheirOwn()
  await support.getByText('Tybee Lawns.').waitFor()
})

test('the Owner reads what was looked at and ends it; the tab says so', async () => {
  const helped = await theHelped({ granted: true })
  const { desk, open, isTheirOwn, complaints } = await theirBrowser()
  const support = await open()
  for (const [path, heading] of [
    ['/customers', 'Customers'],
    ['/route-map', 'Route map'],
    ['/profile', 'Business details'],
  ] as const) {
    await support.goto(path)
    await support.getByRole('heading', { name: heading }).first().waitFor()
  }
  await support.goto('/dashboard')
  const owner = await openPage({ as: helped.owner, path: '/profile#support', timezoneId: helped.timeZone })
  const looked = async () => {
    await owner.page.reload()
    await section(owner).getByText('Swath support opened your business').first().waitFor()
    return section(owner)
      .getByText(/^Looked at/)
      .last()
      .textContent()
  }
  for (const area of ['Customers', 'Routes', 'Dashboard', 'Settings']) await expect.poll(looked).toContain(area)
  await section(owner).getByRole('button', { name: 'End access now' }).click()
  await section(owner).getByRole('button', { name: 'Let support in' }).waitFor()
  await desk.getByRole('button', { name: 'Open as support' }).click()
  await desk.getByText('Tybee Lawns: The owner does not let support in any more. Nothing was opened.').waitFor()
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
