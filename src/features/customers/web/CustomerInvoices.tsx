import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { partLabel } from '../../../shared/paid.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Money } from '../../../ui/Money.tsx'
import { MoneyTiles } from '../../../ui/MoneyTiles.tsx'
import { useToday } from '../../accounts/web/session.ts'
import { CustomerPlans } from '../../billingplans/web/CustomerPlans.tsx'
import type { CustomerRecord } from '../contract.ts'

type Invoices = NonNullable<CustomerRecord['invoices']>
type Invoice = Invoices['items'][number]

const State = ({ invoice, today }: { invoice: Invoice; today: string }) => {
  if (invoice.status === 'paid') return <Badge tone="done">{invoice.totalCents === 0 ? 'No charge' : 'Paid'}</Badge>
  if (invoice.status === 'draft') return <Badge>Draft</Badge>
  if (invoice.status === 'void') return <Badge>Void</Badge>
  if (invoice.status === 'written_off') return <Badge>Written off</Badge>
  if (invoice.dueOn !== null && invoice.dueOn < today) return <Badge tone="late">Overdue</Badge>
  return <Badge tone="wait">{invoice.status === 'partially_paid' ? partLabel(invoice) : 'Open'}</Badge>
}

export const CustomerInvoices = ({ record, invoices }: { record: CustomerRecord; invoices: Invoices }) => {
  const today = useToday()
  if (invoices.items.length === 0)
    return (
      <div className="panel-stack">
        <EmptyState
          compact
          title="No invoices yet"
          action={<Button href={linkTo.invoices({ customerId: record.id })}>Invoices and credit</Button>}
        >
          Finished visits of {record.name} become invoices there.
        </EmptyState>
        <CustomerPlans customerId={record.id} />
      </div>
    )
  return (
    <div className="panel-stack">
      <MoneyTiles
        customerId={record.id}
        owedCents={invoices.openCents}
        owedNote={invoices.openCents > 0 ? 'on open invoices' : 'nothing is open'}
        overdueCents={invoices.overdueCents}
        overdueNote={invoices.overdueCents > 0 ? 'past their due day' : 'nothing overdue'}
        daysToPay={invoices.daysToPay}
      />
      <ul className="panel-rows">
        {invoices.items.map((invoice) => (
          <li key={invoice.id}>
            <span className="panel-rows__main">
              <LinkTo href={linkTo.invoice(invoice.id)}>INV-{invoice.number}</LinkTo>
              <span className="muted">
                {invoice.issueOn ? formatDay(invoice.issueOn) : 'Not issued'}
                {invoice.dueOn ? ` · due ${formatDay(invoice.dueOn)}` : ''}
              </span>
            </span>
            <span className="panel-rows__side">
              <State invoice={invoice} today={today} />
              <Money cents={invoice.totalCents} />
            </span>
          </li>
        ))}
      </ul>
      <Button size="s" href={linkTo.invoices({ customerId: record.id })}>
        All invoices and credit
      </Button>
      <CustomerPlans customerId={record.id} />
    </div>
  )
}
