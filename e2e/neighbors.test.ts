import { expect, test } from 'vitest'
import { linkTo } from '../src/shared/links.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** The doors around a customer become cards to print, and are left in peace then. */

const { openPage } = withBrowser({ afresh: 'file' })

test.each([1440, 390])('at %i pixels the neighbors of a customer get cards once', async (width) => {
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
