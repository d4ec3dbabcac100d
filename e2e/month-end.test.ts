import { expect, test } from 'vitest'
import { closingApi } from '../src/features/invoices/closing/contract.ts'
import { monthLabel, pastMonths } from '../src/features/invoices/closing/rules.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { dayOf } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { runTasks } from '../src/test/api.ts'
import { aLawn, aVisit } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** The finished work of a month is billed in one go; then the month goes to the accountant and stays as it went: closed, met by a late payment, reopened with a reason. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(1440))
  test(`a month is closed, refuses, and is reopened, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { customerId } = await aLawn(business)
    const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents: 5000 }]
    const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await business.api.ok(invoicesApi.issue, { params: { id } })
    const month = pastMonths(dayOf(new Date(), timeZone), 1)[0] ?? ''
    const name = monthLabel(month)
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: linkTo.invoices({}) })
    const through = async () => (await business.api.ok(closingApi.list, {})).closedThrough

    await step('the accountant’s dialog has files and months', async () => {
      await page.getByRole('button', { name: 'For the accountant' }).click()
      const dialog = page.getByRole('dialog', { name: 'For the accountant' })
      await dialog.getByRole('button', { name: 'Invoices as CSV' }).waitFor()
      const saved = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Ledger as CSV' }).click()
      expect((await saved).suggestedFilename()).toMatch(/^ledger-.*\.csv$/)
      await dialog.getByRole('button', { name: 'Months' }).click()
      await dialog.getByText(name).waitFor()
      await expectAccessible(page)
    })
    await step('the month is looked at and closed', async () => {
      const dialog = page.getByRole('dialog', { name: 'For the accountant' })
      await dialog.getByRole('button', { name: `Close ${name}` }).click()
      await dialog.getByText('Nothing is left to do').waitFor()
      await expectAccessible(page)
      await dialog.getByRole('link', { name: 'Invoiced' }).click()
      await page.getByText('Nothing in these days.').waitFor()
      await page.getByLabel('Days').selectOption('This month')
      await page.getByText('$50.00 in 1 movement').waitFor()
      await expectAccessible(page)
      await page
        .getByText(/^Invoice INV-/)
        .first()
        .click()
      await page.getByRole('dialog').getByRole('button', { name: 'Record payment' }).waitFor()
      await page.goto(linkTo.invoices({}))
      await page.getByRole('button', { name: 'For the accountant' }).click()
      await dialog.getByRole('button', { name: 'Months' }).click()
      await dialog.getByRole('button', { name: `Close ${name}` }).click()
      await dialog.getByRole('button', { name: `Close ${name}` }).click()
      await expect.poll(through).not.toBeNull()
      await dialog.getByText(`${name} closed`).waitFor()
      await page.keyboard.press('Escape')
    })
    await step('a payment dated in it is asked about before it is sent', async () => {
      await page.goto(linkTo.invoice(id))
      const panel = page.getByRole('dialog').first()
      await panel.getByRole('button', { name: 'Record payment' }).click()
      const form = page.getByRole('form', { name: 'Record payment' })
      await form.getByLabel('Received on').fill(`${month.slice(5, 7)}/20/${month.slice(0, 4)}`)
      await form.getByLabel('Received on').press('Tab')
      await form.getByText(`${name} is closed`).waitFor()
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Record $50.00' }).click()
      await form.getByText('Say why: it stands on the record.').waitFor()
      await form.getByLabel('Why in a closed month').fill('Check was in the drawer')
      await form.getByRole('button', { name: 'Record $50.00' }).click()
      await expect
        .poll(async () => (await business.api.ok(invoicesApi.get, { params: { id } })).payments[0]?.receivedOn)
        .toBe(`${month}-20`)
      expect((await business.api.ok(closingApi.list, {})).history[0]?.reason).toBe('Check was in the drawer')
    })
    await step('the month is reopened with a reason', async () => {
      await page.goto(linkTo.invoices({}))
      await page.getByRole('button', { name: 'For the accountant' }).click()
      const dialog = page.getByRole('dialog', { name: 'For the accountant' })
      await dialog.getByRole('button', { name: 'Months' }).click()
      await dialog.getByRole('button', { name: `Look at ${name}` }).click()
      await dialog.getByRole('button', { name: `Reopen ${name}` }).click()
      await dialog.getByText('Say why: it stands on the record.').waitFor()
      await dialog.getByLabel('Why it is reopened').fill('One invoice was forgotten')
      await dialog.getByRole('button', { name: `Reopen ${name}` }).click()
      await dialog.getByText(`${name} reopened`).waitFor()
      expect((await business.api.ok(closingApi.list, {})).history[0]).toMatchObject({ action: 'reopened' })
    })
  })

for (const width of widths(390))
  test(`the work of a month is billed: days, groups, what is left out, sent and told, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const today = dayOf(new Date(), timeZone)
    const done = { status: 'completed', day: today } as const
    const { customerId } = await aVisit(business, { ...done, priceCents: 6500, customer: 'Ann Lee' })
    await aVisit(business, { ...done, priceCents: 4000, customer: 'Bo Park' })
    const unpriced = await aVisit(business, { ...done, priceCents: 0, customer: 'Cy Reed' })
    await business.db((db) =>
      db
        .updateTable('customers')
        .set({ email: 'cy@test.swath.test' })
        .where('businessId', '=', business.id)
        .where('id', 'in', [customerId, unpriced.customerId])
        .execute(),
    )
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: linkTo.newInvoices() })
    const dialog = page.getByRole('dialog', { name: 'Invoice finished visits' })

    await step('the days and the groups are chosen', async () => {
      await dialog.getByLabel('Work of').selectOption('This month')
      await dialog.getByLabel('One invoice for each').selectOption('Property')
      await dialog.getByRole('button', { name: 'Create and send 2 invoices' }).waitFor()
      await expectAccessible(page)
    })
    await step('what is left out is settled in its place', async () => {
      await dialog.getByRole('button', { name: /^1 visit is left out/ }).click()
      await dialog.getByLabel('Price for Cy Reed').fill('52.50')
      await dialog.getByRole('button', { name: 'Set price' }).click()
    })
    await step('all is made and sent, and the report says what no mail carries', async () => {
      await dialog.getByRole('button', { name: 'Create and send 3 invoices' }).click()
      await dialog.getByRole('heading', { name: '3 invoices made and issued' }).waitFor()
      await dialog.getByText('$157.50').waitFor()
      await dialog.getByText('2 invoices with a link to pay are on the way.').waitFor()
      await dialog.getByText('1 invoice that no mail and no text carries.').waitFor()
      await expectAccessible(page)
      await runTasks()
      await dialog.getByRole('button', { name: 'See the 3 invoices' }).click()
      const { items, counts } = await business.api.ok(invoicesApi.list, { query: {} })
      expect(counts).toMatchObject({ all: 3, open: 3, unsent: 1 })
      expect(items.map(({ totalCents }) => totalCents).sort()).toEqual([4000, 5250, 6500])
    })
  })
