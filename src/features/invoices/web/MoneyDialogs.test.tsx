import { screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { expect, it } from 'vitest'
import { hearToasts } from '../../../ui/testing/hearToasts.ts'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { Invoice } from '../contract.ts'
import { CreditInvoice, GiveCredit } from './MoneyDialogs.tsx'
import { type PaymentOf, RefundPayment, ReversePayment } from './PaymentDialogs.tsx'
import { UseCredit } from './UseCredit.tsx'

const customer = { id: '01a202c7-f2af-717a-8cad-ef17944daad1', name: 'Ann Lee', email: null }
const invoice = {
  id: '01a202c7-f2af-717a-8cad-ef17944daadf',
  number: 1005,
  status: 'partially_paid',
  totalCents: 107_364_822,
  balanceCents: 107_364_822,
  creditCents: 3000,
  boundCredit: [],
  customer,
} as unknown as Invoice
const payment: PaymentOf = {
  id: '01a202c7-f2af-717a-8cad-ef17944daad2',
  method: 'check',
  provider: 'manual',
  amountCents: 60_000,
  refundedCents: 0,
  tipCents: 0,
  receivedOn: '2026-06-02',
  creditNote: null,
  pays: [1001, 1002],
}
const state = { phase: 'signedIn', user: { business: { timeZone: 'America/New_York' } } }
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const onClose = () => undefined

const opened = (part: ReactElement, answer: object = {}) => {
  const toasts = hearToasts()
  const saved: unknown[] = []
  answerWith(async (request) => {
    if (request.method === 'GET')
      return { body: { closedThrough: null, months: [], can: { close: true, reopen: true } } }
    saved.push(await request.json())
    return {
      body: { paymentId: payment.id, amountCents: 0, creditNote: null, creditCents: 0, invoices: [], ...answer },
    }
  })
  return { ...show(<SessionContext value={session}>{part}</SessionContext>), toasts, saved }
}

const left = (balanceCents: number) => [{ id: invoice.id, number: 1005, status: 'partially_paid', balanceCents }]

it.each([
  ['a note on a part', 7_364_822, 'CN-1002 over $1,000,000.00. $73,648.22 of INV-1005 is still open'],
  ['a note on all', 0, 'CN-1002 over $1,000,000.00. Nothing of INV-1005 is open any more'],
])('of %s says first that it was made', async (_, balanceCents, words) => {
  const answer = { amountCents: 100_000_000, creditNote: 'CN-1002', invoices: left(balanceCents) }
  const { user, toasts } = opened(<CreditInvoice invoice={invoice} open onClose={onClose} />, answer)
  await user.type(screen.getByLabelText('Why'), 'Agreed')
  await user.click(screen.getByRole('button', { name: /^Credit \$/ }))
  await waitFor(() => expect(toasts).toEqual([words]))
})

it('credits more than is open, as far as the invoice goes, and says nothing that a refused amount would not do', async () => {
  const part = { ...invoice, totalCents: 100_000, balanceCents: 40_000 }
  const answer = { amountCents: 70_000, creditNote: 'CN-1004', invoices: left(0) }
  const { user, saved } = opened(<CreditInvoice invoice={part} open onClose={onClose} />, answer)
  const amount = screen.getByLabelText<HTMLInputElement>(/Amount/)
  expect(amount.value).toBe('400.00')
  await user.type(screen.getByLabelText('Why'), 'Agreed')
  await user.clear(amount)
  await user.type(amount, '1000.01')
  await user.click(screen.getByRole('button', { name: /^Credit \$/ }))
  expect(screen.getByText('At most $1,000.00: INV-1005 is over so much.')).toBeTruthy()
  expect(screen.queryByText(/becomes credit for later/)).toBeNull()
  await user.clear(amount)
  await user.type(amount, '700')
  expect(screen.getByText('$300.00 becomes credit for later.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Credit $700.00' }))
  await waitFor(() => expect(saved).toHaveLength(1))
})

