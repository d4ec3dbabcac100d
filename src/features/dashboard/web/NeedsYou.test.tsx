import { act, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { Need } from '../contract.ts'
import { NeedsYou } from './NeedsYou.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const invoiceId = '01a202c7-f2af-717a-8cad-ef17944daadf'
const need: Need = {
  id: 'overdue:1',
  kind: 'overdue',
  badge: 'Overdue',
  tone: 'late',
  title: 'Invoice 1001 Ann Lee',
  detail: '9 days past due',
  amountCents: 5330,
  path: '/jobs?tab=invoices',
  action: { kind: 'remind', label: 'Remind', invoiceId },
}

it('a reminder is asked about before it leaves', async () => {
  const asked = answerWith(() => ({
    body: {
      id: invoiceId,
      balanceCents: 5330,
      dueOn: null,
      customer: { id: 'c', name: 'Ann Lee', email: 'ann@x.test' },
      reach: { mail: 'ann@x.test', text: null, why: null },
    },
  }))
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter>
        <NeedsYou needs={[need]} count={1} />
      </MemoryRouter>
    </SessionContext>,
  )
  await user.click(screen.getByRole('button', { name: 'Remind' }))
  expect(await screen.findByRole('dialog', { name: 'Remind Ann Lee of $53.30?' })).toBeTruthy()
  expect(screen.getByText('A link to pay goes to ann@x.test now.')).toBeTruthy()
  expect(asked.filter((one) => one.startsWith('POST'))).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Send the reminder' }))
  await waitFor(() => expect(asked).toContain(`POST /api/invoices/${invoiceId}/remind`))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Remind' })).toHaveProperty('disabled', true))
})

it('a doubled click books one day', async () => {
  const asked = answerWith(() => ({ body: {} }))
  const action = { kind: 'rebook' as const, label: 'Rebook Mon, Nov 23', visitId: invoiceId, day: '2026-11-23' }
  show(
    <SessionContext value={session}>
      <MemoryRouter>
        <NeedsYou needs={[{ ...need, kind: 'skipped', action }]} count={1} />
      </MemoryRouter>
    </SessionContext>,
  )
  const button = screen.getByRole('button', { name: 'Rebook Mon, Nov 23' })
  act(() => {
    button.click()
    button.click()
  })
  await waitFor(() => expect(button).toHaveProperty('disabled', true))
  expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
})

it('a sale at a visit that is gone shows what was signed, and says that nothing is billed by itself', async () => {
  const asked = answerWith(() => ({ body: { decision: 'counts', commandIds: [invoiceId] } }))
  const action = {
    kind: 'decide' as const,
    label: 'Decide',
    commandId: invoiceId,
    about: 'goneSale' as const,
    signature: { signer: 'Rebecca Odom', strokes: [{ id: 's1', color: 'red' as const, points: [0.1, 0.5, 0.9, 0.4] }] },
  }
  const title = 'Luis sold extra work at 7 Bay St, but the visit was deleted'
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter>
        <NeedsYou needs={[{ ...need, kind: 'conflict', title, action }]} count={1} />
      </MemoryRouter>
    </SessionContext>,
  )
  await user.click(screen.getByRole('button', { name: 'Decide' }))
  expect(await screen.findByRole('dialog', { name: title })).toBeTruthy()
  expect(screen.getByRole('img', { name: 'Signature of Rebecca Odom' }).querySelector('svg')).toBeTruthy()
  expect(screen.getByText(/nothing is billed by itself/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Decide and tell the crew' }))
  await waitFor(() => expect(asked).toContain(`POST /api/crew-conflicts/${invoiceId}/decide`))
})

it('what did not arrive can be dismissed beside what mends it', async () => {
  const asked = answerWith(() => ({ body: {} }))
  const action = { kind: 'open' as const, label: 'Correct the address', path: '/customers?customerId=c' }
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter>
        <NeedsYou needs={[{ ...need, kind: 'unsent', action, dismisses: invoiceId }]} count={1} />
      </MemoryRouter>
    </SessionContext>,
  )
  expect(screen.getByRole('link', { name: 'Correct the address' }).getAttribute('href')).toContain('customerId=c')
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(asked).toContain(`POST /api/messages/${invoiceId}/dismiss`))
})

it('shows the first of many, and all of them when asked', async () => {
  const many = Array.from({ length: 3 }, (_, at) => ({ ...need, id: `overdue:${at}`, title: `Invoice ${1001 + at}` }))
  answerWith(() => ({ body: { items: many } }))
  const { user } = show(
    <SessionContext value={session}>
      <MemoryRouter>
        <NeedsYou needs={many.slice(0, 1)} count={3} />
      </MemoryRouter>
    </SessionContext>,
  )
  screen.getByText('1 of 3')
  await user.click(screen.getByRole('button', { name: 'Show all 3' }))
  await screen.findByText('Invoice 1003')
  expect(screen.queryByText('1 of 3')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Show fewer' }))
  expect(screen.queryByText('Invoice 1003')).toBeNull()
})
