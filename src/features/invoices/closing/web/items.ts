import { counted } from '../../../../shared/counted.ts'
import { linkTo } from '../../../../shared/links.ts'
import type { ClosingCheck } from '../contract.ts'

type Item = { id: string; label: string; hint: string; href: string; cents: number }

/** What of a month is still to do, each with the place where it is done. */
export const itemsOf = ({ drafts, visits, field, receipts, moving, unmatched }: ClosingCheck['open']): Item[] => [
  ...(drafts.count > 0
    ? [
        {
          id: 'drafts',
          label: counted(drafts.count, 'draft', 'drafts'),
          hint: 'Issue or void them: issued later, they count in the month of that day.',
          href: linkTo.invoices({ view: 'drafts' }),
          cents: drafts.totalCents,
        },
      ]
    : []),
  ...(visits.count > 0
    ? [
        {
          id: 'visits',
          label: `${counted(visits.count, 'finished visit', 'finished visits')}${visits.more ? ' and more' : ''} not invoiced`,
          hint: 'Invoiced later, they count in the month of that day.',
          href: linkTo.newInvoices(),
          cents: visits.totalCents,
        },
      ]
    : []),
  ...(visits.withoutPrice > 0
    ? [
        {
          id: 'prices',
          label: `${counted(visits.withoutPrice, 'finished visit', 'finished visits')} without a price`,
          hint: 'Give each its price, or mark it as not billable.',
          href: linkTo.newInvoices(),
          cents: 0,
        },
      ]
    : []),
  ...(field.count > 0
    ? [
        {
          id: 'field',
          label: `${counted(field.count, 'receipt', 'receipts')} of cash in the field`,
          hint: 'Count what crews took at the door and confirm it under Invoices.',
          href: linkTo.invoices({ view: undefined }),
          cents: field.totalCents,
        },
      ]
    : []),
  ...(receipts.count > 0
    ? [
        {
          id: 'receipts',
          label: `${counted(receipts.count, 'receipt', 'receipts')} to review`,
          hint: 'Look at them under Expenses: once the month is closed, only an owner changes their sum.',
          href: linkTo.expenses({ view: 'review' }),
          cents: receipts.totalCents,
        },
      ]
    : []),
  ...(moving.count > 0
    ? [
        {
          id: 'moving',
          label: `${counted(moving.count, 'payment or refund', 'payments and refunds')} under way`,
          hint: 'The bank has not answered yet. What it says later is booked on the day it says it.',
          href: linkTo.invoices({ view: 'pending' }),
          cents: moving.totalCents,
        },
      ]
    : []),
  ...unmatched.customers.map(({ id, name, cents }) => ({
    id,
    label: `${name}: money on no invoice`,
    hint: 'Put it on an invoice, refund it, or leave it as credit.',
    href: linkTo.invoices({ customerId: id }),
    cents,
  })),
]
