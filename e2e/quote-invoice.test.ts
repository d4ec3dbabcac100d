import { expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { quotesApi } from '../src/features/quotes/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { linkTo } from '../src/shared/links.ts'
import { expectAccessible, widths, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

for (const width of widths(390))
  test(`a signed quote becomes an invoice in one press, at ${width}`, async () => {
    const { business, owner, timeZone } = await aNewBusiness()
    const { items } = await business.api.ok(servicesApi.addDefaults, {})
    const customer = await business.api.ok(customersApi.create, {
      body: {
        name: 'Rebecca Odom',
        email: 'rebecca@test.swath.test',
        property: { street: '132 Laurel Green Ct', city: 'Savannah', state: 'GA', zip: '31419' },
      },
    })
    const lines = [{ id: newId(), serviceId: items[0]?.id ?? '', name: 'Mulch', unitPriceCents: 30_000 }]
    const made = await business.api.ok(quotesApi.create, {
      body: { propertyId: customer.properties[0]?.id ?? '', content: { lines } } as never,
    })
    const sent = await business.api.ok(quotesApi.send, {
      params: { id: made.id },
      body: { mail: true, text: false, version: made.version },
    })
    const choice = { packageId: null, lineIds: [] }
    await business.api.ok(quotesApi.approve, {
      params: { id: made.id },
      body: { signer: 'Rebecca', note: 'On the phone', choice, version: sent.version } as never,
    })
    const { page } = await openPage({ as: owner, timezoneId: timeZone, width, path: linkTo.quote(made.id) })
    const press = page.getByRole('button', { name: 'Invoice it' })
    await press.waitFor()
    await expectAccessible(page)
    await press.click()
    await page.getByRole('dialog').getByText('Mulch').first().waitFor()
    await page.goto(linkTo.quote(made.id))
    await page.getByRole('link', { name: /^Open INV-/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Make it a job' }).count()).toBe(0)
    await expectAccessible(page)
  })
