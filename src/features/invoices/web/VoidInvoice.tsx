import { formatCents } from '../../../shared/money.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import type { Invoice } from '../contract.ts'
import { invoiceName } from '../rules.ts'

type Props = {
  invoice: Pick<Invoice, 'number' | 'status' | 'totalCents' | 'pending' | 'checkoutOpen'> & {
    customer: Pick<Invoice['customer'], 'name'>
    lines: readonly Pick<Invoice['lines'][number], 'visitId'>[]
  }
  open: boolean
  onClose: () => void
  onVoid: () => Promise<unknown>
}

/** Asks before an invoice is void. A draft was never sent: nobody owes anything for it yet, and there is no pay link to stop. */
export const VoidInvoice = ({ invoice, open, onClose, onVoid }: Props) => {
  const draft = invoice.status === 'draft'
  const name = invoiceName(invoice.number)
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Void ${draft ? 'the draft ' : ''}${name}?`}
      confirmLabel={`Void ${name}`}
      danger
      onConfirm={onVoid}
    >
      {draft
        ? `It was never sent: ${invoice.customer.name} owes nothing for it and does not hear of this.`
        : `${invoice.customer.name} will owe ${formatCents(invoice.totalCents)} less, and the pay link stops working.`}{' '}
      {invoice.lines.some((line) => line.visitId) ? 'The visits on it can be invoiced again. ' : ''}The number is not
      used twice.{' '}
      {invoice.pending
        ? `A bank payment of ${formatCents(invoice.pending.cents)} is on its way and cannot be stopped: when it arrives, it becomes credit. `
        : ''}
      {invoice.checkoutOpen
        ? `${invoice.customer.name} has the payment page open right now: it is closed, and what they paid until then is booked. `
        : ''}
      This cannot be undone.
    </ConfirmDialog>
  )
}
