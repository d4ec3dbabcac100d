import sharp from 'sharp'
import { expect, test } from 'vitest'
import { expensesApi } from '../src/features/expenses/contract.ts'
import { aPerson } from '../src/test/factories.ts'
import { aCrew } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** Money that leaves: a receipt with its photo, split over two crews, asked about when it comes twice, fuel in two taps, taken out and put back. */

const { openPage } = withBrowser({ afresh: 'file' })

test('a receipt, a split, a double, fuel in two taps, and a change of mind', async () => {
  const { business, owner, timeZone } = await aNewBusiness()
  const north = await aCrew(business, { name: 'North' })
  await aCrew(business, { name: 'South' })
  const { api } = await aPerson(business.id, 'Admin')
  const all = () => api.ok(expensesApi.list, { query: {} })
  const { page } = await openPage({ as: owner, timezoneId: timeZone, path: '/expenses' })
  await step('nothing yet leads to the first one', async () => {
    await page.getByText('Nothing was spent in this time').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add the first expense' }).click()
  })
  const panel = page.getByRole('dialog', { name: 'New expense' })
  await step('what is missing is said at its field', async () => {
    await panel.getByRole('button', { name: 'Add expense' }).click()
    await panel.getByText('Type what was paid.').waitFor()
    await panel.getByText('Choose a category.').waitFor()
  })
  await step('with its photo, split over two crews, it is in the books once', async () => {
    const picture = await sharp({ create: { width: 60, height: 90, channels: 3, background: '#eee' } })
      .jpeg()
      .toBuffer()
    await panel.locator('input[type="file"]').setInputFiles({ name: 'r.jpg', mimeType: 'image/jpeg', buffer: picture })
    await panel.getByRole('textbox', { name: 'Paid', exact: true }).fill('60.01')
    await panel.getByRole('textbox', { name: 'Vendor' }).fill('SiteOne')
    await panel.getByRole('combobox', { name: 'Category' }).selectOption({ label: 'Materials and supplies' })
    await panel.getByRole('button', { name: 'Split over crews or jobs' }).click()
    await panel.getByRole('button', { name: 'Spread evenly' }).click()
    await panel.getByRole('combobox', { name: 'Crew' }).first().selectOption({ label: 'North' })
    await panel.getByRole('combobox', { name: 'Crew' }).nth(1).selectOption({ label: 'South' })
    await panel.getByRole('button', { name: 'Add expense' }).dblclick()
    await page.getByText('$60.01 for Materials and supplies added').waitFor()
    const { items } = await all()
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      receiptCount: 1,
      parts: [{ amountCents: 3001, crew: { id: north } }, { amountCents: 3000 }],
    })
  })
  await step('the same again is asked about, and saved when it is another', async () => {
    await page.getByRole('button', { name: 'New expense' }).click()
    await panel.getByRole('textbox', { name: 'Paid', exact: true }).fill('60.01')
    await panel.getByRole('button', { name: 'SiteOne' }).click()
    await panel.getByRole('button', { name: 'Add expense' }).click()
    await panel.getByText('Is this the same one?').waitFor()
    expect((await all()).count).toBe(1)
    await panel.getByRole('button', { name: 'Save it as another one' }).click()
    await panel.waitFor({ state: 'detached' })
    expect((await all()).count).toBe(2)
  })
  await step('fuel for a crew: the second time it is two taps', async () => {
    const row = page.getByRole('dialog', { name: 'Fuel today' })
    await page.getByRole('button', { name: 'Fuel', exact: true }).click()
    await row.getByRole('textbox', { name: 'Fuel for North' }).fill('80')
    await row.getByRole('button', { name: 'Add for North' }).click()
    await page.getByText('$80.00 fuel for North today').first().waitFor()
    await page.keyboard.press('Escape')
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Fuel', exact: true }).click()
    await row.getByRole('button', { name: 'Add for North' }).click()
    await row.getByText('is in the books already').waitFor()
    await row.getByRole('button', { name: 'Add another for North' }).click()
    await expect.poll(async () => (await all()).count).toBe(4)
    await page.keyboard.press('Escape')
  })
  await step('removed by mistake, it comes back', async () => {
    await page.getByRole('link', { name: 'Expenses', exact: true }).first().click()
    await page.getByText('SiteOne').first().click()
    await page.getByRole('dialog', { name: 'SiteOne' }).getByRole('button', { name: 'Remove' }).click()
    await page.locator('.ui-toast__undo', { hasText: 'removed' }).getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Back in the books').waitFor()
    expect((await all()).count).toBe(4)
    await expectAccessible(page)
  })
})
