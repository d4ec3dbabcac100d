import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { quotesApi } from '../src/features/quotes/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { aBusiness } from '../src/test/factories.ts'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'
import { letIn, password, step } from './fixtures.ts'

/** A quote with photos on the customer's page and printed from it, and the figures of what became of several. */

const { openPage } = withBrowser({ afresh: 'file' })

describe.each(widths(390))('at %i pixels', (width) => {
  test('a quote with photos is read and printed, and is counted by what became of it', async () => {
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
    const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#2f7d4f' } })
      .jpeg()
      .toBuffer()
    const photo = await business.api.ok(quotesApi.addPhoto, { body: picture as never })
    const once = { serviceId, frequency: 'once', visits: 1 }
    const send = async (content: object, source: string) => {
      const { id, version } = await business.api.ok(quotesApi.create, {
        body: { propertyId: customer.properties[0]?.id ?? '', title: 'A green season', content, source } as never,
      })
      return business.api.ok(quotesApi.send, { params: { id }, body: { mail: true, text: false, version } })
    }
    const lines = [{ ...once, id: newId(), name: 'Mowing', frequency: 'weekly', visits: 10, unitPriceCents: 5000 }]
    const mulch = { ...once, id: newId(), name: 'Mulch', unitPriceCents: 30_000 }
    const quote = await send(
      {
        packages: [
          { id: 'good', name: 'Good', description: 'A mowed lawn' },
          { id: 'better', name: 'Better', description: 'Mowed and mulched', recommended: true },
        ],
        lines: [
          ...lines,
          { ...mulch, packageIds: ['better'] },
          { ...once, id: newId(), name: 'Aeration', unitPriceCents: 15_000, optional: true },
        ],
        terms: 'Work stops when a gate is locked.',
        photoIds: [photo.id],
      },
      'Neighbor',
    )
    const { page, complaints } = await openPage({ width, path: quote.publicPath ?? '' })

    await step('its photo is on the page', async () => {
      const shown = page.getByRole('img', { name: 'Photo 1' })
      await shown.scrollIntoViewIfNeeded()
      await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
      await expectAccessible(page)
    })

    await step('printed it is the quote alone: what is chosen, its sum and terms, nothing to press', async () => {
      await page.emulateMedia({ media: 'print' })
      for (const text of ['A green season', 'Mowing', 'Mulch', '$800.00', 'Work stops when a gate is locked.'])
        expect(await page.getByText(text).filter({ visible: true }).count(), text).toBeGreaterThan(0)
      // what was not chosen, and what only works on a screen
      for (const text of ['Aeration', 'Sign for', 'Something should be different?', 'Photos', 'Update the total'])
        expect(await page.getByText(text).filter({ visible: true }).count(), text).toBe(0)
      expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
      expect(await page.getByRole('heading', { name: 'Good' }).filter({ visible: true }).count()).toBe(0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
      await page.emulateMedia({ media: 'screen' })
      expectQuiet(complaints)
    })

    await step('the figures of the tab: sent, won, lost and why, by source', async () => {
      const choice = { packageId: 'better', lineIds: [] }
      // the page was looked at meanwhile
      const { version } = await business.api.ok(quotesApi.get, { params: { id: quote.id } })
      await business.api.ok(quotesApi.approve, {
        params: { id: quote.id },
        body: { signer: 'Rebecca Odom', note: 'by phone', choice, version },
      })
      const lost = await send({ lines: [{ ...mulch, id: newId() }] }, 'Ad')
      await business.api.ok(quotesApi.decline, {
        params: { id: lost.id },
        body: { reason: 'price', note: '', version: lost.version },
      })
      const office = await openPage({
        width,
        as: { email: business.owner.email, password },
        path: '/quotes?tab=analytics',
      })
      const reasons = office.page.getByRole('table').filter({ hasText: 'Reason' })
      await reasons.getByRole('row', { name: /The price.*1.*\$300\.00|Price.*1.*\$300\.00/ }).waitFor()
      const sources = office.page.getByRole('table').filter({ hasText: 'Source' })
      await sources.getByRole('row', { name: /^Neighbor.*\$800\.00$/ }).waitFor()
      await sources.getByRole('row', { name: /^Ad.*\$0\.00$/ }).waitFor()
      await expectAccessible(office.page)
      expectQuiet(office.complaints)
    })
  })
})
