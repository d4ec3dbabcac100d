import { type Day, daysBetween } from '../../../shared/dates.ts'
import { partLabel } from '../../../shared/paid.ts'
import { Badge } from '../../../ui/Badge.tsx'
import type { InvoiceStatus } from '../rules.ts'

type Of = {
  status: InvoiceStatus
  disputed: boolean
  pendingCents: number
  overdue: boolean
  dueOn: Day | null
  viewedAt: string | null
  totalCents: number
  paidCents: number
  creditedCents: number
}

/** Where an invoice stands, in the words of somebody who waits for money. */
export const InvoiceState = ({ invoice, today }: { invoice: Of; today: Day }) => {
  const { status, dueOn } = invoice
  if (invoice.disputed) return <Badge tone="late">Disputed</Badge>
  if (status === 'paid') return <Badge tone="done">{invoice.totalCents === 0 ? 'No charge' : 'Paid'}</Badge>
  if (status === 'draft') return <Badge>Draft</Badge>
  if (status === 'void') return <Badge>Void</Badge>
  if (status === 'written_off') return <Badge>Written off</Badge>
  if (invoice.pendingCents > 0) return <Badge tone="now">On its way</Badge>
  if (invoice.overdue && dueOn) {
    const days = daysBetween(dueOn, today)
    return <Badge tone="late">{days === 1 ? '1 day late' : `${days} days late`}</Badge>
  }
  if (status === 'partially_paid') return <Badge tone="wait">{partLabel(invoice)}</Badge>
  return invoice.viewedAt ? <Badge tone="now">Seen</Badge> : <Badge tone="wait">Open</Badge>
}
