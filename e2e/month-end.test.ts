import { expect, test } from 'vitest'
import { closingApi } from '../src/features/invoices/closing/contract.ts'
import { monthLabel, pastMonths } from '../src/features/invoices/closing/rules.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { dayOf } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** A month goes to the accountant and stays as it went: closed, met by a late payment, reopened with a reason. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of [1440, 390])
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
