import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/client.ts'
import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { IconCash } from '../../../ui/icons.ts'
import { doorApi, type FieldCash } from '../../payments/door/contract.ts'
import { FieldCashDialog } from './FieldCashDialog.tsx'

export const fieldCashQuery = queryOptions({
  queryKey: ['payments', 'field-cash'],
  queryFn: ({ signal }) => call(doorApi.fieldCash, {}, { signal }),
})

const sumsOf = ({ cashCents, checkCents }: { cashCents: number; checkCents: number }): string =>
  [
    cashCents > 0 ? `${formatCents(cashCents)} in cash` : '',
    checkCents > 0 ? `${formatCents(checkCents)} in checks` : '',
  ]
    .filter(Boolean)
    .join(' and ')

const lineOf = ({ people, handIns, ...sums }: FieldCash): string => {
  const [first, ...others] = people
  if (first)
    return `${sumsOf(sums)} with ${first.name}${others.length === 0 ? '' : others.length === 1 ? ' and one other' : ` and ${others.length} others`}`
  const last = handIns.find(({ undone }) => undone === null)
  return last
    ? `Nobody holds money of yours. Last handed in: ${formatDay(last.onDay)}, by ${last.name}.`
    : 'Nobody holds money of yours.'
}

/** Cash and checks that crews took at the door and the office does not have yet; silent where crews take none. */
export const FieldCashCard = () => {
  const found = useQuery(fieldCashQuery)
  const [open, setOpen] = useState(false)
  const cash = found.data
  if (!cash || (cash.people.length === 0 && !cash.enabled && cash.handIns.length === 0)) return null
  return (
    <Card className="inv-field-card">
      <div className="inv-field">
        <span>
          <b>Cash in the field</b>
          <span className="muted">{lineOf(cash)}</span>
        </span>
        <Button icon={<IconCash />} onClick={() => setOpen(true)}>
          {cash.people.length > 0 ? 'Count and confirm' : 'Show hand-ins'}
        </Button>
      </div>
      <FieldCashDialog cash={cash} open={open} onClose={() => setOpen(false)} />
    </Card>
  )
}
