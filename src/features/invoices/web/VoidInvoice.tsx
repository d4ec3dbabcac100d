import { formatCents } from '../../../shared/money.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { Invoice } from '../contract.ts'
import { invoiceName } from '../rules.ts'
import { InDialog, ReasonFields } from './ReasonDialog.tsx'

type Props = {
  invoice: Pick<
    Invoice,
    'number' | 'status' | 'totalCents' | 'paidCents' | 'pending' | 'checkoutOpen' | 'sentAt' | 'printedAt'
  > & {
    payments: readonly Pick<Invoice['payments'][number], 'deposit' | 'allocatedCents'>[]
    customer: Pick<Invoice['customer'], 'name'>
    lines: readonly Pick<Invoice['lines'][number], 'visitId'>[]
  }
  open: boolean
  onClose: () => void
  onVoid: (reason: string) => Promise<unknown>
}

/** What becomes of the money that lies on it: a deposit waits for the next invoice of its work, other money for any. */
const moneyWords = ({ payments, customer, paidCents }: Props['invoice']): string => {
  const deposits = payments.filter(({ deposit }) => deposit)
  const depositCents = deposits.reduce((sum, { allocatedCents }) => sum + allocatedCents, 0)
  const restCents = paidCents - depositCents
  return [
    depositCents > 0
      ? `The deposit of ${formatCents(depositCents)} on it goes back to its work and is taken off the next invoice of that. `
      : '',
    restCents > 0 ? `${formatCents(restCents)} that ${customer.name} paid on it becomes their credit. ` : '',
  ].join('')
}

/** Asks before an invoice is void, and why. A draft was never sent: nobody owes anything for it yet, and nobody asks later why it went. */
export const VoidInvoice = ({ invoice, open, onClose, onVoid }: Props) => {
  const name = invoiceName(invoice.number)
  const { customer } = invoice
  const openCents = invoice.totalCents - invoice.paidCents
  const visits = invoice.lines.some((line) => line.visitId) ? 'The visits on it can be invoiced again. ' : ''
  const last = 'The number is not used twice. This cannot be undone.'
  const done = () => toast.success(`${name} is void`)
  if (invoice.status === 'draft')
    return (
      <ConfirmDialog
        open={open}
        onClose={onClose}
        title={`Void the draft ${name}?`}
        confirmLabel={`Void ${name}`}
        danger
        onConfirm={() => onVoid('').then(done)}
      >
        It was never sent: {customer.name} owes nothing for it and does not hear of this. {visits}
        {last}
      </ConfirmDialog>
    )
  return (
    <InDialog open={open} onClose={onClose} title={`Void ${name}?`}>
      <ReasonFields
        intro={
          <>
            {openCents > 0
              ? `${customer.name} will owe ${formatCents(openCents)} less, and the pay link stops working. `
              : `It is paid, so ${customer.name} owes nothing less. `}
            {moneyWords(invoice)}
            {visits}
            {invoice.sentAt || invoice.printedAt
              ? `They got it and are not told automatically: the link says that it was voided. Tell ${customer.name} if they wait to pay it. `
              : ''}
            {invoice.pending
              ? `A bank payment of ${formatCents(invoice.pending.cents)} is on its way and cannot be stopped: when it arrives, it becomes credit. `
              : ''}
            {invoice.checkoutOpen
              ? `${customer.name} has the payment page open right now: it is closed, and what they paid until then is booked. `
              : ''}
            {last}
          </>
        }
        label={`Void ${name}`}
        placeholder="Wrong customer, made twice"
        verb={`Void ${name}`}
        danger
        onSend={async (reason) => {
          await onVoid(reason)
          return `${name} is void`
        }}
        onClose={onClose}
      />
    </InDialog>
  )
}
