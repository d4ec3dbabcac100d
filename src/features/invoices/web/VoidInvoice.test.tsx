import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { VoidInvoice } from './VoidInvoice.tsx'

const invoice = {
  number: 1642,
  totalCents: 2500,
  paidCents: 0,
  payments: [] as { deposit: boolean; allocatedCents: number }[],
  pending: null,
  checkoutOpen: false,
  sentAt: null as string | null,
  printedAt: null,
  customer: { name: 'Lionel Brandt' },
  lines: [{ visitId: '01a202c7-f2af-717a-8cad-ef17944daad1' }],
}
const onVoid = vi.fn(() => Promise.resolve())
const asked = (status: 'draft' | 'issued', lines = invoice.lines, checkoutOpen = false, sentAt: string | null = null) =>
  show(
    <VoidInvoice
      invoice={{ ...invoice, status, lines, checkoutOpen, sentAt }}
      open
      onClose={() => undefined}
      onVoid={onVoid}
    />,
  )

it('a draft was never sent: voiding it takes nothing off what the customer owes', async () => {
  asked('draft')
  const dialog = await screen.findByRole('dialog', { name: 'Void the draft INV-1642?' })
  expect(dialog.textContent).toContain('It was never sent: Lionel Brandt owes nothing for it')
  expect(dialog.textContent).toContain('The visits on it can be invoiced again.')
  expect(dialog.textContent).not.toMatch(/less|pay link/)
})

it('one that is out says what the customer owes less, and speaks of visits only where it has some', async () => {
  asked('issued', [])
  const dialog = await screen.findByRole('dialog', { name: 'Void INV-1642?' })
  expect(dialog.textContent).toContain('Lionel Brandt will owe $25.00 less, and the pay link stops working.')
  expect(dialog.textContent).not.toContain('visits')
})

it('asks before it closes the payment page that the customer has open', async () => {
  asked('issued', [], true)
  const dialog = await screen.findByRole('dialog', { name: 'Void INV-1642?' })
  expect(dialog.textContent).toContain('Lionel Brandt has the payment page open right now: it is closed')
})

it('asks why, and says that who got it is not told', async () => {
  const { user } = asked('issued', [], false, '2026-06-12T10:00:00.000Z')
  const dialog = await screen.findByRole('dialog', { name: 'Void INV-1642?' })
  expect(dialog.textContent).toContain('They got it and are not told automatically')
  await user.click(screen.getByRole('button', { name: 'Void INV-1642' }))
  expect(await screen.findByText('Say why: it stands on the record.')).toBeTruthy()
  expect(onVoid).not.toHaveBeenCalled()
  await user.type(screen.getByRole('textbox', { name: 'Why' }), 'Made twice')
  await user.click(screen.getByRole('button', { name: 'Void INV-1642' }))
  await waitFor(() => expect(onVoid).toHaveBeenCalledWith('Made twice'))
})

it.each([
  [
    1500,
    [1500, 0],
    'will owe $10.00 less, and the pay link stops working. The deposit of $15.00 on it goes back to its work',
  ],
  [
    2500,
    [2500, 0],
    'It is paid, so Lionel Brandt owes nothing less. The deposit of $25.00 on it goes back to its work',
  ],
  [
    2500,
    [1500, 1000],
    '$15.00 on it goes back to its work and is taken off the next invoice of that. $10.00 that Lionel Brandt paid',
  ],
])(
  'with %i cents on it says what is owed less, and what becomes of the money',
  async (paidCents, [deposit = 0, other = 0], words) => {
    const payments = [
      { deposit: true, allocatedCents: deposit },
      { deposit: false, allocatedCents: other },
    ]
    show(
      <VoidInvoice
        invoice={{ ...invoice, status: 'partially_paid', paidCents, payments }}
        open
        onClose={() => undefined}
        onVoid={onVoid}
      />,
    )
    expect((await screen.findByRole('dialog', { name: 'Void INV-1642?' })).textContent).toContain(words)
  },
)