it('of credit that was used, and of credit that was given, says so too', async () => {
  const used = { amountCents: 3000, invoices: left(107_361_822) }
  const { user, toasts, unmount } = opened(<UseCredit invoice={invoice} open onClose={onClose} />, used)
  await user.click(screen.getByRole('button', { name: 'Use $30.00' }))
  await waitFor(() => expect(toasts).toEqual(['$30.00 of credit used. $1,073,618.22 of INV-1005 is still open']))
  unmount()
  const given = { amountCents: 2500, creditNote: 'CN-1003', creditCents: 5500 }
  const next = opened(<GiveCredit customer={customer} open onClose={onClose} />, given)
  await next.user.type(screen.getByLabelText(/Amount/), '25')
  await next.user.type(screen.getByLabelText('Why'), 'Sorry')
  await next.user.click(screen.getByRole('button', { name: 'Give $25.00' }))
  await waitFor(() => expect(next.toasts).toEqual(['CN-1003 over $25.00. $55.00 of credit is there now']))
})

it('takes a deposit for other work only where it is chosen, and names it', async () => {
  const paymentId = '01a202c7-f2af-717a-8cad-ef17944daad9'
  const boundCredit = [{ paymentId, restCents: 30_000, quote: { number: 1055 }, job: null, own: false }]
  const used = { amountCents: 33_000, invoices: left(0) }
  const { user, saved } = opened(<UseCredit invoice={{ ...invoice, boundCredit }} open onClose={onClose} />, used)
  const deposit = screen.getByRole<HTMLInputElement>('checkbox', { name: /the deposit of Q-1055/ })
  expect(deposit.checked).toBe(false)
  expect(screen.getByText(/^\$300\.00 of the deposit of Q-1055 is for that work/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Use $30.00' })).toBeTruthy()
  await user.click(deposit)
  await user.click(screen.getByRole('button', { name: 'Use $330.00' }))
  await waitFor(() => expect(saved).toEqual([{ amountCents: 33_000, deposits: [paymentId] }]))
})

it('names the invoices that are open again when a payment is taken back', async () => {
  const { unmount } = opened(<ReversePayment payment={payment} open onClose={onClose} />)
  expect(await screen.findByText(/what it paid of INV-1001 and INV-1002 is open again/)).toBeTruthy()
  unmount()
  opened(<ReversePayment payment={{ ...payment, pays: [] }} open onClose={onClose} />)
  const words = await screen.findByText(/recorded by mistake/)
  expect(words.textContent).not.toContain('open again')
})

const owedAgain = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /They do not owe it again/ })

it('a refund of what waits for more money gives nothing away unless that is said', async () => {
  const of = { payment, cents: 10_000, invoice }
  const { user, saved } = opened(<RefundPayment {...of} open onClose={onClose} />)
  expect(owedAgain().checked).toBe(false)
  expect(screen.getByText(/^They owe it again: INV-1005 is open by so much more/)).toBeTruthy()
  await user.click(owedAgain())
  expect(screen.getByText(/owe nothing for it: what it paid of INV-1005 is credited/)).toBeTruthy()
  await user.click(owedAgain())
  await user.type(screen.getByLabelText('Why'), 'Agreed')
  await user.click(screen.getByRole('button', { name: 'Refund $100.00' }))
  await waitFor(() => expect(saved).toMatchObject([{ amountCents: 10_000, creditInvoices: false }]))
})

it('a refund of what was paid in full begins as not owed again', () => {
  const of = { payment, cents: 10_000, invoice: { ...invoice, status: 'paid' as const } }
  opened(<RefundPayment {...of} open onClose={onClose} />)
  expect(owedAgain().checked).toBe(true)
})

it('a refund of money that pays nothing speaks of invoices only where more goes back', () => {
  opened(<RefundPayment payment={payment} cents={10_000} open onClose={onClose} />)
  expect(owedAgain().checked).toBe(false)
  expect(screen.getByText(/^Only where more goes back than lies on no invoice/)).toBeTruthy()
})
