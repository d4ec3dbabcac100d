import { expect, test } from 'vitest'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { quickbooksApi } from '../src/features/quickbooks/contract.ts'
import { realmNamed } from '../src/local/books/ledger.ts'
import { addInvoiceThere, addThere, listThere, payThere } from '../src/local/books/play.ts'
import { dayOf } from '../src/shared/dates.ts'
import { runTasks } from '../src/test/api.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** The owner connects the books, matches who is there, sends, and fixes a name that is taken. */

const { openPage } = withBrowser({ afresh: 'file' })

test.each(widths(1440))(
  'books are connected, a duplicate name is fixed and a month is the same to the cent (%i px)',
  async (width) => {
    const { business, owner, timeZone } = await aNewBusiness()
    const company = `Marsh Side Books ${width}`
    const { customerId } = await aLawn(business, { customer: 'Anna Smith' })
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
    const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await business.api.ok(invoicesApi.issue, { params: { id } })
    const { page } = await openPage({ as: owner, timezoneId: timeZone, path: '/quickbooks', width })
    await step('it says what it does, and leads to the books', async () => {
      await page.getByText('Your books, written by themselves').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Connect QuickBooks' }).click()
      await page.getByRole('heading', { name: 'Connect test books' }).waitFor()
    })
    await step('no is no', async () => {
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('You did not let Swath in').waitFor()
    })
    await step('back with leave, the accounts are there to choose', async () => {
      await page.getByRole('button', { name: 'Connect QuickBooks' }).click()
      await page.getByRole('textbox', { name: 'Company' }).fill(company)
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByRole('heading', { name: '2. Where things are booked' }).waitFor()
      expect(page.url()).not.toContain('code=')
      await page.getByRole('combobox', { name: 'Income account' }).waitFor()
      await expectAccessible(page)
    })
    const realm = realmNamed(company)
    await addThere(realm, { DisplayName: 'Anna Smith' })
    await step('nobody is linked without a yes: the same name is proposed and not ticked', async () => {
      await page.getByRole('button', { name: 'Match customers' }).click()
      const dialog = page.getByRole('dialog', { name: 'Match customers' })
      await dialog.getByText('Anna Smith is Anna Smith').waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    })
    await step('what there is goes; the name that is taken is said with its buttons', async () => {
      await page.getByRole('button', { name: 'Save and begin sending' }).click()
      await page.getByText('Saved. What happened since then').waitFor()
      await runTasks()
      await page.getByText('QuickBooks already has somebody').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Use Anna Smith in QuickBooks' }).click()
      await page.getByText('Linked. It goes with what waits for it.').waitFor()
      await runTasks()
      await page.getByText('Nothing needs you').waitFor()
      await expect.poll(async () => (await listThere(realm, 'Invoice')).length).toBe(1)
      expect(await listThere(realm, 'Customer')).toHaveLength(1)
    })
    await step('the month is the same on both sides', async () => {
      await page.getByRole('button', { name: 'Months' }).click()
      await page.getByRole('button', { name: 'Check against QuickBooks' }).first().click()
      await page.getByText('The same to the cent').first().waitFor()
      await expectAccessible(page)
    })
    await step('what somebody entered there by hand is settled where it is named', async () => {
      const [invoice] = await listThere(realm, 'Invoice')
      const today = dayOf(new Date(), timeZone)
      await addInvoiceThere(realm, invoice?.CustomerRef?.value ?? '', 1234, today)
      // on the day of the business: at the end of a month another one may be another month
      await payThere(realm, invoice?.Id ?? '', 2500, true, today)
      await page.getByRole('button', { name: 'Check again' }).first().click()
      await page.getByText('2 differ').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Record it in Swath' }).click()
      await page.getByText('1 differs').waitFor()
      const paid = await business.api.ok(invoicesApi.get, { params: { id } })
      expect([paid.status, paid.paidCents]).toEqual(['partially_paid', 2500])
      await page.getByRole('button', { name: 'Leave it as it is' }).click()
      const question = page.getByRole('dialog', { name: /^Leave Invoice 5001/ })
      await question.getByLabel('Why').fill('Snow work')
      await expectAccessible(page)
      await question.getByRole('button', { name: 'Leave it', exact: true }).click()
      await page.getByText('The same to the cent').first().waitFor()
      await page.getByText('Left as it is in QuickBooks (1)').click()
      await page.getByText('Left as it is: Snow work').waitFor()
      await page.getByRole('button', { name: 'List it again' }).waitFor()
      await expectAccessible(page)
    })
    // what came from there has nothing to say there
    await business.api.ok(quickbooksApi.send, {})
    await runTasks()
    const { failed, waiting } = await business.api.ok(quickbooksApi.get, {})
    expect([failed, waiting]).toEqual([0, 0])
  },
)
