import { expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { compareBooks } from '../src/features/payments/corrections/server/queries.ts'
import { linkTo } from '../src/shared/links.ts'
import { paths } from '../src/shared/paths.ts'
import { runTasks } from '../src/test/api.ts'
import { setBank } from '../src/test/bank.ts'
import { accountOf } from '../src/test/cards.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** Two customers pay from their bank accounts: the money is on its way for days, one payment comes in, the other one bounces. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(1440))
  test(`a bank payment is on its way and comes in, another one bounces, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    await setBank(business, true)
    const made = async (email: string) => {
      const { customerId } = await aLawn(business)
      const { version } = await business.api.ok(customersApi.get, { params: { id: customerId } })
      await business.api.ok(customersApi.update, { params: { id: customerId }, body: { email, version } })
      const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
      const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
      await business.api.ok(invoicesApi.issue, { params: { id } })
      const { publicPath } = await business.api.ok(invoicesApi.get, { params: { id } })
      return { id, path: publicPath ?? '' }
    }
    const [good, poor] = [await made('ann@test.swath.test'), await made('bob@test.swath.test')]
    const invoice = (id: string) => business.api.ok(invoicesApi.get, { params: { id } })
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: good.path })
    const panel = page.getByRole('dialog').first()

    for (const [{ path }, account] of [
      [good, '000123456789'],
      [poor, '000222222227'],
    ] as const)
      await step(`a customer pays from the account ${account}`, async () => {
        await page.goto(path)
        await page.getByRole('button', { name: 'Pay $55.00' }).click()
        await page.getByRole('button', { name: 'US bank account' }).click()
        await page.getByRole('button', { name: account }).click()
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Pay $55.00' }).click()
        await page.getByText(/^Bank payment of \$55.00 on its way since/).waitFor()
        expect(await page.getByRole('button', { name: /^Pay / }).count()).toBe(0)
        await expectAccessible(page)
        await runTasks()
      })
    await step('the office reads so, in the list and on the invoice', async () => {
      await page.goto(linkTo.invoices({ view: 'pending' }))
      await expect.poll(() => page.getByText('On its way', { exact: true }).count()).toBeGreaterThanOrEqual(2)
      await page.goto(linkTo.invoice(good.id))
      await panel.getByText(/on its way since .* Reminders, late fees and autopay wait for it/).waitFor()
      await expectAccessible(page)
    })
    await step('days pass, and the banks answer', async () => {
      await page.goto(paths.localBank(await accountOf(business)))
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Let the days pass: banks answer' }).click()
      await page.getByText('From a bank account, paid.').waitFor()
      await page.getByText('From a bank account: the bank said no.').waitFor()
      await runTasks()
      await expect.poll(async () => (await invoice(good.id)).status).toBe('paid')
      await expect.poll(async () => (await invoice(poor.id)).pending).toBeNull()
    })
    await step('one is paid, and the other is open again with the reason where the office looks', async () => {
      await page.goto(good.path)
      await page.getByRole('heading', { name: /Paid. Thank you/ }).waitFor()
      await page.goto(poor.path)
      await page.getByRole('button', { name: 'Pay $55.00' }).waitFor()
      await page.goto(linkTo.invoice(good.id))
      await panel
        .getByText(/bank transfer/i)
        .first()
        .waitFor()
      await page.goto(linkTo.invoice(poor.id))
      await panel.getByText('There was not enough money in the account.').waitFor()
    })
    expect(await business.db(compareBooks)).toEqual([])
  })
