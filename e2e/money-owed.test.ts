import { expect, test } from 'vitest'
import { customersApi } from '../src/features/customers/contract.ts'
import { invoicesApi } from '../src/features/invoices/contract.ts'
import { type QuoteRecord, quotesApi } from '../src/features/quotes/contract.ts'
import { servicesApi } from '../src/features/services/contract.ts'
import { newId } from '../src/platform/ids.ts'
import { linkTo } from '../src/shared/links.ts'
import { runTasks, stranger } from '../src/test/api.ts'
import { aBusiness, type TestBusiness } from '../src/test/factories.ts'
import { expectAccessible, expectQuiet, widths, withBrowser } from './browser.ts'
import { letIn, password, step } from './fixtures.ts'

const { openPage } = withBrowser({ afresh: 'file' })

const aCustomer = (business: TestBusiness, name: string, email: string | null, street = '132 Laurel Green Ct') =>
  business.api.ok(customersApi.create, {
    body: {
      name,
      ...(email ? { email } : {}),
      property: { street, city: 'Savannah', state: 'GA', zip: '31419', lawnSquareFeet: 8000 },
    },
  })

const aSignedQuote = async (business: TestBusiness): Promise<QuoteRecord> => {
  const { items } = await business.api.ok(servicesApi.addDefaults, {})
  const mulch = items.find(({ category }) => category === 'install')?.id ?? ''
  const customer = await aCustomer(business, 'Rebecca Odom', 'rebecca@test.swath.test')
  const lines = [{ id: newId(), serviceId: mulch, name: 'Mulch', unitPriceCents: 30_000, minutes: 180 }]
  const draft = await business.api.ok(quotesApi.create, {
    body: {
      propertyId: customer.properties[0]?.id,
      content: { lines, deposit: { kind: 'amount', value: 20_000 } },
    } as never,
  })
  const sent = await business.api.ok(quotesApi.send, {
    params: { id: draft.id },
    body: { mail: true, text: false, version: draft.version },
  })
  await stranger.raw({
    method: 'POST',
    url: `${sent.publicPath}/sign`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mozilla/5.0 (iPhone) Safari' },
    payload: new URLSearchParams({ signer: 'Rebecca Odom', agree: '1', expected: '30000' }).toString(),
  })
  return business.api.ok(quotesApi.get, { params: { id: draft.id } })
}

test.each(widths(1440))(
  'a deposit is recorded from the quote, and kept as credit when the quote came to nothing, at %i px',
  async (width) => {
    const business = await aBusiness({ name: 'Whitfield Lawn' })
    await letIn(business)
    const quote = await aSignedQuote(business)
    const as = { email: business.owner.email, password }
    const { page, complaints } = await openPage({ width, as, path: linkTo.quote(quote.id) })

    await step('the record says that it is not paid, and takes the check', async () => {
      await page.getByText('$200.00 is not paid yet').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Record it as paid' }).click()
      const dialog = page.getByRole('dialog', { name: 'Deposit of Q-1001' })
      await dialog.getByLabel('Note').fill('#1042')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Record $200.00' }).click()
      await page.getByText(/\$200\.00 by check on .*, R-1001\./).waitFor()
      await page.getByText('Deposit paid').waitFor()
    })

    await step('archived, it is still here and the office keeps it', async () => {
      await page.getByRole('button', { name: 'More for this quote' }).click()
      await page.getByRole('menuitem', { name: 'Archive' }).click()
      await page.getByText('$200.00 of the deposit is still here').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Keep as their credit' }).click()
      await page.getByRole('button', { name: 'Keep as credit', exact: true }).click()
      await page.getByText('It is kept as the customer’s credit.').waitFor()
    })
    expectQuiet(complaints)
  },
)

test.each(widths(390))('statements to all who owe say what became of each, at %i px', async (width) => {
  const business = await aBusiness({ name: 'Whitfield Lawn' })
  await letIn(business)
  for (const [name, email, street] of [
    ['Ann Lee', 'ann@test.swath.test', '4 Oak St'],
    ['Owen Castle', null, '6 Oak St'],
  ] as const) {
    const { id: customerId } = await aCustomer(business, name, email, street)
    const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: 5500 }]
    const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
    await business.api.ok(invoicesApi.issue, { params: { id } })
  }
  const as = { email: business.owner.email, password }
  const { page, complaints } = await openPage({ width, as, path: linkTo.invoices() })
  await page.getByRole('button', { name: 'Send statements to all who owe' }).click()
  await page.getByRole('button', { name: 'Send 1 statement' }).click()
  await page.getByText('Statements are being drawn and sent').waitFor()
  await expectAccessible(page)
  await runTasks()
  await runTasks()
  await page.getByText(/^1 statement was sent on /).waitFor()
  await page.getByText('Neither a mail nor a text reaches 1 customer: print theirs.').waitFor()
  await page.getByRole('link', { name: 'Owen Castle' }).waitFor()
  await expectAccessible(page)
  expect(await page.getByRole('button', { name: 'Send 1 statement' }).isEnabled()).toBe(true)
  expectQuiet(complaints)
})
