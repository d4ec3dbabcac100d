import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { IconArrowLeft } from '../../../../ui/icons.ts'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { RelativeTime } from '../../../../ui/RelativeTime.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import type { ClosingCheck, Closings } from '../contract.ts'
import { type Month, monthLabel, monthOf, monthsThatClose, monthsThatOpen } from '../rules.ts'
import { closingsQuery, monthQuery, useCloseMonth, useReopenMonth } from './data.ts'
import { itemsOf } from './items.ts'

const Open = ({ check, onLeave }: { check: ClosingCheck; onLeave: () => void }) => {
  const items = itemsOf(check.open)
  const { customers, totalCents } = check.open.unmatched
  if (items.length === 0)
    return <p className="muted">Nothing is left to do: no drafts, no work to invoice, no money without an invoice.</p>
  return (
    <>
      <h3>Still open up to {formatDay(check.to, { year: true })}</h3>
      <ul className="panel-rows">
        {items.map((item) => (
          <li key={item.id}>
            <span className="panel-rows__main">
              <LinkTo href={item.href} onClick={onLeave}>
                <b>{item.label}</b>
              </LinkTo>
              <span className="muted">{item.hint}</span>
            </span>
            <span className="panel-rows__side num">{item.cents > 0 ? formatCents(item.cents) : null}</span>
          </li>
        ))}
      </ul>
      {customers.reduce((sum, { cents }) => sum + cents, 0) < totalCents ? (
        <p className="hint">
          These are the {customers.length} customers with the most; {formatCents(totalCents)} lies on no invoice in all.
        </p>
      ) : null}
    </>
  )
}

/** Each sum opens the rows that it is of. */
const Sums = ({ check: { sums, from, to, month }, onLeave }: { check: ClosingCheck; onLeave: () => void }) => (
  <dl className="inv-statement__sums">
    {(
      [
        ['Invoiced', sums.invoicedCents, 'invoiced'],
        ['Received', sums.paidCents, 'received'],
        ['Credited', sums.creditedCents, 'credited'],
        ['Refunded', sums.refundedCents, 'refunded'],
        ['Taken back by banks', sums.disputedCents, 'disputed'],
        ...(sums.tipsCents === 0 ? [] : [['Tips for crews, in what was received', sums.tipsCents, 'tips'] as const]),
        ['Voided, written off, corrected', sums.otherCents, 'other'],
      ] as const
    ).map(([label, cents, view]) => (
      <div key={label}>
        <dt>
          <LinkTo href={linkTo.ledger({ view, from, to })} onClick={onLeave}>
            {label}
          </LinkTo>
        </dt>
        <dd className="num">{formatCents(cents)}</dd>
      </div>
    ))}
    <div className="is-strong">
      <dt>
        <LinkTo href={linkTo.ledger({ view: 'all', from, to })} onClick={onLeave}>
          What customers owe changed by
        </LinkTo>
      </dt>
      <dd className="num">{formatCents(sums.togetherCents)}</dd>
    </div>
    <div>
      <dt>
        <LinkTo href={linkTo.expenses({ in: month })} onClick={onLeave}>
          Expenses
        </LinkTo>
      </dt>
      <dd className="num">{formatCents(sums.spentCents)}</dd>
    </div>
  </dl>
)

const Reopen = ({ month, closings, onDone }: { month: Month; closings: Closings; onDone: () => void }) => {
  const reopen = useReopenMonth()
  const form = useForm({ defaultValues: { reason: '' } })
  const also = monthsThatOpen(month, closings.closedThrough).slice(1)
  const submit = async ({ reason }: { reason: string }) => {
    if (!reason.trim())
      return form.setError('reason', { message: 'Say why: it stands on the record.' }, { shouldFocus: true })
    await reopen.mutateAsync({ month, reason })
    toast.success(`${monthLabel(month)} is open again`)
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit} label="Reopen the month">
      <FormField control={form.control} name="reason">
        {(f) => <TextField {...f} label="Why it is reopened" maxLength={300} placeholder="A check was forgotten" />}
      </FormField>
      {also.length > 0 ? (
        <p className="hint">
          {also.length === 1 ? `${also.map(monthLabel).join('')} opens` : `The ${also.length} months after it open`}{' '}
          with it. Close them again when you are done.
        </p>
      ) : null}
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          Reopen {monthLabel(month)}
        </Button>
      </FormActions>
    </Form>
  )
}

