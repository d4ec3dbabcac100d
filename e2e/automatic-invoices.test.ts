import { expect, test } from 'vitest'
import { businessesApi } from '../src/features/businesses/contract.ts'
import { customersApi } from '../src/features/customers/contract.ts'
import { dashboardApi } from '../src/features/dashboard/contract.ts'
import { invoiceAutomatically } from '../src/features/invoices/automatic/server/commands.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { settingsHref } from '../src/features/settings/web/settingsIndex.ts'
import { systemActor } from '../src/platform/actor.ts'
import { addDays, dayOf } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { paths } from '../src/shared/paths.ts'
import { aVisit } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** Finished visits are invoiced by themselves; a customer may have a pace of their own; what has no price is asked about. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(390))
  test(`invoices are made by themselves, and what is left out is named, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const today = dayOf(new Date(), timeZone)
    const settings = () => business.api.ok(businessesApi.get, {})
    const day = addDays(today, -2)
    const { customerId } = await aVisit(business, { day, status: 'completed', customer: 'Rebecca Odom' })
    await aVisit(business, { day, status: 'completed', customer: 'Howard Prim', priceCents: 0 })
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: settingsHref('money') })

    await step('the owner switches it on', async () => {
      const form = page.getByRole('form', { name: 'Automatic invoices' })
      await form.getByRole('radio', { name: 'Every month' }).check()
      await form.getByLabel('Monthly invoices on').selectOption({ label: 'the last day' })
      await form.getByLabel('At', { exact: true }).selectOption({ label: '7:00 AM' })
      await form.getByRole('checkbox', { name: 'Send them at once' }).uncheck()
      await form.getByText('on the last day of every month at 7:00 AM, as drafts').waitFor()
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Save automatic invoices' }).click()
      await expect
        .poll(async () => (await settings()).autoInvoices)
        .toEqual({ rhythm: 'monthly', weekday: 5, monthDay: 31, hour: 7, send: false })
    })
    await step('a customer is invoiced every day', async () => {
      await page.goto(linkTo.customer(customerId))
      await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
      await page.getByLabel('Automatic invoices').selectOption({ label: 'Every day' })
      await expectAccessible(page)
      await page.getByRole('button', { name: /^Save/ }).first().click()
      await expect
        .poll(async () => (await business.api.ok(customersApi.get, { params: { id: customerId } })).autoInvoices)
        .toBe('daily')
    })
    await step('its turn makes a draft; at the turn of the month what has no price is named', async () => {
      // as if it had been on for two months
      await business.db((db) =>
        db
          .updateTable('businesses')
          .set({ autoInvoicesSince: new Date(Date.now() - 60 * 86_400_000).toISOString() })
          .where('businessId', '=', business.id)
          .execute(),
      )
      await business.db((db) =>
        db
          .updateTable('customers')
          .set({ autoInvoices: 'daily' })
          .where('businessId', '=', business.id)
          .where('name', '=', 'Howard Prim')
          .execute(),
      )
      await invoiceAutomatically(systemActor(business.id))
      expect((await business.api.ok(invoicesApi.list, {})).items.map(({ customer }) => customer.name)).toEqual([
        'Rebecca Odom',
      ])
      await page.goto(paths.dashboard)
      const need = page.getByRole('listitem').filter({ hasText: '1 finished visit has no price' })
      await need.getByRole('link', { name: 'Set prices' }).waitFor()
      await expectAccessible(page)
      await need.getByRole('link', { name: 'Set prices' }).click()
      const left = page.getByRole('region', { name: 'Visits left out' })
      await left.getByRole('button', { name: '1 visit is left out' }).click()
      await left.getByLabel('Price for Howard Prim').fill('40')
      await left.getByRole('button', { name: 'Set price' }).click()
      await expect
        .poll(async () => (await business.api.ok(dashboardApi.get, {})).needs.some(({ kind }) => kind === 'unbilled'))
        .toBe(false)
    })
  })
