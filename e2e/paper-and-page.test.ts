import { expect, test } from 'vitest'
import { businessesApi } from '../src/features/businesses/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { paymentsApi } from '../src/features/payments/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { formatCents } from '../src/shared/money.ts'
import { aLawn, today } from '../src/test/field.ts'
import { readPdf } from '../src/test/papers.ts'
import { expectAccessible, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** One invoice, twice: as a PDF and as a page. Neither says a number or a line that the other does not. */

const { openPage } = withBrowser({ afresh: 'file' })

/** Words without what parts them: a page and a paper break their lines elsewhere. */
const squeezed = (words: string | null): string => (words ?? '').replaceAll(/\s+/g, '')
const sums = (words: string): string[] => [...new Set(words.match(/\$[\d,]+\.\d\d/g))].sort()

test('the paper and the page of an invoice say the same lines, days and sums', async () => {
  const { business, timeZone } = await aNewBusiness()
  const { version } = await business.api.ok(businessesApi.get, {})
  await business.api.ok(businessesApi.update, {
    body: { street: '88 Depot Road', city: 'Savannah', invoiceTerms: 'Checks go to the depot.', version },
  })
  await business.db((db) =>
    db
      .insertInto('taxRates')
      .values({
        businessId: business.id,
        id: newId(),
        name: 'Chatham County',
        ratePercent: 7 as never,
        taxCategory: 'treatment',
        state: null,
      })
      .execute(),
  )
  const { customerId, propertyId } = await aLawn(business, { street: '12 North Oak Street' })
  const { id } = await business.api.ok(invoicesApi.create, {
    body: {
      customerId,
      discountCents: 1111,
      message: 'Thank you for this season.',
      lines: [
        { description: 'Weekly mowing', quantity: 1, unitPriceCents: 5503, propertyId },
        { description: 'Fertilizer', quantity: 6.5, unitPriceCents: 1249, taxCategory: 'treatment', propertyId },
        { description: 'Hedge trimming', quantity: 2, unitPriceCents: 115_001 },
      ],
    },
  })
  const issued = await business.api.ok(invoicesApi.issue, { params: { id } })
  await business.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents: 2007, receivedOn: today() },
  })
  const invoice = await business.api.ok(invoicesApi.get, { params: { id } })
  expect(invoice.taxCents).toBeGreaterThan(0)
  const { page } = await openPage({ timezoneId: timeZone, width: 1440, path: issued.publicPath ?? '' })
  const link = page.getByRole('link', { name: 'Invoice as PDF' })
  await link.waitFor()
  await expectAccessible(page)
  const shown = squeezed(await page.locator('.pub-sheet').textContent())
  const onPaper = squeezed(await page.locator('.pub-paper').textContent())
  const file = await page.context().request.get((await link.getAttribute('href')) ?? '')
  const drawn = squeezed((await readPdf(new Uint8Array(await file.body()))).flat().join(' '))
  expect(sums(drawn)).toEqual(sums(onPaper))
  const said = [
    `INV-${invoice.number}`,
    'Weekly mowing',
    'Fertilizer',
    'Hedge trimming',
    '12 North Oak Street',
    'Thank you for this season.',
    'Checks go to the depot.',
    '88 Depot Road',
    invoice.billTo.name ?? '',
    ...invoice.lines.map(({ totalCents }) => formatCents(totalCents)),
    `Subtotal ${formatCents(invoice.subtotalCents)}`,
    `Discount -${formatCents(1111)}`,
    ...invoice.taxes.map(
      (tax) => `${tax.name} ${tax.ratePercent}% of ${formatCents(tax.baseCents)} ${formatCents(tax.taxCents)}`,
    ),
    `Total ${formatCents(invoice.totalCents)}`,
    `-${formatCents(2007)}`,
  ].map(squeezed)
  expect(said.filter((words) => !drawn.includes(words))).toEqual([])
  expect(said.filter((words) => !shown.includes(words))).toEqual([])
  const left = formatCents(invoice.balanceCents)
  expect([drawn.includes(`Balancedue${left}`), shown.includes(`Balance${left}`)]).toEqual([true, true])
  for (const day of drawn.match(/(Issued|Due)\w{3},\w{3}\d+,\d{4}/g) ?? ['no day']) expect(shown).toContain(day)
})
