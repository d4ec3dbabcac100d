import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { Invoice } from '../contract.ts'
import { RecordPayment } from './RecordPayment.tsx'

const invoice = {
  id: '01a202c7-f2af-717a-8cad-ef17944daadf',
  number: 1001,
  balanceCents: 5330,
  cashDiscount: { percent: '3%', cents: 160 },
  takesTips: true,
  alsoOpen: null,
  customer: { id: '01a202c7-f2af-717a-8cad-ef17944daad1', name: 'Ann Lee', email: null },
} as Invoice
const state = { phase: 'signedIn', user: { business: { timeZone: 'America/New_York' } } }
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

const opened = (changes: Partial<Invoice> = {}, onClose: () => void = () => undefined) => {
  const saved: { amountCents: number }[] = []
  answerWith(async (request) => {
    const body = (await request.json()) as { amountCents: number }
    saved.push(body)
    return { body: { ...body, id: '1', invoiceId: invoice.id, balanceCents: 0 } }
  })
  const view = show(
    <SessionContext value={session}>
      <RecordPayment invoice={{ ...invoice, ...changes }} open onClose={onClose} />
    </SessionContext>,
  )
  const type = async (amount: string) => {
    await view.user.clear(screen.getByLabelText(/Amount/))
    await view.user.type(screen.getByLabelText(/Amount/), amount)
  }
  return { ...view, saved, type }
}

afterEach(() => vi.restoreAllMocks())

it('an amount far above what is open is asked about before it is saved, and can be put right by a press', async () => {
  const { user, saved, type } = opened()
  await type('5330')
  await user.click(screen.getByRole('button', { name: 'Record $5,330.00' }))
  expect(await screen.findByText('Did $5,330.00 come in?')).toBeTruthy()
  expect(saved).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Make it $53.30' }))
  await user.click(screen.getByRole('button', { name: 'Record $53.30' }))
  await waitFor(() => expect(saved).toMatchObject([{ amountCents: 5330 }]))
})

