import { expect, test } from 'vitest'
import { cardLinksApi } from '../src/features/payments/cardlinks/contract.ts'
import { cardsApi } from '../src/features/payments/cards/contract.ts'
import { linkTo } from '../src/shared/links.ts'
import { aLawn } from '../src/test/field.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness, step } from './fixtures.ts'

/** The office asks for a card, the customer leaves one without paying. */

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(390))
  test(`a card is asked for and left without paying, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { customerId } = await aLawn(business)
    await business.db((db) =>
      db
        .updateTable('customers')
        .set({ email: 'ann@test.swath.test', phone: '+19125550147' })
        .where('businessId', '=', business.id)
        .where('id', '=', customerId)
        .execute(),
    )
    const office = (await openPage({ as: owner, timezoneId: timeZone, width, path: linkTo.invoices({ customerId }) }))
      .page
    await step('the office mails the link', async () => {
      await office.getByRole('button', { name: 'Ask for a card by mail' }).click()
      await office.getByText('A link to leave a card is on its way to ann@test.swath.test').waitFor()
      await expectAccessible(office)
    })
    await step('or texts it, and reads when it leaves', async () => {
      await office.getByRole('button', { name: 'Ask for a card by text' }).click()
      await office.getByText(/^(A link to leave a card is on its way|The text) to \(912\) 555-0147/).waitFor()
      const folder = process.env.SWATH_PICTURES
      if (folder) await office.screenshot({ path: `${folder}/card-by-text-${width}.png` })
    })
    await step('from + New an invoice is begun', async () => {
      await office.getByRole('button', { name: 'New', exact: true }).click()
      const folder = process.env.SWATH_PICTURES
      if (folder) await office.screenshot({ path: `${folder}/new-menu-${width}.png` })
      await office.getByRole('list', { name: 'Make something new' }).getByRole('link', { name: 'Invoice' }).click()
      await office.getByRole('dialog', { name: 'New invoice' }).waitFor()
      await office.goto(linkTo.invoices({ customerId }))
    })
    const { url } = await business.api.ok(cardLinksApi.send, { params: { id: customerId }, body: { by: 'hand' } })
    const { page } = await openPage({ width, path: new URL(url).pathname })
    await step('the customer agrees and leaves a card', async () => {
      await page.getByRole('heading', { name: /^Leave a card with/ }).waitFor()
      await page.getByText(/keep this card and charge it/).waitFor()
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
      await page.getByRole('button', { name: 'Agree and leave a card' }).click()
      await page.getByRole('button', { name: 'Keep this card' }).click()
      await page.getByRole('heading', { name: 'Your card is on file. Thank you!' }).waitFor()
      await expectAccessible(page)
    })
    await step('the office sees it by itself', async () => {
      await office.getByRole('heading', { name: /Visa ending in 4242/ }).waitFor()
    })
    const { card } = await business.api.ok(cardsApi.getCard, { params: { id: customerId } })
    expect(card).toMatchObject({ autopay: true, mandate: { page: 'card' } })
  })
