import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { MakeAgain, NewInvoice } from './NewInvoice.tsx'

const state = { phase: 'signedIn', user: { business: { timeZone: 'America/New_York' } } }
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

const customer = {
  id: 'c1',
  name: 'Ann Lee',
  company: null,
  email: 'ann@example.test',
  termsDays: null,
  taxExempt: false,
  billingStreet: null,
  billingCity: null,
  billingState: null,
  billingZip: null,
  properties: [{ id: 'p1', street: '22 Oak Ave', city: 'Chattanooga', state: 'TN', zip: '37402', archivedAt: null }],
}
const rate = {
  id: 't1',
  name: 'TN sales tax',
  ratePercent: 7.25,
  taxCategory: 'lawn',
  state: 'TN',
  places: [],
  onTop: false,
  validFrom: null,
  validTo: null,
}

it('says whom it bills and by which tax before it is saved, and names no sum while a price cannot be read', async () => {
  answerWith(({ url }) => ({ body: url.includes('/api/business') ? { termsDays: 14, taxRates: [rate] } : customer }))
  const { user } = show(
    <SessionContext value={session}>
      <NewInvoice open customerId="c1" onClose={() => undefined} onDone={() => undefined} />
    </SessionContext>,
  )
  expect((await screen.findByText(/Ann Lee, 22 Oak Ave/)).textContent).toBe(
    'Bill to Ann Lee, 22 Oak Ave, Chattanooga, TN 37402',
  )
  expect(await screen.findByRole('option', { name: 'TN sales tax 7.25%' })).toBeTruthy()
  const price = screen.getByRole('textbox', { name: 'Price' })
  await user.type(price, '100')
  expect(screen.getByRole('button', { name: 'Save draft of $107.25' })).toBeTruthy()
  await user.clear(price)
  await user.type(price, '12,5')
  expect(screen.getByRole('button', { name: 'Save draft' })).toBeTruthy()
  expect(document.body.textContent).not.toContain('$0.00')
  await user.clear(price)
  await user.type(price, '100')
  await user.type(screen.getByRole('textbox', { name: /Discount/ }), '2,5')
  expect(screen.getByRole('button', { name: 'Save draft' })).toBeTruthy()
  // more than the work: refused, so no sum is promised
  await user.clear(screen.getByRole('textbox', { name: /Discount/ }))
  await user.type(screen.getByRole('textbox', { name: /Discount/ }), '200')
  expect(screen.getByRole('button', { name: 'Save draft' })).toBeTruthy()
  expect(document.body.textContent).not.toContain('$0.00')
})

it('keeps the place that is shown where a customer has several', async () => {
  const second = { id: 'p2', street: '9 Elm St', city: 'Augusta', state: 'GA', zip: '30901', archivedAt: null }
  const two = { ...customer, properties: [...customer.properties, second] }
  const saved: { lines: { propertyId: string | null }[] }[] = []
  answerWith(async (request) => {
    const { url } = request
    if (request.method === 'POST') saved.push((await request.json()) as (typeof saved)[number])
    return { body: url.includes('/api/business') ? { termsDays: 14, taxRates: [rate] } : two }
  })
  const { user } = show(
    <SessionContext value={session}>
      <NewInvoice open customerId="c1" onClose={() => undefined} onDone={() => undefined} />
    </SessionContext>,
  )
  expect(((await screen.findByRole('combobox', { name: 'Where' })) as HTMLSelectElement).value).toBe('p1')
  await user.type(screen.getByRole('textbox', { name: 'Description' }), 'Mulch')
  await user.type(screen.getByRole('textbox', { name: 'Price' }), '100')
  await user.click(screen.getByRole('button', { name: /Save draft/ }))
  await waitFor(() => expect(saved[0]?.lines[0]?.propertyId).toBe('p1'))
})

it('refuses a discount and a price below nothing at the field, and promises no sum with them', async () => {
  answerWith(({ url }) => ({ body: url.includes('/api/business') ? { termsDays: 14, taxRates: [rate] } : customer }))
  const { user } = show(
    <SessionContext value={session}>
      <NewInvoice open customerId="c1" onClose={() => undefined} onDone={() => undefined} />
    </SessionContext>,
  )
  const price = await screen.findByRole('textbox', { name: 'Price' })
  await user.type(price, '100')
  await user.type(screen.getByRole('textbox', { name: /Discount/ }), '-5')
  await user.tab()
  expect(await screen.findByText(/^At least \$0\.00/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Save draft' })).toBeTruthy()
  await user.clear(screen.getByRole('textbox', { name: /Discount/ }))
  expect(screen.queryByText(/^At least/)).toBeNull()
  await user.clear(screen.getByRole('textbox', { name: 'Price' }))
  await user.type(screen.getByRole('textbox', { name: 'Price' }), '-30')
  await user.tab()
  expect(await screen.findByText(/^At least \$0\.00/)).toBeTruthy()
  expect(document.body.textContent).not.toContain('-$30.00')
})

it.each([
  ['both', '+19125550147', 'No e-mail on file: it goes by text to (912) 555-0147.'],
  ['email', '+19125550147', 'No e-mail on file: it can be printed, not mailed.'],
  ['both', null, 'No e-mail on file: it can be printed, not mailed.'],
])('says how it reaches who has no e-mail: papers by %s, phone %s', async (paperWay, phone, hint) => {
  const person = { ...customer, email: null, phone, paperWay }
  answerWith(({ url }) => ({ body: url.includes('/api/business') ? { termsDays: 14, taxRates: [rate] } : person }))
  show(
    <SessionContext value={session}>
      <NewInvoice open customerId="c1" onClose={() => undefined} onDone={() => undefined} />
    </SessionContext>,
  )
  expect(await screen.findByText(hint)).toBeTruthy()
})

it('a voided invoice stands in the form as it was, without its visits, and is sent as made again', async () => {
  const sent: unknown[] = []
  answerWith(async (request) => {
    if (request.method === 'POST') sent.push(await request.json())
    return { body: request.url.includes('/api/business') ? { termsDays: 14, taxRates: [rate] } : customer }
  })
  const line = {
    quantity: 2,
    unitPriceCents: 4000,
    totalCents: 8000,
    taxCategory: 'none',
    serviceOn: null,
    place: null,
  }
  const old = {
    id: 'i1',
    number: 1007,
    customer: { id: 'c1', name: 'Ann Lee', email: null },
    lines: [
      { ...line, id: 'l1', visitId: null, propertyId: 'p1', description: 'Stump' },
      { ...line, id: 'l2', visitId: 'v1', propertyId: 'p1', description: 'Mowing' },
    ],
    discountCents: 500,
    termsDays: 21,
    message: 'Thank you',
  } as unknown as Parameters<typeof MakeAgain>[0]['invoice']
  const { user } = show(
    <SessionContext value={session}>
      <MakeAgain invoice={old} open onClose={() => undefined} onDone={() => undefined} />
    </SessionContext>,
  )
  expect(await screen.findByText(/visits that stood on it are left out/)).toBeTruthy()
  expect(screen.getAllByRole('textbox', { name: 'Description' }).map((one) => (one as HTMLInputElement).value)).toEqual(
    ['Stump'],
  )
  await user.click(await screen.findByRole('button', { name: 'Save draft of $80.00' }))
  await waitFor(() =>
    expect(sent).toMatchObject([
      { customerId: 'c1', madeFrom: 'i1', termsDays: 21, discountCents: 0, lines: [{ id: 'l1', quantity: 2 }] },
    ]),
  )
})