it('of what was paid meanwhile by somebody else the same money is not recorded twice, nor made nothing', async () => {
  const closed = vi.fn()
  const { user, saved, type } = opened({ balanceCents: 0, cashDiscount: null }, closed)
  await type('53.30')
  await user.click(screen.getByRole('button', { name: 'Record $53.30' }))
  expect(await screen.findByText(/INV-1001 was paid meanwhile/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Make it $0.00' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'No, it is recorded' }))
  expect([saved, closed.mock.calls.length]).toEqual([[], 1])
})

it('one check for all that is open is a press, says what it pays, and can be for this one alone', async () => {
  const { user, saved, type } = opened({ cashDiscount: null, alsoOpen: { count: 2, cents: 4670, discountCents: 0 } })
  expect(screen.getByText(/\$46.70 is open on 2 other invoices/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Make it $100.00' }))
  expect(screen.getByText('Pays all that is open.')).toBeTruthy()
  await type('80')
  expect(screen.getByText('Pays it in full; $20.00 stays open on the others.')).toBeTruthy()
  await user.click(screen.getByLabelText(/The rest is for their other open invoices/))
  expect(screen.getByText('$26.70 more than is open: it stands in the balance of Ann Lee.')).toBeTruthy()
  await user.click(screen.getByLabelText(/The rest is for their other open invoices/))
  await user.click(screen.getByRole('button', { name: 'Record $80.00' }))
  await waitFor(() => expect(saved).toMatchObject([{ amountCents: 8000, others: true }]))
})

it('what comes off for paying without a card comes off all that one check pays', async () => {
  const { type } = opened({ alsoOpen: { count: 1, cents: 4670, discountCents: 140 } })
  await type('100')
  expect(screen.getByText(/\$97.00 pays all of it/)).toBeTruthy()
  await type('97')
  expect(screen.getByText('Pays all that is open with $3.00 off.')).toBeTruthy()
})

it('who means it presses once more, and a double press is not meant', async () => {
  let now = 10_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const { user, saved, type } = opened()
  await type('5330')
  await user.click(screen.getByRole('button', { name: 'Record $5,330.00' }))
  now += 200
  await user.click(await screen.findByRole('button', { name: 'Yes, record $5,330.00' }))
  expect(saved).toEqual([])
  now += 800
  await user.click(screen.getByRole('button', { name: 'Yes, record $5,330.00' }))
  await waitFor(() => expect(saved).toMatchObject([{ amountCents: 533_000 }]))
})

it('a little more than is open is no question', async () => {
  const { user, saved, type } = opened()
  await type('60')
  await user.click(screen.getByRole('button', { name: 'Record $60.00' }))
  await waitFor(() => expect(saved).toMatchObject([{ amountCents: 6000 }]))
})

it.each(['0', '20,50', '-3'])('of %j nothing is said but what is wrong, and nothing is recorded', async (typed) => {
  const { user, saved, type, container } = opened()
  await type(typed)
  expect(container.ownerDocument.body.textContent).not.toMatch(/Pays it in full|stays open|Record -|more than is open/)
  await user.click(screen.getByRole('button', { name: 'Record payment' }))
  expect(await screen.findByText(/More than \$0\.00 came in|Type an amount like 45/)).toBeTruthy()
  expect(saved).toEqual([])
})

it('what came beyond what is open can be marked as a tip, and then is no credit', async () => {
  const { user, saved, type } = opened()
  expect(screen.queryByLabelText(/tip for the crew/)).toBeNull()
  await type('60')
  expect(await screen.findByText('$6.70 more came than is open. Was it a tip?')).toBeTruthy()
  await user.type(screen.getByLabelText(/tip for the crew/), '70')
  await user.click(screen.getByRole('button', { name: 'Record $60.00' }))
  expect(await screen.findByText('Only $60.00 came in.')).toBeTruthy()
  await user.clear(screen.getByLabelText(/tip for the crew/))
  await user.type(screen.getByLabelText(/tip for the crew/), '6.70')
  expect(await screen.findByText('Pays it in full.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Record $60.00' }))
  await waitFor(() => expect(saved).toMatchObject([{ amountCents: 6000, tipCents: 670 }]))
})

it('a check over all but the discount pays in full, and the discount can be left away; a card earns none', async () => {
  const { user, saved, type } = opened()
  await screen.findByText('With 3% off for paying without a card, $51.70 pays it in full.')
  await type('51.70')
  await screen.findByText('Pays it in full with $1.60 off.')
  await user.click(screen.getByRole('checkbox', { name: /3% off/ }))
  await screen.findByText('$1.60 stays open.')
  await user.click(screen.getByRole('radio', { name: 'Card' }))
  expect(screen.queryByRole('checkbox', { name: /3% off/ })).toBe(null)
  await user.click(screen.getByRole('radio', { name: 'Check' }))
  await user.click(await screen.findByRole('checkbox', { name: /3% off/ }))
  await user.click(screen.getByRole('button', { name: 'Record $51.70' }))
  await waitFor(() => expect(saved).toMatchObject([{ amountCents: 5170, cashDiscount: true }]))
})

it('of less than its own balance that lacks only the discount on all, it is said and sent that it is for all', async () => {
  const { user, saved, type } = opened({ alsoOpen: { count: 1, cents: 100, discountCents: 3 } })
  await type('52.67')
  await screen.findByText('Pays all that is open with $1.63 off.')
  expect(screen.getByRole('checkbox', { name: /for their other open invoices too/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Record $52.67' }))
  await waitFor(() => expect(saved).toMatchObject([{ amountCents: 5267, others: true }]))
})

it('an amount far above all that is open is asked about with the number that its hint counts', async () => {
  const { user, type } = opened({
    balanceCents: 7725,
    cashDiscount: null,
    alsoOpen: { count: 1, cents: 2500, discountCents: 0 },
  })
  await type('7725')
  expect(screen.getByText('$7,622.75 more than is open: it stands in the balance of Ann Lee.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Record $7,725.00' }))
  expect(await screen.findByText(/^Only \$102\.25 is open, the other invoices included\./)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Make it $102.25' }))
  expect(screen.getByText('Pays all that is open.')).toBeTruthy()
})
