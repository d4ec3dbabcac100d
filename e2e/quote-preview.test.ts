import { describe, expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { quotesApi } from '../src/features/quotes/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { linkTo } from '../src/shared/links.ts'
import { aBusiness } from '../src/test/factories.ts'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'
import { letIn, password, step } from './fixtures.ts'

/** A quote as its customer sees it, before and after it is sent: chosen from like the page, signed by nobody, counted as nobody's look. */

const { openPage } = withBrowser({ afresh: 'file' })

describe.each(widths(1440))('at %i pixels', (width) => {
  test('the owner looks at a quote as the customer sees it, from the builder and from its record', async () => {
    const business = await aBusiness({ name: 'Whitfield Lawn' })
    await letIn(business)
    const { items } = await business.api.ok(servicesApi.addDefaults, {})
    const serviceId = items.find(({ category }) => category === 'mow')?.id ?? ''
    const customer = await business.api.ok(customersApi.create, {
      body: {
        name: 'Rebecca Odom',
        email: 'rebecca@test.swath.test',
        property: { street: '132 Laurel Green Ct', city: 'Savannah', state: 'GA', zip: '31419', lawnSquareFeet: 8000 },
      },
    })
    const once = { serviceId, frequency: 'once', visits: 1 }
    const quote = await business.api.ok(quotesApi.create, {
      body: {
        propertyId: customer.properties[0]?.id ?? '',
        title: 'A green season',
        content: {
          packages: [
            { id: 'good', name: 'Good', description: 'A mowed lawn' },
            { id: 'better', name: 'Better', description: 'Mowed and mulched', recommended: true },
          ],
          lines: [
            { ...once, id: newId(), name: 'Mowing', frequency: 'weekly', visits: 10, unitPriceCents: 5000 },
            { ...once, id: newId(), name: 'Mulch', unitPriceCents: 30_000, packageIds: ['better'] },
            { ...once, id: newId(), name: 'Aeration', unitPriceCents: 15_000, optional: true },
          ],
          terms: 'Work stops when a gate is locked.',
        },
      } as never,
    })
    const get = () => business.api.ok(quotesApi.get, { params: { id: quote.id } })
    const as = { email: business.owner.email, password }
    const { page, complaints } = await openPage({ width, as, path: linkTo.quoteBuilder(quote.id) })
    const dialog = page.getByRole('dialog', { name: 'As the customer sees it' })
    const sheet = dialog.frameLocator('iframe')

    await step('from the builder, with what was just typed', async () => {
      await page.getByLabel('Title').fill('A greener season')
      await page.getByRole('button', { name: 'As the customer sees it' }).click()
      await dialog.waitFor()
      await sheet.getByRole('heading', { name: 'A greener season' }).waitFor()
      await sheet.getByText('Draw your signature, or leave it').waitFor()
      await expectAccessible(page)
    })

    await step('packages and options add up as on the page', async () => {
      const sign = sheet.locator('#sign-button')
      expect(await sign.textContent()).toBe('Sign for $800.00')
      await sheet.getByRole('radio', { name: /Good/ }).check()
      await expect.poll(() => sign.textContent()).toBe('Sign for $500.00')
      await sheet.getByRole('checkbox', { name: /Aeration/ }).check()
      await expect.poll(() => sign.textContent()).toBe('Sign for $650.00')
      expect(await sheet.getByRole('radio', { name: /Good/ }).isChecked()).toBe(true)
    })

    await step('nothing is signed or answered in it', async () => {
      await sheet.getByLabel('Your full name').fill('Somebody Else')
      await sheet.getByRole('checkbox', { name: /I accept this quote/ }).check()
      await sheet.locator('#sign-button').click()
      await sheet.getByText('Something should be different?').click()
      await sheet.getByLabel('What should we change?').fill('All of it')
      await sheet.getByRole('button', { name: 'Ask for changes' }).click()
      await sheet.getByRole('link', { name: /PDF|paper/i }).click()
      await sheet.getByRole('heading', { name: 'A greener season' }).waitFor()
      expect(await get()).toMatchObject({ status: 'draft', signature: null })
      if (width > 800) {
        await dialog.getByRole('button', { name: 'On a phone' }).click()
        await expect.poll(async () => (await dialog.locator('iframe').boundingBox())?.width).toBe(390)
      }
      await dialog.getByRole('button', { name: 'Close' }).click()
    })

    await step('from the record of the sent one, which nobody has opened by that', async () => {
      const { version } = await get()
      await business.api.ok(quotesApi.send, { params: { id: quote.id }, body: { mail: true, text: false, version } })
      await page.goto(linkTo.quote(quote.id))
      await page.getByRole('button', { name: 'More for this quote' }).click()
      await page.getByRole('menuitem', { name: 'As the customer sees it' }).click()
      await dialog.waitFor()
      await sheet.getByText('Sign for $800.00').waitFor()
      await expectAccessible(page)
      expect((await get()).status).toBe('sent')
    })
    expectQuiet(complaints, /sandboxed/)
  })
})
