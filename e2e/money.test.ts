import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { addDays, formatDay } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { aVisit, today } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** Money that went wrong is set right on the screens: a draft, a payment too high, a credit, a refund, a debt that is let go. */

const { openPage } = withBrowser({ afresh: 'file' })

const panel = (page: Page) => page.getByRole('dialog').first()
const more = async (page: Page, item: string) => {
  await panel(page).getByRole('button', { name: 'More for this invoice' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
/** An amount typed over the one that stands there. */
const type = async (form: ReturnType<Page['getByRole']>, amount: string) => {
  await form.getByLabel('Amount').fill(amount)
  await form.getByLabel('Amount').press('Tab')
}

for (const width of widths(390))
  test(`every mistake with money has its way back, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { customerId } = await aVisit(business, { status: 'completed', priceCents: 6500, customer: 'Ann Lee' })
    await business.api.ok(invoicesApi.createBatch, { body: { send: false } })
    const [draft] = (await business.api.ok(invoicesApi.list, { query: { customerId } })).items
    const id = draft?.id ?? ''
    const invoice = (which = id) => business.api.ok(invoicesApi.get, { params: { id: which } })
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: linkTo.invoice(id) })

    await step('a draft is changed before it is issued', async () => {
      await panel(page).getByRole('button', { name: 'Change' }).click()
      const form = page.getByRole('form', { name: `INV-${draft?.number}` })
      await form.getByLabel('Price').first().fill('70')
      await form.getByLabel('Price').first().press('Tab')
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Save changed draft of $70.00' }).click()
      await expect.poll(async () => (await invoice()).totalCents).toBe(7000)
      await business.api.ok(invoicesApi.issue, { params: { id } })
    })
    await step('a check over too much pays it, and the rest is credit', async () => {
      await panel(page).getByRole('button', { name: 'Record payment' }).click()
      const form = page.getByRole('form', { name: 'Record payment' })
      await type(form, '100')
      await form.getByRole('button', { name: 'Record $100.00' }).click()
      await expect.poll(async () => (await invoice()).creditCents).toBe(3000)
    })
    const next = await business.api.ok(invoicesApi.create, {
      body: { customerId, lines: [{ description: 'Mulch', quantity: 1, unitPriceCents: 5000 }] },
    })
    await business.api.ok(invoicesApi.issue, { params: { id: next.id } })
    await step('which is put on the next invoice', async () => {
      await page.goto(linkTo.invoice(next.id))
      await panel(page).getByText('Ann Lee has $30.00 of credit').waitFor()
      await panel(page).getByRole('button', { name: 'Use credit' }).click()
      const form = page.getByRole('form', { name: 'Use credit' })
      await type(form, '31')
      await form.getByRole('button', { name: 'Use $31.00' }).click()
      await form.getByText('At most $30.00').waitFor()
      await expectAccessible(page)
      await type(form, '30')
      await form.getByRole('button', { name: 'Use $30.00' }).click()
      await page.getByText(`$20.00 of INV-${next.number} is still open`).waitFor()
      expect(await invoice(next.id)).toMatchObject({ balanceCents: 2000, creditCents: 0 })
    })
    await step('what has payments on it says that it cannot be voided, and why', async () => {
      await panel(page).getByRole('button', { name: 'More for this invoice' }).click()
      const item = page.getByRole('menuitem', { name: 'Void this invoice' })
      await item.getByText('has payments').waitFor()
      await item.click()
      await page.getByText('has payments on it, so it stays. Refund them, or give a credit note.').waitFor()
    })
    await step('a credit note asks why, and pays the rest', async () => {
      await more(page, 'Credit note…')
      const form = page.getByRole('form', { name: 'Credit note' })
      await form.getByRole('button', { name: 'Credit $20.00' }).click()
      await form.getByText('Say why: it stands on the record.').waitFor()
      await form.getByLabel('Why').fill('The bed was half done')
      await form.getByRole('button', { name: 'Credit $20.00' }).click()
      await page.getByText(`CN-1001 over $20.00. Nothing of INV-${next.number} is open any more`).waitFor()
      await panel(page).getByText('Credit CN-1001').waitFor()
    })
    await step('the check goes back in part, and the invoice is open again', async () => {
      await panel(page)
        .getByRole('button', { name: /^More for \$100\.00/ })
        .click()
      await page.getByRole('menuitem', { name: 'Refund…' }).click()
      const form = page.getByRole('form', { name: 'Refund' })
      await type(form, '10')
      await form.getByLabel('Why').fill('Agreed on the phone')
      await form.getByLabel('They do not owe it again').uncheck()
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Refund $10.00' }).click()
      await page.getByText(`Open again: INV-${next.number}`).waitFor()
      await panel(page).getByText('$10.00 refunded, open again').waitFor()
    })
    await step('which is let go, and asked for again', async () => {
      await more(page, 'Write off…')
      const form = page.getByRole('form', { name: 'Write off' })
      await form.getByLabel('Why').fill('Not worth a letter')
      await form.getByRole('button', { name: 'Write off $10.00' }).click()
      await page.getByText(`INV-${next.number} is written off`).waitFor()
      await panel(page).getByRole('button', { name: 'Open again' }).click()
      await expect.poll(async () => (await invoice(next.id)).status).toBe('partially_paid')
      const { items } = await business.api.ok(customersApi.list, {})
      expect(items[0]).toMatchObject({ owedCents: 1000, balanceCents: 1000 })
    })
    await step('a promised day is kept, and taken off', async () => {
      await more(page, 'They promised to pay…')
      const form = page.getByRole('form', { name: 'Promise to pay' })
      await form.getByRole('button', { name: 'Wait' }).click()
      await form.getByText('By which day?').waitFor()
      await expectAccessible(page)
      const day = addDays(today(), 3)
      await form.getByLabel('They pay by').fill(day)
      await form.getByLabel('They pay by').press('Tab')
      await form.getByRole('button', { name: `Wait until ${formatDay(day)}` }).click()
      await panel(page)
        .getByText(`Ann Lee will pay by ${formatDay(day)}.`)
        .waitFor()
      await more(page, 'Another promised day…')
      await form.getByRole('button', { name: 'No promise' }).click()
      await panel(page)
        .getByText(/will pay by/)
        .waitFor({ state: 'detached' })
    })
    await step('what is owed stands by age, and each sum opens its invoices', async () => {
      await page.goto(linkTo.invoices())
      await page.getByRole('navigation', { name: 'What is owed, by age' }).getByText('$10.00').click()
      await page.waitForURL(/view=not_due/)
      await page.getByText(`INV-${next.number}`).first().waitFor()
      await expectAccessible(page)
    })
    await step('a statement is read and printed', async () => {
      await page.goto(linkTo.invoices({ customerId }))
      await page.getByRole('button', { name: 'Statement' }).click()
      const box = page.getByRole('dialog', { name: 'Statement of Ann Lee' })
      await box.getByText('Credit note CN-1001').waitFor()
      await expectAccessible(page)
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        box.getByRole('button', { name: 'PDF' }).click(),
      ])
      expect(saved.suggestedFilename()).toMatch(/^Statement \d{4}/)
      await page.keyboard.press('Escape')
    })
    await step('a check before the work is a deposit of its job, with a receipt', async () => {
      await page.goto(linkTo.invoices({ customerId }))
      await page.getByRole('button', { name: 'Record deposit' }).click()
      const form = page.getByRole('form', { name: 'Record deposit' })
      await form.getByLabel('For').selectOption({ index: 1 })
      await form.getByRole('button', { name: 'Record deposit' }).click()
      await form.getByText('How much came in?').waitFor()
      await type(form, '40')
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Record $40.00' }).click()
      await page.getByText('R-1002: $40.00 booked, $40.00 waits for an invoice').waitFor()
      await page.getByText('Deposit by check').waitFor()
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page
          .getByRole('button', { name: /^More for \$40\.00/ })
          .click()
          .then(() => page.getByRole('menuitem', { name: 'Receipt R-1002' }).click()),
      ])
      expect(saved.suggestedFilename()).toBe('R-1002.pdf')
    })
    await step('credit without an invoice is given from the customer’s invoices', async () => {
      await page.goto(linkTo.invoices({ customerId }))
      await page.getByRole('button', { name: 'Give credit' }).click()
      const form = page.getByRole('form', { name: 'Give credit' })
      await type(form, '5')
      await form.getByLabel('Why').fill('The mower cut the hose')
      await form.getByRole('button', { name: 'Give $5.00' }).click()
      await page.getByRole('heading', { name: '$45.00 of credit' }).waitFor()
      await expectAccessible(page)
    })
  })
