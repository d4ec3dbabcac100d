import { expect, test } from 'vitest'
import { businessesApi } from '../src/features/businesses/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { addDays, dayOf } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** A customer opens the link of their statement, pays two of three invoices in one payment, and the office takes the link back. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(390))
  test(`a statement is read and paid, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const today = dayOf(new Date(), timeZone)
    const { customerId } = await aLawn(business)
    const numbers: number[] = []
    for (const cents of [5500, 3000, 4250]) {
      const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
      const { id, number } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
      await business.api.ok(invoicesApi.issue, { params: { id } })
      numbers.push(number)
      if (cents === 5500)
        await business.db((db) =>
          db
            .updateTable('invoices')
            .set({ dueOn: addDays(today, -12) })
            .where('businessId', '=', business.id)
            .where('id', '=', id)
            .execute(),
        )
    }
    const office = (await openPage({ as: owner, timezoneId: timeZone, width, path: linkTo.invoices({ customerId }) }))
      .page
    await office.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    let url = ''
    await step('the office copies the link', async () => {
      await office.getByRole('button', { name: 'Statement' }).click()
      await office.getByRole('button', { name: 'Since they last owed nothing' }).click()
      await office.getByText('Balance before').waitFor()
      await expect.poll(() => office.getByRole('dialog').getByRole('listitem').count()).toBe(3)
      await office.getByRole('button', { name: 'Copy link' }).click()
      await office.getByText('The link is copied').waitFor()
      url = await office.evaluate(() => navigator.clipboard.readText())
      expect(url).toMatch(/\/s\/[\w-]{43}$/)
      await expectAccessible(office)
    })
    const { page } = await openPage({ width, path: new URL(url).pathname })
    await step('the customer unchecks one and pays the others', async () => {
      await page.getByRole('heading', { name: /^Statement for/ }).waitFor()
      await page.getByText('$55.00 of it is overdue').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Pay $127.50' }).waitFor()
      await page.getByRole('checkbox', { name: new RegExp(`INV-${numbers[1]}`) }).uncheck()
      await page.getByRole('button', { name: 'Pay $97.50' }).click()
      await page.getByRole('button', { name: 'Pay $97.50' }).and(page.locator('.checkout__pay')).click()
      await page.getByRole('heading', { name: 'Thank you, your payment has arrived' }).waitFor()
      await page.getByText('is open on 1 invoice').waitFor()
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    })
    await step('where the business takes parts, a part of the last one is paid, by Enter and alone', async () => {
      const { version } = await business.api.ok(businessesApi.get, {})
      await business.api.ok(businessesApi.update, { body: { partPayments: true, version } })
      await page.goto(new URL(url).pathname)
      await page.getByText(`Pay a part of INV-${numbers[1]}`).click()
      await page.getByLabel('How much would you like to pay now?').fill('12.50')
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
      const folder = process.env.SWATH_PICTURES
      if (folder) await page.screenshot({ path: `${folder}/statement-part-${width}.png`, fullPage: true })
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Pay $12.50' }).click()
      await page.getByRole('heading', { name: 'Thank you, your payment has arrived' }).waitFor()
      await page.getByRole('button', { name: 'Pay $17.50' }).waitFor()
    })
    await step('the office sees what was paid and takes the link back', async () => {
      await office.getByRole('button', { name: 'Take the link back' }).click()
      await office.getByRole('button', { name: 'Take it back' }).click()
      await office.getByText('The link opens nothing any more').waitFor()
      await page.goto(new URL(url).pathname)
      await page.getByRole('heading', { name: 'This link opens no statement' }).waitFor()
    })
    const { items } = await business.api.ok(invoicesApi.list, { query: { customerId, sort: 'number', order: 'asc' } })
    expect(items.map(({ status }) => status)).toEqual(['paid', 'partially_paid', 'paid'])
  })
