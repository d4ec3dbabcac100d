import { useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { mostLeftOut } from '../batch/rules.ts'
import type { BatchPreview } from '../contract.ts'
import { useSettleVisit } from './data.ts'

type Exception = BatchPreview['exceptions'][number]

const reasons: Record<Exception['reason'], string> = {
  covered: 'covered by a billing plan',
  no_price: 'without a price',
  on_hold: 'of customers on hold',
  not_per_visit: 'billed by contract',
}

const Price = ({ exception }: { exception: Exception }) => {
  const settle = useSettleVisit()
  const [cents, setCents] = useState<number | null>(null)
  const run = (body: { priceCents: number } | { billable: boolean }, message: string) =>
    settle.mutate(
      { visitId: exception.visitId, body },
      {
        onSuccess: () =>
          'billable' in body
            ? toast.undo(message, () => settle.mutateAsync({ visitId: exception.visitId, body: { billable: true } }))
            : toast.success(message),
        onError: toast.error,
      },
    )
  return (
    <form
      className="batch-fix"
      onSubmit={(event) => {
        event.preventDefault()
        if (cents) run({ priceCents: cents }, `${exception.customer.name} is in the batch now`)
      }}
    >
      <MoneyField
        hideLabel
        label={`Price for ${exception.customer.name}`}
        value={cents}
        onChange={setCents}
        placeholder="Price"
      />
      <Button size="s" type="submit" disabled={!cents} loading={settle.isPending}>
        Set price
      </Button>
      <Button size="s" kind="quiet" onClick={() => run({ billable: false }, 'This visit is not billed')}>
        Don't bill it
      </Button>
    </form>
  )
}

const Fix = ({ first }: { first: Exception }) => {
  if (first.reason === 'no_price') return <Price exception={first} />
  if (first.reason === 'on_hold')
    return (
      <Button size="s" href={linkTo.customer(first.customer.id)}>
        Open the customer
      </Button>
    )
  return (
    <Button size="s" href={linkTo.job(first.jobId)}>
      Open the job
    </Button>
  )
}

/** What one click settles is one row: a price is for one visit, a hold for all of a customer, a contract for all of a job. */
const rowsOf = (exceptions: readonly Exception[]): Exception[][] => [
  ...Map.groupBy(exceptions, (one) =>
    one.reason === 'no_price' ? one.visitId : `${one.reason}${one.reason === 'on_hold' ? one.customer.id : one.jobId}`,
  ).values(),
]

const detail = (row: readonly Exception[]): string => {
  const [first, last] = [row[0], row.at(-1)]
  if (!first || !last) return ''
  const many = row.length >= mostLeftOut.ofJob ? `${row.length} or more visits` : `${row.length} visits`
  if (row.length === 1) return [formatDay(first.day), first.services, first.place].filter(Boolean).join(' · ')
  const days = row.map((one) => one.day).sort()
  return `${many} · ${formatDay(days[0] ?? '')} to ${formatDay(days.at(-1) ?? '')}`
}

/** Finished visits that cannot be billed as they are: why, and what settles it. */
export const BatchExceptions = ({ exceptions, more }: { exceptions: readonly Exception[]; more: boolean }) => {
  const [open, setOpen] = useState(false)
  if (exceptions.length === 0) return null
  const Arrow = open ? IconChevronDown : IconChevronRight
  const kinds = [...Map.groupBy(exceptions, (one) => one.reason)].map(
    ([reason, list]) => `${list.length}${more ? ' or more' : ''} ${reasons[reason]}`,
  )
  return (
    <section className="batch-left" aria-label="Visits left out">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <IconAlertTriangle size={18} aria-hidden="true" />
        <span>
          <b>
            {more ? 'More than ' : ''}
            {exceptions.length === 1 ? '1 visit is left out' : `${exceptions.length} visits are left out`}
          </b>
          : {kinds.join(', ')}
        </span>
        <Arrow size={17} aria-hidden="true" />
      </button>
      {open ? (
        <ul>
          {rowsOf(exceptions).map((row) => {
            const first = row[0] as Exception
            return (
              <li key={first.visitId}>
                <span className="batch-left__who">
                  <LinkTo href={linkTo.customer(first.customer.id)}>{first.customer.name}</LinkTo>
                  <span className="hint">{detail(row)}</span>
                </span>
                <span className="muted">{first.message}</span>
                <span className="batch-left__fix">
                  <Fix first={first} />
                </span>
              </li>
            )
          })}
        </ul>
      ) : null}
      {open && more ? (
        <p className="hint">
          Not all of them are listed: the newest {mostLeftOut.ofJob} of a job, up to {mostLeftOut.visits} in all. When
          these are settled, others come up here.
        </p>
      ) : null}
    </section>
  )
}
