import { screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { PublicInvoice } from '../../payments/contract.ts'
import { PublicInvoiceScreen } from './PublicInvoiceScreen.tsx'

const state = { phase: 'signedOut' }
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const place = { street: null, city: null, state: null, zip: null }
const invoice = (status: PublicInvoice['status']) =>
  ({
    language: 'en',
    number: 1001,
    status,
    overdue: false,
    business: { name: 'Tybee Lawns', phone: null, email: null, color: '#174130', logoUrl: null, ...place },
    billTo: { name: 'Ann Lee', company: null, ...place },
    issueOn: '2026-06-01',
    dueOn: '2026-06-15',
    lines: [],
    taxes: [],
    subtotalCents: 5330,
    discountCents: 0,
    totalCents: 5330,
    paidCents: 0,
    creditedCents: 0,
    balanceCents: status === 'void' ? 0 : 5330,
    writtenOffCents: 0,
    gaveBack: [],
    payments: [],
    message: '',
    terms: '',
    canPay: false,
    payableCents: 5330,
    whyNoCard: null,
    tips: null,
    parts: null,
    cashDiscount: null,
    mandate: { text: 'Charge me', version: 1 },
    autopay: null,
    takesBank: false,
    lateFees: [],
    owedWithFeesCents: 0,
    disputedCents: null,
    pending: null,
    pageOpen: false,
    bounced: null,
    takenBack: null,
    told: 'mail',
    livemode: true,
    photos: [],
    words: [],
  }) as unknown as PublicInvoice

const Address = () => <p>{`Address: ${useLocation().search}.`}</p>

const seen = (status: PublicInvoice['status'], change: Partial<PublicInvoice> = {}, query = '') => {
  answerWith(() => ({ body: { ...invoice(status), ...change } }))
  return show(
    <SessionContext value={session}>
      <MemoryRouter initialEntries={[`/i/x${query}`]}>
        <PublicInvoiceScreen />
        <Address />
      </MemoryRouter>
    </SessionContext>,
  )
}

it('of a voided invoice offers no paper and names no day to pay by', async () => {
  const { container } = seen('void')
  await screen.findByRole('heading', { name: 'This invoice was voided' })
  expect(screen.queryByRole('link', { name: /PDF/ })).toBeNull()
  expect(container.textContent).not.toContain('Due ')
})

it('of an open one offers its paper', async () => {
  const { container } = seen('issued')
  expect(await screen.findByRole('link', { name: 'Invoice as PDF' })).toBeTruthy()
  expect(container.textContent).toContain('Due Mon, Jun 15, 2026')
})

it('of a paid one tells each payment with its own day, and credit as credit', async () => {
  const payments = [
    { deposit: false, method: 'check', amountCents: 5000, keptCents: 5000, tipCents: 0, receivedOn: '2026-06-02' },
    { deposit: false, method: 'credit', amountCents: 330, keptCents: 330, tipCents: 0, receivedOn: '2026-06-03' },
  ]
  const { container } = seen('paid', { paidCents: 5330, creditedCents: 330, balanceCents: 0, payments })
  await screen.findByRole('heading', { name: 'Paid. Thank you, Ann!' })
  expect(container.textContent).toContain('$50.00 came on Tuesday, June 2, 2026 and $3.30 was credited.')
  expect(container.textContent).toContain('Credited-$3.30')
})

it('of a paid one that money went back of says what came, what went back and when, and what was credited', async () => {
  const payments = [
    { deposit: false, method: 'card', amountCents: 5330, keptCents: 1330, tipCents: 0, receivedOn: '2026-06-02' },
    { deposit: false, method: 'credit', amountCents: 4000, keptCents: 4000, tipCents: 0, receivedOn: '2026-06-03' },
  ]
  const gaveBack = [{ onDay: '2026-06-03', method: 'card', amountCents: 4000 }]
  const change = { paidCents: 5330, creditedCents: 4000, balanceCents: 0, payments, gaveBack }
  const { container } = seen('paid', change)
  await screen.findByRole('heading', { name: 'Paid. Thank you, Ann!' })
  expect(container.textContent).toContain(
    '$53.30 came on Tuesday, June 2, 2026 and $40.00 was credited. $40.00 went back to you by card on Wednesday, June 3, 2026.',
  )
  expect(container.textContent).toContain('Wed, Jun 3, 2026 given back by card-$40.00')
  // under the total stands each as on the paper, and no sum of both
  expect(container.textContent).toContain('Paid-$53.30Given back$40.00Credited-$40.00Balance$0.00')
})

it.each([
  ['issued', false, 'You have $600.00 of credit. Ask us to use it on this invoice.'],
  ['paid', false, 'You have $600.00 of credit. Ask us to use it on an invoice.'],
  ['paid', true, 'You have $600.00 of credit. It goes on your next invoice by itself.'],
] as const)(
  'of a customer with credit tells it on one that is %s, and how it is used (by itself: %s)',
  async (status, byItself, words) => {
    seen(status, { credit: { cents: 60_000, byItself } })
    await screen.findByText(words)
  },
)

it('calls what was paid ahead a deposit', async () => {
  const payments = [
    { deposit: true, method: 'card', amountCents: 3000, keptCents: 3000, tipCents: 0, receivedOn: '2026-06-02' },
  ]
  const { container } = seen('partially_paid', { paidCents: 3000, balanceCents: 2330, payments })
  await screen.findByText('Deposit paid by card on Tue, Jun 2, 2026')
  expect(container.textContent).not.toContain('2026 by card')
})

it('of a closed one names what was let go, and that credit did not close it', async () => {
  const payments = [
    { deposit: false, method: 'credit', amountCents: 2001, keptCents: 2001, tipCents: 0, receivedOn: '2026-06-03' },
  ]
  const change = { paidCents: 2001, creditedCents: 2001, writtenOffCents: 3329, balanceCents: 0, payments }
  const { container } = seen('written_off', change)
  await screen.findByRole('heading', { name: 'Credited' })
  expect(container.textContent).toContain('Credited-$20.01Written off-$33.29Balance$0.00')
})

it('of an open one with a credit note says what was credited and not that it is closed', async () => {
  const payments = [
    { deposit: false, method: 'credit', amountCents: 2001, keptCents: 2001, tipCents: 0, receivedOn: '2026-06-03' },
  ]
  const { container } = seen('partially_paid', { paidCents: 2001, creditedCents: 2001, balanceCents: 3329, payments })
  await screen.findByRole('heading', { name: 'Credited' })
  expect(container.textContent).not.toContain('closed it')
})

it('of a credited one thanks for no money', async () => {
  const payments = [
    { deposit: false, method: 'credit', amountCents: 5330, keptCents: 5330, tipCents: 0, receivedOn: '2026-06-03' },
  ]
  const { container } = seen('paid', { paidCents: 5330, creditedCents: 5330, balanceCents: 0, payments })
  await screen.findByRole('heading', { name: 'Nothing is open' })
  expect(container.textContent).not.toMatch(/Thank you|thanks|receipt|came on/)
})

it('over nothing asks for nothing', async () => {
  const { container } = seen('paid', { totalCents: 0, subtotalCents: 0, balanceCents: 0 })
  await screen.findByRole('heading', { name: 'There is nothing to pay' })
  expect(container.textContent).not.toMatch(/Thank you/)
})

const payable = {
  canPay: true,
  payableCents: 5330,
  takesBank: true,
  autopay: null,
  mandate: { text: 'I let', version: 1 },
}

it('tells who comes back from a page that closed that nothing was charged, with the way to a new one', async () => {
  seen('issued', payable, '?paid=1')
  expect(await screen.findByText(/payment page has closed.*Nothing was charged/)).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Pay \$53\.30/ })).toBeTruthy()
})

