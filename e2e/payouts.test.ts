import { expect, test } from 'vitest'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { linkTo } from '../src/shared/links.ts'
import { formatCents } from '../src/shared/money.ts'
import { paths } from '../src/shared/paths.ts'
import { runTasks } from '../src/test/api.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** A customer pays by card; the money is on its way, arrives, and comes back from the bank. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(1440))
  test(`what a customer paid is on its way, reaches the bank with its fee, and is sent back, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { customerId } = await aLawn(business, { customer: 'Ann Lee' })
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 10_000 }]
    const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await business.api.ok(invoicesApi.issue, { params: { id } })
    const { totalCents, publicPath } = await business.api.ok(invoicesApi.get, { params: { id } })
    const fee = Math.round(totalCents * 0.029) + 30
    const net = formatCents(totalCents - fee)
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: linkTo.invoices() })
    const panel = page.getByRole('dialog').first()

    await step('before the first payout the list says when one comes', async () => {
      await page.getByRole('link', { name: 'Payouts' }).click()
      await page.getByText('Nothing was paid out yet').waitFor()
      await expectAccessible(page)
    })
    await step('the customer pays by card', async () => {
      await page.goto(publicPath ?? '')
      await page.getByRole('button', { name: `Pay ${formatCents(totalCents)}` }).click()
      await page.getByRole('button', { name: '4242 4242 4242 4242' }).click()
      await page.getByRole('button', { name: /^Pay / }).click()
      await page.getByRole('heading', { name: /Paid. Thank you/ }).waitFor()
    })
    const { accountId } = await business.db((db) =>
      db.selectFrom('paymentAccounts').select('accountId').executeTakeFirstOrThrow(),
    )
    await step('the provider sends it on its way', async () => {
      await page.goto(paths.localBank(accountId))
      await page.getByRole('button', { name: 'Pay out what is there' }).dblclick()
      await page.getByText(/Payout .* is on its way/).waitFor()
      await expectAccessible(page)
      await runTasks()
      await page.goto(linkTo.payouts())
      await page.getByText(`${net} is on its way and comes`, { exact: false }).waitFor()
    })
    await step('it arrives: its payment leads to the invoice, its fee to the expense', async () => {
      await page.goto(paths.localBank(accountId))
      await page.getByRole('button', { name: 'It arrives' }).click()
      await page.getByText(/Payout .* has arrived/).waitFor()
      await runTasks()
      await page.goto(linkTo.payouts())
      await page.getByText('Paid out', { exact: true }).click()
      await panel.getByText(`Payout of ${net}`).waitFor()
      await panel.getByRole('link', { name: 'Ann Lee' }).waitFor()
      await expectAccessible(page)
      await panel.getByRole('link', { name: formatCents(-fee) }).click()
      await page.getByText('Booked with its payout', { exact: false }).waitFor()
      await page.getByRole('link', { name: 'Open the payout' }).click()
      await panel.getByRole('link', { name: /^INV-/ }).click()
      await panel.getByText('Paid by card').first().waitFor()
    })
    await step('the bank sends it back: the list says why and what to do', async () => {
      await page.goto(paths.localBank(accountId))
      await page.getByRole('button', { name: 'The bank sends it back' }).click()
      await page.getByText(/Payout .* was sent back/).waitFor()
      await runTasks()
      await page.goto(linkTo.payouts())
      await page.getByText('Sent back', { exact: true }).click()
      await panel.getByText('The bank account is closed.', { exact: false }).waitFor()
      await panel.getByText('Check the bank account that stands there', { exact: false }).waitFor()
      await expectAccessible(page)
    })
    await step('all that it is made of is a file', async () => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        panel.getByRole('button', { name: 'Download CSV' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^payout-.*\.csv$/)
    })
  })
