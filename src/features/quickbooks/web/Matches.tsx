import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPhone } from '../../../shared/phone.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { TableSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type Match, quickbooksApi } from '../contract.ts'
import { matchesQuery, useMatch } from './data.ts'

const byLabels = { email: 'same e-mail', phone: 'same phone', name: 'same name' } as const

const contactOf = ({ email, phone }: Match['customer']): string =>
  [email, phone ? (phone.startsWith('+1') ? formatPhone(phone) : phone) : null].filter(Boolean).join(' · ')

const List = ({ items, onClose }: { items: readonly Match[]; onClose: () => void }) => {
  // Only what agrees in more than a name is ticked: two people may be called the same.
  const [chosen, setChosen] = useState(
    () => new Set(items.filter(({ by }) => by.some((one) => one !== 'name')).map(({ customer }) => customer.id)),
  )
  const match = useMatch()
  const pairs = items
    .filter(({ customer }) => chosen.has(customer.id))
    .map(({ customer, remote }) => ({ customerId: customer.id, remoteId: remote.id }))
  const toggle = (id: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const save = () =>
    match.mutateAsync(pairs).then(
      ({ linked }) => {
        toast.success(linked === 1 ? '1 customer linked' : `${linked} customers linked`)
        onClose()
      },
      (error: unknown) => toast.error(error),
    )
  return (
    <>
      <p className="muted">
        These customers are probably in QuickBooks already. Tick whoever is the same; the others are made anew when
        something of theirs is sent. Who is linked keeps the name and address that QuickBooks has.
      </p>
      <ul className="books-rows">
        {items.map(({ customer, remote, by }) => (
          <li key={customer.id} className="books-match">
            <CheckboxField
              label={`${customer.name} is ${remote.name}`}
              value={chosen.has(customer.id)}
              onChange={(on) => toggle(customer.id, on)}
            />
            <span className="hint">
              {by.map((one) => byLabels[one]).join(', ')}
              {contactOf(remote) ? ` · in QuickBooks: ${contactOf(remote)}` : ''}
            </span>
          </li>
        ))}
      </ul>
      <div className="books-do">
        <Button
          kind="primary"
          calls={quickbooksApi.match}
          loading={match.isPending}
          disabled={pairs.length === 0}
          onClick={() => void save()}
        >
          {pairs.length === 1 ? 'Link 1 customer' : `Link ${pairs.length} customers`}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </>
  )
}

/** Customers of the books who are probably ours: proposed, and linked only where somebody says so. */
export const Matches = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const found = useQuery({ ...matchesQuery, enabled: open })
  return (
    <Dialog open={open} onClose={onClose} title="Match customers" size="m">
      {found.isFetching && !found.isError ? (
        <TableSkeleton rows={4} columns={2} />
      ) : found.data && !found.isError ? (
        found.data.items.length > 0 ? (
          <List items={found.data.items} onClose={onClose} />
        ) : (
          <EmptyState title="Nobody to match" compact picture="mowed" action={<Button onClick={onClose}>Close</Button>}>
            {found.data.remote === 0
              ? 'Your books have no customers yet. They are made when their first invoice is sent.'
              : `${found.data.linked} of your customers are linked. Nobody else in QuickBooks has an e-mail, phone or name of yours.`}
          </EmptyState>
        )
      ) : (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      )}
    </Dialog>
  )
}
