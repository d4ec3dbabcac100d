import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { businessesApi } from '../src/features/businesses/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { paymentsApi } from '../src/features/payments/contract.ts'
import { correctionsApi } from '../src/features/payments/corrections/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { formatCents } from '../src/shared/money.ts'
import { aLawn, today } from '../src/test/field.ts'
import { readPdf } from '../src/test/papers.ts'
import { expectAccessible, expectQuiet, withBrowser } from './browser.ts'
import { aNewBusiness } from './fixtures.ts'

/** One invoice, twice: as a PDF and as a page. Neither says a number or a line that the other does not. */

const { openPage } = withBrowser({ afresh: 'file' })

/** Words without what parts them: a page and a paper break their lines elsewhere. */
const squeezed = (words: string | null): string => (words ?? '').replaceAll(/\s+/g, '')
const sums = (words: string): string[] => [...new Set(words.match(/\$[\d,]+\.\d\d/g))].sort()

/** What the page of an invoice says, its part that is drawn as the paper, and the paper. */
const bothOf = async (page: Page) => {
  const link = page.getByRole('link', { name: /^(Invoice|Receipt) as PDF$/ })
  await link.waitFor()
  const file = await page.context().request.get((await link.getAttribute('href')) ?? '')
  return {
    shown: squeezed(await page.locator('.pub-sheet').textContent()),
    onPaper: squeezed(await page.locator('.pub-paper').textContent()),
    drawn: squeezed((await readPdf(new Uint8Array(await file.body()))).flat().join(' ')),
  }
}

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
  const { shown, onPaper, drawn } = await bothOf(page)
  await expectAccessible(page)
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

test('and so do those that were credited, given back, written off, paid too much, and one of forty lines for a long name', async () => {
  const { business, timeZone } = await aNewBusiness()
  const { api } = business
  const name = 'Evangeline Montgomery-Featherstonehaugh & Bartholomew Quincy'
  const { customerId } = await aLawn(business, { customer: name })
  const issued = async (lines: readonly number[], description = 'Weekly mowing') => {
    const { id } = await api.ok(invoicesApi.create, {
      body: {
        customerId,
        lines: lines.map((unitPriceCents, at) => ({
          description: `${description} ${at + 1}`,
          quantity: 1,
          unitPriceCents,
        })),
      },
    })
    return api.ok(invoicesApi.issue, { params: { id } })
  }
  const paid = async (id: string, amountCents: number) => {
    await api.ok(paymentsApi.recordPayment, {
      params: { id },
      body: { method: 'check', amountCents, receivedOn: today() },
    })
    const { payments } = await api.ok(invoicesApi.get, { params: { id } })
    return payments[0]?.id ?? ''
  }
  const reason = 'Agreed on the phone'
  const [credited, back, writtenOff, voided, tooMuch] = [
    await issued([8017]),
    await issued([9029]),
    await issued([7013]),
    await issued([6007]),
    await issued([5011]),
  ]
  const long = await issued(Array.from({ length: 40 }, (_, at) => 1001 + at * 37))
  await api.ok(correctionsApi.creditInvoice, { params: { id: credited.id }, body: { amountCents: 1503, reason } })
  await api.ok(correctionsApi.refundPayment, {
    params: { id: await paid(back.id, 9029) },
    body: { amountCents: 2011, method: 'check', onDay: today(), reason, creditInvoices: true },
  })
  await api.ok(invoicesApi.writeOff, { params: { id: writtenOff.id }, body: { reason } })
  await api.ok(invoicesApi.voidInvoice, { params: { id: voided.id }, body: { reason } })
  await paid(tooMuch.id, 6000)
  const { page, complaints } = await openPage({ timezoneId: timeZone, width: 390 })
  const said: [typeof long, string[]][] = [
    [credited, ['Weekly mowing 1', '$80.17', '$15.03', '$65.14']],
    [back, ['$90.29', '$20.11']],
    [writtenOff, ['$70.13', 'Written off']],
    [tooMuch, ['$50.11']],
    [long, [name, 'Weekly mowing 1', 'Weekly mowing 40', '$24.44']],
  ]
  for (const [invoice, words] of said) {
    await page.goto(invoice.publicPath ?? '')
    const { shown, onPaper, drawn } = await bothOf(page)
    expect(sums(drawn), `INV-${invoice.number}`).toEqual(sums(onPaper))
    const all = [`INV-${invoice.number}`, ...words].map(squeezed)
    expect([all.filter((one) => !drawn.includes(one)), all.filter((one) => !shown.includes(one))]).toEqual([[], []])
  }
  // nothing is asked for any more, and no paper says otherwise
  await page.goto(voided.publicPath ?? '')
  await page.locator('.pub-sheet').waitFor()
  expect(await page.getByRole('link', { name: /as PDF$/ }).count()).toBe(0)
  expectQuiet(complaints)
})
