import { expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { dayOf } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { aCrew, aLawn, aVisit } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** The doors around a customer become cards to print, and are left in peace then. */

const { openPage } = withBrowser({ afresh: 'file' })

test.each(widths(1440))('at %i pixels the neighbors of a customer get cards once', async (width) => {
  const { business, owner, timeZone } = await aNewBusiness()
  const { customerId } = await aLawn(business, { street: '132 Laurel Green Ct' })
  const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: linkTo.customer(customerId) })
  const dialog = page.getByRole('dialog', { name: 'Neighbors of 132 Laurel Green Ct' })
  const open = async () => {
    await page.getByRole('button', { name: 'More for this customer' }).click()
    await page.getByRole('menuitem', { name: 'Neighbors' }).click()
    await dialog.getByRole('checkbox', { name: '133 Laurel Green Ct' }).waitFor()
  }
  await open()
  await dialog.getByRole('checkbox', { name: '131 Laurel Green Ct' }).uncheck()
  await dialog.getByLabel('Language of the cards').selectOption('Spanish')
  await expectAccessible(page)
  const file = page.waitForEvent('download')
  await dialog.getByRole('button', { name: /^Print \d+ cards$/ }).click()
  const saved = await file
  expect(saved.suggestedFilename()).toBe('door-cards.pdf')
  await dialog.waitFor({ state: 'detached' })
  await open()
  expect(await dialog.getByRole('checkbox', { name: '133 Laurel Green Ct' }).isDisabled()).toBe(true)
  await dialog
    .getByText(/got a card on/)
    .first()
    .waitFor()
  expect(await dialog.getByRole('checkbox', { name: '131 Laurel Green Ct' }).isEnabled()).toBe(true)
})

test('cards whose file did not come are printed again, and taken back', async () => {
  const { business, owner, timeZone } = await aNewBusiness()
  const { customerId } = await aLawn(business, { street: '132 Laurel Green Ct' })
  const { page } = await openPage({ as: owner, timezoneId: timeZone, width: 390, path: linkTo.customer(customerId) })
  const dialog = page.getByRole('dialog', { name: 'Neighbors of 132 Laurel Green Ct' })
  await page.getByRole('button', { name: 'More for this customer' }).click()
  await page.getByRole('menuitem', { name: 'Neighbors' }).click()
  await dialog.getByRole('checkbox', { name: '133 Laurel Green Ct' }).waitFor()
  await page.route('**/api/door-cards/*/pdf', (route) => route.abort())
  await dialog.getByRole('button', { name: /^Print \d+ cards$/ }).click()
  await page.getByText(/their file did not come/).waitFor({ timeout: 30_000 })
  const batch = dialog.getByRole('listitem', { name: /cards near 132 Laurel Green Ct/ })
  await batch.waitFor()
  await expectAccessible(page)
  await page.unroute('**/api/door-cards/*/pdf')
  const file = page.waitForEvent('download')
  await batch.getByRole('button', { name: 'Print again' }).click()
  expect((await file).suggestedFilename()).toBe('door-cards.pdf')
  expect(await dialog.getByRole('checkbox', { name: '133 Laurel Green Ct' }).isDisabled()).toBe(true)
  await batch.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Take them back' }).click()
  await batch.getByText(/taken back/).waitFor()
  await expect.poll(() => dialog.getByRole('checkbox', { name: '133 Laurel Green Ct' }).isEnabled()).toBe(true)
})

test.each(widths(390))('at %i pixels people near the stops of a crew with room are written an offer', async (width) => {
  const { business, owner, timeZone } = await aNewBusiness()
  const crewId = await aCrew(business, { name: 'Crew Oak', workDays: [0, 1, 2, 3, 4, 5, 6] })
  const pin = { latitude: 32.05, longitude: -81.1 }
  // the dialog opens on the day of the business, where it is morning
  const day = dayOf(new Date(), timeZone)
  const { customerId } = await aVisit(business, { street: '500 Elm St', crewId, day, ...pin })
  await business.api.ok(customersApi.create, {
    body: {
      name: 'Cy Past',
      stage: 'past',
      phone: '(912) 555-0101',
      property: { street: '502 Elm St', city: 'Savannah', state: 'GA', zip: '31401', ...pin },
    },
  })
  const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: linkTo.customer(customerId) })
  await page.getByRole('button', { name: 'More for this customer' }).click()
  await page.getByRole('menuitem', { name: 'Neighbors' }).click()
  await page.getByRole('button', { name: 'For a crew with room' }).click()
  const dialog = page.getByRole('dialog', { name: 'Neighbors for a crew with room' })
  await dialog.getByLabel('Crew', { exact: true }).selectOption({ value: crewId })
  await dialog.getByRole('checkbox', { name: 'Cy Past' }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Door cards' }).click()
  const cards = page.getByRole('dialog', { name: 'Neighbors of 500 Elm St' })
  await cards.getByRole('checkbox', { name: '502 Elm St' }).first().waitFor()
  await cards.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Message 1 customer' }).click()
  const message = page.getByRole('dialog', { name: 'Message 1 customer' })
  // who never agreed to offers gets none, and it says so before anything is sent
  await message.getByText('1 customer gets nothing').click()
  await message.getByText('Never agreed to offers').waitFor()
  expect(await message.getByRole('radio', { name: /An offer/ }).isChecked()).toBe(true)
})
