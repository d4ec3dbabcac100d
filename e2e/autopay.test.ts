import { expect, test } from 'vitest'
import { compareBooks } from '../src/features/payments/corrections/server/queries.ts'
import { dayOf } from '../src/shared/dates.ts'
import { linkTo } from '../src/shared/links.ts'
import { paths } from '../src/shared/paths.ts'
import { runTasks } from '../src/test/api.ts'
import { aCustomer, anInvoice, bookedIds, cards, invoiceOf, runCards, subjects, tries } from '../src/test/cards.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** A card that was left pays by itself, is declined one day, and the customer pays with another one. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(1440))
  test(`autopay is announced, declined and paid with another card, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const customerId = await aCustomer(business)
    const first = await anInvoice(business, customerId)
    const { page } = await openPage({ width, path: paths.invoice(first.token) })
    const pay = async (card: string) => {
      await page.getByRole('button', { name: 'Pay $50.00' }).click()
      await page.waitForURL('**/local/checkout/**')
      await page.getByRole('button', { name: card }).click()
      await page.getByRole('button', { name: 'Pay $50.00' }).click()
      await page.getByRole('heading', { name: /^Paid\. Thank you/ }).waitFor()
      await runTasks()
    }
    await step('the customer pays, reads what they agree to and leaves the card', async () => {
      await page.getByLabel('Keep this card and pay my invoices automatically').check()
      await page.getByText(/keep this card and charge it/).waitFor()
      await expectAccessible(page)
      await pay(cards.poor)
      await page.getByText('Autopay is on:').waitFor()
    })
    const next = await anInvoice(business, customerId, 1)
    await step('the charge is announced before it is made', async () => {
      await runCards(business)
      expect(await subjects(business)).toContainEqual(expect.stringMatching(/charges \$50\.00 on/))
      await page.goto(paths.invoice(next.token))
      await page.getByText(/ending in 0341 is charged on/).waitFor()
      await expectAccessible(page)
      expect(await tries(business)).toEqual([])
    })
    await step('its day comes, the card is declined once, and everybody is told', async () => {
      await business.db((db) =>
        db
          .updateTable('autopayCharges')
          .set({ chargeOn: dayOf(new Date(), timeZone) })
          .where('businessId', '=', business.id)
          .execute(),
      )
      await Promise.all([runCards(business), runCards(business)])
      expect(await tries(business)).toMatchObject([{ tryNumber: 1 }])
      expect((await subjects(business)).filter((one) => one.startsWith('Your card was declined'))).toHaveLength(1)
      await page.reload()
      await page.getByText(/The last try did not go through/).waitFor()
      await expectAccessible(page)
    })
    await step('another card pays it and takes the place of the first', async () => {
      await page.getByLabel(/^Keep this card instead of .* 0341/).check()
      await pay(cards.good)
      await runCards(business)
      expect(await invoiceOf(business, next.id)).toMatchObject({ status: 'paid', balanceCents: 0, creditCents: 0 })
      expect(await bookedIds(business)).toHaveLength(2)
      expect(await tries(business)).toHaveLength(1)
      expect(await business.db(compareBooks)).toEqual([])
      const office = (await openPage({ as: owner, timezoneId: timeZone, width, path: linkTo.invoices({ customerId }) }))
        .page
      await office.getByRole('heading', { name: /ending in 4242/ }).waitFor()
      await office.getByText('Autopay on').waitFor()
    })
  })
