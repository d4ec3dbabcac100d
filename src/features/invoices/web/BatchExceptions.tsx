import { useState } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { hubPath } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { BatchPreview } from '../contract.ts'
import { useSettleVisit } from './data.ts'

type Exception = BatchPreview['exceptions'][number]

const reasons: Record<Exception['reason'], string> = {
  no_price: 'No price',
  on_hold: 'On hold',
  not_per_visit: 'By contract',
}

const Price = ({ exception }: { exception: Exception }) => {
  const settle = useSettleVisit()
  const [cents, setCents] = useState<number | null>(null)
  const run = (body: { priceCents: number } | { billable: boolean }, words: string) =>
    settle.mutate(
      { visitId: exception.visitId, body },
      {
        onSuccess: () =>
          'billable' in body
            ? toast.undo(words, () => settle.mutateAsync({ visitId: exception.visitId, body: { billable: true } }))
            : toast.success(words),
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

const fixOf = (exception: Exception) => {
  if (exception.reason === 'no_price') return <Price exception={exception} />
  if (exception.reason === 'on_hold')
    return (
      <Button size="s" href={`${hubPath('customers', 'manage')}&customerId=${exception.customer.id}`}>
        Open the customer
      </Button>
    )
  return (
    <Button size="s" href={`${hubPath('jobs', 'manage')}&job=${exception.jobId}`}>
      Open the job
    </Button>
  )
}

/** Finished visits that can not be billed as they are: why, and what settles it. */
export const BatchExceptions = ({ exceptions }: { exceptions: readonly Exception[] }) => {
  const [open, setOpen] = useState(false)
  if (exceptions.length === 0) return null
  const Arrow = open ? IconChevronDown : IconChevronRight
  const kinds = Object.entries(Object.groupBy(exceptions, (one) => one.reason)).map(
    ([reason, list]) => `${list?.length ?? 0} ${reasons[reason as Exception['reason']].toLowerCase()}`,
  )
  return (
    <section className="batch-left">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <IconAlertTriangle size={18} aria-hidden="true" />
        <span>
          <b>{exceptions.length === 1 ? '1 visit is left out' : `${exceptions.length} visits are left out`}</b>
          <span> {kinds.join(', ')}</span>
        </span>
        <Arrow size={17} aria-hidden="true" />
      </button>
      {open ? (
        <ul>
          {exceptions.map((exception) => (
            <li key={exception.visitId}>
              <span className="batch-left__who">
                <LinkTo href={`${hubPath('customers', 'manage')}&customerId=${exception.customer.id}`}>
                  {exception.customer.name}
                </LinkTo>
                <span className="hint">
                  {[formatDay(exception.day), exception.services, exception.place].filter(Boolean).join(' · ')}
                </span>
              </span>
              <span className="muted">{exception.words}</span>
              <span className="batch-left__fix">{fixOf(exception)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}
