import { expect, test } from 'vitest'
import { businessesApi } from '../src/features/businesses/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { chargeFeesOf } from '../src/features/invoices/latefees/server/commands.ts'
import { settingsHref } from '../src/features/settings/web/settingsIndex.ts'
import { systemActor } from '../src/platform/actor.ts'
import { addDays, dayOf } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** Late fees are switched on, one is charged, and the office lets it go. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(390))
  test(`a late fee is set up, charged and waived, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const today = dayOf(new Date(), timeZone)
    const settings = () => business.api.ok(businessesApi.get, {})
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: settingsHref('money') })

    await step('the owner switches it on', async () => {
      const form = page.getByRole('form', { name: 'Late fees' })
      await form.getByRole('radio', { name: 'A fixed amount' }).check()
      await form.getByRole('textbox', { name: 'Amount' }).fill('25')
      await form.getByRole('textbox', { name: 'Amount' }).press('Tab')
      await form.getByText('$25.00, from 11 days late, once, $25.00 in all at most').waitFor()
      await form.getByRole('checkbox', { name: 'A second fee for who still has not paid' }).check()
      await form.getByText('Less than both fees is charged in all').waitFor()
      await form.getByRole('textbox', { name: 'In all at most' }).fill('')
      const days = form.getByLabel('From so many days late')
      await days.fill('9')
      await days.press('Tab')
      await form.getByText('Later than the first fee, which is charged from 11 days late').waitFor()
      await days.fill('30')
      await days.press('Tab')
      await form.getByText('$25.00, from 11 days late, then $25.00 from 30 days late, each once').waitFor()
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Save late fees' }).click()
      await form.getByText('Your terms are empty. Write the late fee into the terms').waitFor()
      await expectAccessible(page)
      const invoicing = page.getByRole('form', { name: 'Invoices', exact: true })
      await invoicing.getByRole('textbox', { name: /^Terms/ }).fill('Ten days after the due day we charge $25.')
      await invoicing.getByRole('button', { name: /^Save/ }).click()
      await expect.poll(async () => (await settings()).invoiceTerms).toContain('we charge $25')
      await form.getByRole('button', { name: 'Save late fees' }).click()
      await expect
        .poll(async () => (await settings()).lateFees)
        .toMatchObject({
          kind: 'fixed',
          fixedCents: 2500,
          capCents: null,
          second: { fromDays: 30, kind: 'fixed', fixedCents: 2500 },
        })
      expect((await settings()).lateFeesFrom).toBe(today)
    })
    const { customerId } = await aLawn(business)
    const lines = [{ description: 'Mulch', quantity: 1, unitPriceCents: 5000 }]
    const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await business.api.ok(invoicesApi.issue, { params: { id } })
    await business.db((db) =>
      db
        .updateTable('invoices')
        .set({ dueOn: addDays(today, -12) })
        .where('businessId', '=', business.id)
        .where('id', '=', id)
        .execute(),
    )
    await chargeFeesOf(systemActor(business.id), [id])
    const [fee] = (await business.api.ok(invoicesApi.get, { params: { id } })).lateFees
    await step('the late invoice names its fee, and the fee is waived', async () => {
      await page.goto(linkTo.invoice(id))
      const panel = page.getByRole('dialog').first()
      await panel.getByRole('heading', { name: 'Late fee' }).waitFor()
      await expectAccessible(page)
      await panel.getByRole('link', { name: `INV-${fee?.number}` }).click()
      await panel.getByText('was not paid in time').waitFor()
      await panel.getByRole('button', { name: 'Waive the fee' }).click()
      const form = page.getByRole('form', { name: 'Waive the late fee' })
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Waive $25.00' }).click()
      await expect
        .poll(async () => (await business.api.ok(invoicesApi.get, { params: { id } })).lateFees[0]?.waivedReason)
        .toBe('Goodwill')
    })
  })
