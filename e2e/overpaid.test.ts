import { expect, test } from 'vitest'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { compareBooks } from '../src/features/payments/corrections/server/queries.ts'
import { linkTo } from '../src/shared/links.ts'
import { runTasks } from '../src/test/api.ts'
import { anIssuedInvoice } from '../src/test/cards.ts'
import { aVisit } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** A check over too much is credit, and the batch at the end of the month puts it on the next invoice by itself. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(390))
  test(`too much is credit, and the month-end batch takes it, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    await business.db((db) =>
      db.updateTable('businesses').set({ useCredit: true }).where('businessId', '=', business.id).execute(),
    )
    const { customerId } = await aVisit(business, { status: 'completed', priceCents: 6500, customer: 'Ann Lee' })
    for (const customer of ['Bo Park', 'Cy Reed'])
      await aVisit(business, { status: 'completed', priceCents: 4000, customer })
    const early = await anIssuedInvoice(business, customerId, 5000)
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: linkTo.invoice(early.id) })

    await step('a check over too much is recorded', async () => {
      const panel = page.getByRole('dialog').first()
      await panel.getByRole('button', { name: 'Record payment' }).click()
      const form = page.getByRole('form', { name: 'Record payment' })
      await form.getByLabel('Amount').fill('70')
      await form.getByLabel('Amount').press('Tab')
      await form.getByRole('button', { name: 'Record $70.00' }).click()
      await expect
        .poll(async () => (await business.api.ok(invoicesApi.get, { params: { id: early.id } })).creditCents)
        .toBe(2000)
    })
    await step('what was finished is billed in one go', async () => {
      await page.goto(linkTo.newInvoices())
      const dialog = page.getByRole('dialog', { name: 'Invoice finished visits' })
      await dialog.getByRole('button', { name: /^Create .*3 invoices$/ }).waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: /^Create .*3 invoices$/ }).dblclick()
      await dialog.getByRole('heading', { name: /^3 invoices made/ }).waitFor()
      await expectAccessible(page)
      await runTasks()
    })
    const { items } = await business.api.ok(invoicesApi.list, { query: {} })
    expect(items).toHaveLength(4)
    const next = items.find((one) => one.customer.id === customerId && one.id !== early.id)
    await step('the credit stands on the next invoice, and the rest of it is open', async () => {
      expect(next).toMatchObject({ totalCents: 6500, balanceCents: 4500 })
      await page.goto(linkTo.invoice(next?.id ?? ''))
      await page.getByRole('dialog').first().getByText('$45.00').first().waitFor()
      await expectAccessible(page)
      expect(await business.db(compareBooks)).toEqual([])
    })
  })