it('keeps no mark of the way back in the address where the money was there first', async () => {
  const payments = [
    { deposit: false, method: 'card', amountCents: 5330, keptCents: 5330, tipCents: 0, receivedOn: '2026-06-02' },
  ]
  seen('paid', { paidCents: 5330, balanceCents: 0, payments }, '?paid=1')
  await screen.findByRole('heading', { name: 'Paid. Thank you, Ann!' })
  expect(await screen.findByText('Address: .')).toBeTruthy()
})

it.each<[string, Partial<PublicInvoice>]>([
  ['bounced', { bounced: { cents: 5330, onDay: '2026-06-05', reason: 'The account was closed.' } }],
  ['was taken back', { takenBack: { cents: 5330, paidOn: '2026-06-02', onDay: '2026-06-05' } }],
  [
    'went back',
    {
      payments: [
        { deposit: false, method: 'card', amountCents: 5330, keptCents: 0, tipCents: 0, receivedOn: '2026-06-02' },
      ],
    },
  ],
])('never tells who paid that nothing was charged: what came %s', async (_, change) => {
  const { container } = seen('issued', { ...payable, ...change }, '?paid=1')
  await screen.findByRole('button', { name: /^Pay \$53\.30/ })
  expect(container.textContent).not.toMatch(/Nothing was charged/)
})