const Close = ({ check, closings, onDone }: { check: ClosingCheck; closings: Closings; onDone: () => void }) => {
  const also = monthsThatClose(check.month, closings.closedThrough)
  const close = useCloseMonth()
  const form = useForm({ defaultValues: {} })
  const submit = async () => {
    await close.mutateAsync({ month: check.month, leaveOpen: check.hasOpen })
    toast.success(`${monthLabel(check.month)} is closed`)
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit} label="Close the month">
      <p className="hint">
        Nothing dated up to {formatDay(check.to, { year: true })} can be booked or changed after this.{' '}
        {also === null
          ? 'Every month before it closes with it. '
          : also.length === 0
            ? ''
            : `${also.length === 1 ? also.map(monthLabel).join('') : `The ${also.length} open months before it`} ${also.length === 1 ? 'closes' : 'close'} with it. `}
        It can be reopened with a reason.
      </p>
      <FormActions>
        <Button type="submit" kind="primary" loading={form.formState.isSubmitting}>
          {check.hasOpen ? `Close ${monthLabel(check.month)} all the same` : `Close ${monthLabel(check.month)}`}
        </Button>
      </FormActions>
    </Form>
  )
}

type OneProps = { month: Month; closings: Closings; onBack: () => void; onLeave: () => void }

const One = ({ month, closings, onBack, onLeave }: OneProps) => {
  const found = useQuery(monthQuery(month))
  return (
    <div className="inv-statement__fields">
      <div>
        <Button size="s" kind="quiet" icon={<IconArrowLeft />} onClick={onBack}>
          All months
        </Button>
      </div>
      {found.isError ? (
        <ErrorState
          compact
          error={found.error}
          title={`We could not load ${monthLabel(month)}`}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : !found.data ? (
        <PanelSkeleton />
      ) : (
        <>
          <h2 className="inv-months__title">
            {monthLabel(month)}{' '}
            {found.data.closed ? <Badge tone="done">Closed</Badge> : <Badge tone="wait">Open</Badge>}
          </h2>
          <Sums check={found.data} onLeave={onLeave} />
          {found.data.closed ? null : <Open check={found.data} onLeave={onLeave} />}
          {found.data.closed ? (
            closings.can.reopen ? (
              <Reopen month={month} closings={closings} onDone={onBack} />
            ) : (
              <p className="hint">Only an owner can reopen it.</p>
            )
          ) : closings.can.close ? (
            <Close check={found.data} closings={closings} onDone={onBack} />
          ) : (
            <p className="hint">Only an owner can close it.</p>
          )}
        </>
      )}
    </div>
  )
}

const historyLabel = ({ action, onDay, detail }: Closings['history'][number]): string =>
  action === 'exception'
    ? `${detail}, dated ${formatDay(onDay, { year: true })}, booked in a closed month`
    : `${monthLabel(monthOf(onDay))} ${action}`

/** Months of the books: which are closed, what is left to do before one is, and who did what with them. */
export const Months = ({ onLeave }: { onLeave: () => void }) => {
  const found = useQuery(closingsQuery)
  const [month, setMonth] = useState<Month | null>(null)
  if (found.isError)
    return (
      <ErrorState
        compact
        error={found.error}
        title="We could not load the months"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!found.data) return <PanelSkeleton />
  if (month) return <One month={month} closings={found.data} onBack={() => setMonth(null)} onLeave={onLeave} />
  return (
    <div className="inv-statement__fields">
      <p className="muted">
        A closed month stays as your accountant got it: no payment, refund or invoice is dated in it any more. A card
        payment that arrives late is booked in the open month and says so.
      </p>
      <ul className="panel-rows inv-months">
        {found.data.months.map((row) => (
          <li key={row.month}>
            <span className="panel-rows__main">
              <b>{monthLabel(row.month)}</b>
            </span>
            <span className="inv-months__side">
              {row.closed ? <Badge tone="done">Closed</Badge> : <Badge tone="wait">Open</Badge>}
              <Button
                size="s"
                aria-label={`${!row.closed && found.data.can.close ? 'Close' : 'Look at'} ${monthLabel(row.month)}`}
                onClick={() => setMonth(row.month)}
              >
                {!row.closed && found.data.can.close ? 'Close' : 'Look'}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {found.data.history.length > 0 ? (
        <>
          <h3>What was done</h3>
          <ul className="panel-rows">
            {found.data.history.map((row) => (
              <li key={row.id}>
                <span className="panel-rows__main">
                  <b>{historyLabel(row)}</b>
                  <span className="muted">{[row.by, row.reason].filter(Boolean).join(': ')}</span>
                </span>
                <span className="panel-rows__side hint">
                  <RelativeTime at={row.at} />
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  )
}
