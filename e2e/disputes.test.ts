import { expect, test } from 'vitest'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { compareBooks } from '../src/features/payments/corrections/server/queries.ts'
import { disputesApi } from '../src/features/payments/disputes/contract.ts'
import { addDays } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { formatCents } from '../src/shared/money.ts'
import { paths } from '../src/shared/paths.ts'
import { runTasks } from '../src/test/api.ts'
import { aCrew, aVisit, today } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** A customer pays by card, gets a part back, and their bank disputes the rest; the office answers with the work, and wins. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(390))
  test(`a payment is refunded in part, disputed, answered and won, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const crewId = await aCrew(business, { name: 'North crew' })
    const { customerId } = await aVisit(business, {
      status: 'completed',
      priceCents: 6500,
      customer: 'Ann Lee',
      crewId,
      day: addDays(today(), -1),
    })
    await business.api.ok(invoicesApi.createBatch, { body: { send: false } })
    const [draft] = (await business.api.ok(invoicesApi.list, { query: { customerId } })).items
    const id = draft?.id ?? ''
    const invoice = () => business.api.ok(invoicesApi.get, { params: { id } })
    await business.api.ok(invoicesApi.issue, { params: { id } })
    const { totalCents, publicPath } = await invoice()
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: publicPath ?? '' })
    const panel = page.getByRole('dialog').first()

    await step('the customer pays on the page', async () => {
      await page.getByRole('button', { name: `Pay ${formatCents(totalCents)}` }).click()
      await page.getByRole('button', { name: '4242 4242 4242 4242' }).click()
      await page.getByRole('button', { name: /^Pay / }).click()
      await page.getByRole('heading', { name: /Paid. Thank you/ }).waitFor()
    })
    await step('a part is given back', async () => {
      await page.goto(linkTo.invoice(id))
      await panel.getByRole('button', { name: /^More for \$/ }).click()
      await page.getByRole('menuitem', { name: 'Refund…' }).click()
      const form = page.getByRole('form', { name: /Refund/ })
      await form.getByLabel('Amount').fill('15')
      await form.getByLabel('Amount').press('Tab')
      await form.getByLabel('Why').fill('The edges were not done')
      await form.getByRole('button', { name: 'Refund $15.00' }).click()
      await expect.poll(async () => (await invoice()).payments[0]?.refundedCents).toBe(1500)
    })
    const bank = (
      await business.db((db) => db.selectFrom('paymentAccounts').select('accountId').executeTakeFirstOrThrow())
    ).accountId
    await step('the bank disputes half of it, and the office hears until when it listens', async () => {
      await page.goto(paths.localBank(bank))
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Dispute half' }).click()
      await page.getByText(/^Dispute over .* waits for the business/).waitFor()
      await runTasks()
      await expect.poll(async () => (await invoice()).disputed).toBe(true)
      await page.goto(paths.dashboard)
      await page.getByText('Ann Lee disputes a payment').first().waitFor()
      await page
        .getByText(/Evidence is due/)
        .first()
        .waitFor()
      await page.goto(publicPath ?? '')
      await page.getByRole('heading', { name: 'Your bank is looking into a payment' }).waitFor()
      expect(await page.getByRole('button', { name: /^Pay / }).count()).toBe(0)
    })
    await step('the answer is begun from the work, and sent once', async () => {
      await page.goto(linkTo.invoice(id))
      await panel.getByRole('link', { name: 'Waits for your answer' }).click()
      const dialog = page.getByRole('dialog', { name: /^Dispute over/ })
      const words = dialog.getByLabel('Words for the bank')
      await expect.poll(() => words.inputValue()).toContain('Crew: North crew.')
      expect(await words.inputValue()).toContain('$15.00 of this payment had been refunded')
      await expectAccessible(page)
      await words.fill(`${await words.inputValue()}\n\nWe mowed on the agreed day.`)
      await dialog.getByRole('button', { name: 'Keep for later' }).click()
      await page.getByText('Your words are kept').waitFor()
      await dialog.getByRole('button', { name: 'Send to the bank' }).click()
      const asked = page.getByRole('dialog', { name: 'Send the evidence?' })
      await asked.getByRole('button', { name: 'Send to the bank' }).dblclick()
      await dialog.getByText('Your evidence is on its way to the bank').waitFor()
      await runTasks()
      await runTasks()
      await dialog.getByText('The bank is looking into it').waitFor()
      await dialog.getByText('What you sent to the bank').waitFor()
      expect(await dialog.getByRole('button', { name: 'Send to the bank' }).count()).toBe(0)
    })
    await step('the bank decides for the business, and all is as before', async () => {
      await page.goto(paths.localBank(bank))
      await page.getByText('The evidence that arrived').click()
      await page.getByText('We mowed on the agreed day.').waitFor()
      await page.getByRole('button', { name: 'Decide for the business' }).click()
      await page.getByText(/was decided for the business/).waitFor()
      await runTasks()
      await expect.poll(async () => (await invoice()).disputed).toBe(false)
      expect(await invoice()).toMatchObject({ status: 'paid', balanceCents: 0 })
      expect((await business.api.ok(disputesApi.list, { query: { invoiceId: id } })).items[0]?.status).toBe('won')
      expect(await business.db(compareBooks)).toEqual([])
      await page.goto(linkTo.invoices({ customerId }))
      await page.getByText('Won: the money is back').waitFor()
    })
  })
