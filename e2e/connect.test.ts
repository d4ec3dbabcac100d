import { afterEach, expect, test } from 'vitest'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { connectApi } from '../src/features/payments/connect/contract.ts'
import { settingsHref } from '../src/features/settings/web/settingsIndex.ts'
import { resetClock, setClock } from '../src/platform/clock.ts'
import { paths } from '../src/shared/paths.ts'
import { runTasks } from '../src/test/api.ts'
import { aCustomer, anIssuedInvoice } from '../src/test/cards.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** An owner sets up card payments, leaves half-way, comes back to a form that is too old, and is paid by card. */

const { openPage } = withBrowser({ afresh: 'file' })
afterEach(resetClock)

for (const width of widths(390))
  test(`from the first visit to the first invoice paid by card, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness({ cards: false })
    const invoice = await anIssuedInvoice(business, await aCustomer(business), 5500)
    const state = async () => (await business.api.ok(connectApi.getAccount, {})).state
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: settingsHref('money') })
    const customer = (await openPage({ width, path: paths.invoice(invoice.token) })).page

    await step('nobody can pay by card yet, and the page says how else', async () => {
      await customer
        .getByRole('heading', { name: 'Marsh Side Lawns' })
        .or(customer.getByText('$55.00'))
        .first()
        .waitFor()
      expect(await customer.getByRole('button', { name: /^Pay / }).count()).toBe(0)
    })
    await step('the owner leaves the form half-way, and is told what is missing', async () => {
      await page.getByRole('button', { name: 'Set up card payments' }).click()
      await page.getByRole('heading', { name: 'Account of Marsh Side Lawns' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: /^Leave half-way/ }).click()
      await page.waitForURL(`**${paths.connectReturn}*`)
      await page.getByRole('heading', { name: 'Set-up is not finished' }).waitFor()
      await page.getByText('A bank account for your payouts').waitFor()
      await expectAccessible(page)
      expect(await state()).toBe('incomplete')
    })
    await step('a form that is too old leads to a fresh one', async () => {
      await page.getByRole('button', { name: 'Go on with the set-up' }).click()
      await page.getByRole('heading', { name: 'Account of Marsh Side Lawns' }).waitFor()
      const old = page.url()
      setClock(() => new Date(Date.now() + 6 * 60_000))
      await page.reload()
      await page.getByRole('heading', { name: 'This form is too old' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Open a fresh one' }).click()
      await page.getByRole('heading', { name: 'Account of Marsh Side Lawns' }).waitFor()
      expect(page.url()).not.toBe(old)
    })
    await step('filled in, cards work', async () => {
      await page.getByRole('button', { name: /^Fill in everything Accepted at once/ }).click()
      await page.getByRole('heading', { name: 'Ready to take cards' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Your card payments' }).click()
      await page.getByText('Ready to take cards').first().waitFor()
      await expectAccessible(page)
      expect(await state()).toBe('ready')
    })
    await step('the customer pays, and the owner sees it', async () => {
      await customer.reload()
      await customer.getByRole('button', { name: 'Pay $55.00' }).click()
      await customer.waitForURL('**/local/checkout/**')
      await customer.getByRole('button', { name: 'Pay $55.00' }).click()
      await customer.getByRole('heading', { name: /^Paid\. Thank you/ }).waitFor()
      await runTasks()
      const paid = await business.api.ok(invoicesApi.get, { params: { id: invoice.id } })
      expect(paid).toMatchObject({ status: 'paid', payments: [{ method: 'card', amountCents: 5500 }] })
    })
  })
