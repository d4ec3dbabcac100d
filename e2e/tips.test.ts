import { expect, test } from 'vitest'
import { linkTo } from '../src/shared/links.ts'
import { paths } from '../src/shared/paths.ts'
import { runTasks } from '../src/test/api.ts'
import { aTippedOf } from '../src/test/tips.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** The business takes tips, a customer gives one, and the crew's list for payroll has it. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(390))
  test(`a tip is switched on, given on the invoice's page, listed for payroll and refunded alone, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { id, publicPath } = await aTippedOf(business)
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: publicPath })

    await step('nobody is asked for a tip before the business wants it', async () => {
      await page.getByRole('button', { name: 'Pay $50.00' }).waitFor()
      expect(await page.getByRole('radio').count()).toBe(0)
    })
    await step('the owner switches tips on', async () => {
      await page.goto(`${paths.profile}?section=money#tips`)
      const section = page.locator('#tips')
      await section.getByLabel('Customers can add a tip for the crew').click()
      await section.getByText('Percentages of the work').waitFor()
      await expectAccessible(page)
      await section.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Tips saved').waitFor()
    })
    await step('none is chosen on the page until the payer chooses one', async () => {
      await page.goto(publicPath)
      expect(await page.getByRole('radio', { name: 'No tip' }).isChecked()).toBe(true)
      await page.getByRole('button', { name: 'Pay $50.00' }).waitFor()
      await page.getByRole('radio', { name: /15%/ }).check()
      await page.getByRole('button', { name: 'Pay $57.50 with tip' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Pay $57.50 with tip' }).click()
      await page.getByText('Tip for the crew').waitFor()
      await page.getByRole('button', { name: '4242 4242 4242 4242' }).click()
      await page.getByRole('button', { name: 'Pay $57.50' }).click()
      await page.getByRole('heading', { name: /Paid. Thank you/ }).waitFor()
      await page.getByText('with $7.50 more as a tip for the crew').waitFor()
      await runTasks()
    })
    await step('the crew has it on its list for payroll, as a file too', async () => {
      await page.goto('/employees?tab=timesheets')
      const list = page.getByRole('list', { name: 'Tips by person' })
      await list.getByText('Rosa Diaz').waitFor()
      expect(await list.getByText('$3.75').count()).toBe(2)
      await expectAccessible(page)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^tips-.*\.csv$/)
    })
    await step('somebody else did it: the office says whose it is', async () => {
      await page.getByText('Each tip', { exact: true }).click()
      await page.getByRole('button', { name: 'Change' }).click()
      const dialog = page.getByRole('dialog', { name: 'Whose tip is it?' })
      await dialog.getByLabel('Rosa Diaz').click()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('list', { name: 'Tips by person' }).getByText('Sam Reed').waitFor()
      await expect.poll(() => page.getByRole('list', { name: 'Tips by person' }).getByText('$7.50').count()).toBe(2)
    })
    await step('it goes back alone', async () => {
      await page.goto(linkTo.invoice(id))
      await page.getByText('with a tip of $7.50').waitFor()
      await page.getByRole('button', { name: /^More for \$57.50/ }).click()
      await page.getByRole('menuitem', { name: 'Refund…' }).click()
      const dialog = page.getByRole('dialog', { name: /^Refund the payment/ })
      await dialog.getByLabel('The tip of $7.50 goes back too').click()
      await dialog.getByRole('textbox', { name: 'Amount' }).fill('0')
      await dialog.getByLabel('Why').fill('Meant for another crew')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Refund $7.50' }).click()
      await page.getByText('$7.50 is on its way back').waitFor()
      await page.goto('/employees?tab=timesheets')
      await page.getByText('went back').waitFor({ state: 'attached' })
    })
  })