it('offers to pay a part where the business wants it, and says what fits', async () => {
  const { user } = seen('issued', { ...payable, parts: { leastCents: 100, mostCents: 5230 } })
  await user.click(await screen.findByRole('button', { name: 'Pay a part of it' }))
  const amount = screen.getByRole('textbox', { name: /How much would you like to pay now/ })
  // the big button does not compete with the field
  expect(screen.queryByRole('button', { name: /^Pay \$53\.30/ })).toBeNull()
  await user.type(amount, '99')
  await user.click(screen.getByRole('button', { name: 'Pay a part of it' }))
  expect(await screen.findByText('Type an amount from $1.00 to $52.30.')).toBeTruthy()
  await user.clear(amount)
  await user.type(amount, '20')
  expect(screen.getByRole('button', { name: 'Pay $20.00 now' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Pay all of it' }))
  expect(screen.queryByRole('textbox', { name: /How much/ })).toBeNull()
  expect(screen.getByRole('button', { name: /^Pay \$53\.30/ })).toBeTruthy()
})

it('asks for a part without tip and card, and says so to who had chosen one', async () => {
  const { user } = seen('issued', { ...payable, parts: { leastCents: 100, mostCents: 5230 } })
  await user.click(await screen.findByRole('checkbox', { name: /^Keep this card/ }))
  await user.click(screen.getByRole('button', { name: 'Pay a part of it' }))
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.getByText('A part is paid without a tip, and no card is kept with it.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Pay all of it' }))
  expect(screen.getByRole('checkbox', { checked: true })).toBeTruthy()
})

it('offers to pay a part of what is more than is charged at once', async () => {
  const much = { balanceCents: 100_000_000, payableCents: 100_000_000, canPay: false, whyNoCard: 'tooMuch' as const }
  const { user } = seen('issued', { ...much, parts: { leastCents: 100, mostCents: 99_999_900 } })
  await user.type(await screen.findByRole('textbox', { name: /How much would you like to pay now/ }), '500000')
  // nobody can pay all of it at once
  expect(screen.queryByRole('button', { name: 'Pay all of it' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Pay $500,000.00 now' })).toBeTruthy()
})

it('after a bank said no tells so, with the reason', async () => {
  const bounced = { cents: 5330, onDay: '2026-06-05', reason: 'The account was closed.' }
  const { container } = seen('issued', { ...payable, bounced })
  await screen.findByText(/did not go through on Fri, Jun 5\. The account was closed\./)
  expect(container.textContent).toContain('please pay it another way')
})

it('offers autopay only to whom a charge can be announced, and names the bank before it is chosen', async () => {
  const { container, unmount } = seen('issued', { ...payable, livemode: false })
  await screen.findByRole('checkbox', { name: /pay my invoices automatically/ })
  expect(container.textContent).toContain('By card or bank account.')
  unmount()
  seen('issued', { ...payable, told: null })
  await screen.findByRole('button', { name: /Pay \$53\.30/ })
  expect(screen.queryByRole('checkbox')).toBeNull()
})

it('of what was only credited says nothing of a payment, and of both tells them apart', async () => {
  const { container, unmount } = seen('partially_paid', { paidCents: 1000, creditedCents: 1000, balanceCents: 4330 })
  await screen.findByText('Amount due')
  expect(container.textContent).toContain('$10.00 of $53.30 was credited')
  expect(container.textContent).not.toContain('is paid')
  unmount()
  const both = seen('partially_paid', { paidCents: 1500, creditedCents: 1000, balanceCents: 3830 })
  await screen.findByText('Still open')
  expect(both.container.textContent).toContain('$5.00 of $53.30 is paid and $10.00 was credited')
})

it('of a bank payment with a discount names what leaves the bank', async () => {
  const pending = { cents: 5170, since: '2026-06-03' }
  const { container } = seen('issued', { payableCents: 0, pending })
  await screen.findByText('On its way from your bank')
  expect(container.querySelector('.pay__amount')?.textContent).toBe('$51.70')
  expect(container.textContent).toContain('Bank payment of $51.70 on its way')
})

it('says by which way the receipt comes', async () => {
  const { container } = seen('issued', {
    ...payable,
    canPay: false,
    payableCents: 0,
    told: 'text',
    pending: { cents: 5330, since: '2026-06-03' },
  })
  await screen.findByText(/the receipt comes by text/)
  expect(container.textContent).not.toContain('by mail')
})

it('offers no tip where none is taken', async () => {
  seen('issued', { canPay: true })
  await screen.findByRole('button', { name: 'Pay $53.30' })
  expect(screen.queryByRole('radio')).toBeNull()
})

it('adds a tip only when its payer chose one, and asks for both together', async () => {
  const asked: unknown[] = []
  const tips = { choices: [{ cents: 500, percent: 10 }], mostCents: 10_000 }
  const { user } = seen('issued', { canPay: true, tips })
  await screen.findByRole('button', { name: 'Pay $53.30' })
  expect((screen.getByRole('radio', { name: 'No tip' }) as HTMLInputElement).checked).toBe(true)
  await user.click(screen.getByRole('radio', { name: /10%/ }))
  await screen.findByRole('button', { name: 'Pay $58.30 with tip' })
  await user.click(screen.getByRole('radio', { name: 'Other' }))
  await user.type(screen.getByLabelText(/Your tip/), '200')
  await user.tab()
  expect(await screen.findByText('Type an amount from $0.00 to $100.00.')).toBeTruthy()
  await user.clear(screen.getByLabelText(/Your tip/))
  await user.type(screen.getByLabelText(/Your tip/), '7.50')
  answerWith(async (request) => {
    asked.push([new URL(request.url).pathname, await request.json()])
    return { status: 409, body: { code: 'state_conflict', message: 'Tips cannot be added here any more.' } }
  })
  await user.click(await screen.findByRole('button', { name: 'Pay $60.80 with tip' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(asked[0]).toEqual([expect.stringMatching(/pay-with-tip$/), { tipCents: 750, withFees: false, mandate: null }])
})

const english =
  /\b(the|your|you|is|was|are|of|and|for|from|by|with|invoice|paid|pay|due|open|receipt|thank|see|please|card|bank|charged|nothing|balance|credited|issued|before|after|what|tip|crew|keep|turn)\b/i

it.each<[PublicInvoice['status'], Partial<PublicInvoice>]>([
  [
    'issued',
    {
      ...payable,
      tips: { choices: [{ cents: 500, percent: 10 }], mostCents: 10_000 },
      parts: { leastCents: 100, mostCents: 5230 },
    },
  ],
  [
    'issued',
    {
      ...payable,
      overdue: true,
      livemode: false,
      lateFees: [{ number: 7, openCents: 500, onDay: '2026-06-20', path: '/i/y' }],
    },
  ],
  ['issued', { ...payable, bounced: { cents: 5330, onDay: '2026-06-05', reason: 'La cuenta fue cerrada.' } }],
  ['issued', { pending: { cents: 5330, since: '2026-06-05' }, creditedCents: 330, paidCents: 530, payableCents: 0 }],
  ['issued', { autopay: { card: 'tarjeta Visa terminada en 4242', chargeOn: '2026-06-12', declined: null } }],
  ['issued', { disputedCents: 5330 }],
  [
    'paid',
    {
      paidCents: 5330,
      creditedCents: 330,
      balanceCents: 0,
      payments: [
        {
          deposit: false,
          method: 'check',
          amountCents: 5000,
          keptCents: 5000,
          tipCents: 100,
          receivedOn: '2026-06-02',
        },
        { deposit: false, method: 'credit', amountCents: 330, keptCents: 330, tipCents: 0, receivedOn: '2026-06-03' },
      ],
      photos: [{ url: '/x.jpg', kind: 'before', place: 'Calle Uno 1' }],
      words: [{ day: '2026-06-01', place: 'Calle Uno 1', text: 'El césped está seco.' }],
    },
  ],
  ['void', {}],
  ['written_off', {}],
])('for who reads Spanish says nothing in English: %s, %j', async (status, change) => {
  const mandate = { text: 'Permito que', version: 5 }
  const lines = [
    { serviceOn: '2026-06-01', place: null, description: 'Corte', quantity: 1, unitPriceCents: 5330, totalCents: 5330 },
  ]
  const { container } = seen(status, { lines, discountCents: 10, ...change, mandate, language: 'es' })
  await screen.findByText('Corte')
  const alts = [...container.querySelectorAll('[alt]')].map((one) => one.getAttribute('alt'))
  const shown = container.querySelector('main')?.innerHTML.replace(/<[^>]+>/g, ' ')
  const words = [shown, ...alts].join(' ').replace(/Tybee Lawns/g, ' ')
  expect(english.exec(words)?.[0] ?? null, words).toBeNull()
})

it('after a part payment thanks for it above what is still open', async () => {
  const payments = [
    { deposit: false, method: 'card', amountCents: 3000, keptCents: 3000, tipCents: 0, receivedOn: '2026-06-02' },
  ]
  const { container } = seen('partially_paid', { ...payable, paidCents: 3000, balanceCents: 2330, payments })
  const thanks = await screen.findByText('Thank you. $30.00 came on Tuesday, June 2, 2026.')
  expect(container.textContent?.indexOf('Thank you.')).toBeLessThan(container.textContent?.indexOf('Still open') ?? 0)
  expect(thanks.closest('[role=status]')).toBeTruthy()
})

it('thanks for no money that went back whole, but for what stayed', async () => {
  const payments = [
    { deposit: false, method: 'check', amountCents: 2000, keptCents: 2000, tipCents: 0, receivedOn: '2026-06-01' },
    { deposit: false, method: 'card', amountCents: 3000, keptCents: 0, tipCents: 0, receivedOn: '2026-06-02' },
  ]
  const gaveBack = [{ onDay: '2026-06-03', method: 'card', amountCents: 3000 }]
  const { container } = seen('partially_paid', { ...payable, paidCents: 2000, balanceCents: 3330, payments, gaveBack })
  await screen.findByText('Thank you. $20.00 came on Monday, June 1, 2026.')
  expect(container.textContent).not.toContain('Thank you. $30.00')
})

it.each([
  ['tooMuch' as const, 'This is more than a card or a bank account is charged at once. To pay, reach us at'],
  ['tooLittle' as const, 'This is too little for a card. To pay, reach us at'],
])('says why no card is asked: %s', async (whyNoCard, words) => {
  const { container } = seen('issued', { whyNoCard, terms: 'A late fee of $5.00 is charged.' })
  await screen.findByText('Amount due')
  expect(container.textContent).toContain(words)
})
it('speaks of work that was done only where some was', async () => {
  const line = { place: null, description: 'Season, paid ahead', quantity: 1, unitPriceCents: 5330, totalCents: 5330 }
  const ahead = seen('issued', { lines: [{ ...line, serviceOn: null }] })
  await screen.findByRole('heading', { name: 'What it is for' })
  ahead.unmount()
  seen('issued', { lines: [{ ...line, serviceOn: '2026-06-01' }] })
  await screen.findByRole('heading', { name: 'What we did' })
})

it('refuses a tip below nothing or above the most at its field, and never takes it off what is paid', async () => {
  const tips = { choices: [{ cents: 500, percent: 10 }], mostCents: 5330 }
  const { user } = seen('issued', { ...payable, tips })
  await user.click(await screen.findByRole('radio', { name: 'Other' }))
  for (const typed of ['-5', '9999999']) {
    await user.clear(screen.getByRole('textbox', { name: /Your tip/ }))
    await user.type(screen.getByRole('textbox', { name: /Your tip/ }), typed)
    await user.tab()
    expect(await screen.findByText('Type an amount from $0.00 to $53.30.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Pay $53.30' })).toBeTruthy()
  }
})
