import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { VoidInvoice } from './VoidInvoice.tsx'

const invoice = {
  number: 1642,
  totalCents: 2500,
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
