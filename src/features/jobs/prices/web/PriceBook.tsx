import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { dayOf, formatDay } from '#src/shared/dates.ts'
import { formatCents } from '#src/shared/money.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { ErrorState } from '#src/ui/ErrorState.tsx'
import { TableSkeleton } from '#src/ui/Skeleton.tsx'
import { useUser } from '../../../accounts/web/session.ts'
import type { ServiceRecord } from '../../../services/contract.ts'
import { nextPriceText, type PriceRule, priceRuleText } from '../../../services/rules.ts'
import { type PriceChange, pricesApi } from '../contract.ts'
import { priceChangesQuery, priceVersionsQuery } from './data.ts'
import { PriceQuestion } from './PriceQuestion.tsx'
import { UndoPrices } from './UndoPrices.tsx'
import './prices.css'

/** A new price rule of one service: for which work, from when, and what that does. */
export const NewPrice = ({
  service,
  priceRule,
  onClose,
  onDone,
}: {
  service: ServiceRecord
  priceRule: PriceRule
  onClose: () => void
  onDone: () => void
}) => (
  <Dialog open onClose={onClose} title={`New price for ${service.name}`} closeOnOutside={false}>
    <PriceQuestion
      what={{ rules: [{ serviceId: service.id, version: service.version, priceRule }] }}
      onClose={onClose}
      onDone={onDone}
    >
      <p className="prc__rule">
        {service.priceRule ? <s>{priceRuleText(service.priceRule, service)}</s> : null}
        <b>{priceRuleText(priceRule, service)}</b>
      </p>
    </PriceQuestion>
  </Dialog>
)

const stateWords = { current: 'now', scheduled: 'ahead', past: 'before', undone: 'undone' } as const
const stateTones = { current: 'done', scheduled: 'now', past: 'neutral', undone: 'neutral' } as const

/** What a service cost before, costs now and will cost, who said so and when. */
export const PriceVersions = ({ service }: { service: ServiceRecord }) => {
  const { timeZone } = useUser().business
  const versions = useQuery(priceVersionsQuery(service.id))
  return (
    <details className="svc-more">
      <summary>Price history{service.nextPrice ? `: ${nextPriceText(service.nextPrice, service)}` : ''}</summary>
      {versions.error ? (
        <ErrorState compact error={versions.error} onRetry={() => void versions.refetch()} />
      ) : !versions.data ? (
        <TableSkeleton rows={2} columns={2} />
      ) : (
        <ol className="prc-rows">
          {versions.data.map((one) => (
            <li key={one.number}>
              <span>
                {one.state === 'undone' ? (
                  <s>{priceRuleText(one.priceRule, service)}</s>
                ) : (
                  priceRuleText(one.priceRule, service)
                )}
              </span>
              <Badge tone={stateTones[one.state]}>{stateWords[one.state]}</Badge>
              <span className="hint">
                From {formatDay(one.fromOn, { year: true })}
                {one.number === 1
                  ? ', as it began'
                  : `, by ${one.byName ?? 'Swath'} on ${formatDay(dayOf(one.createdAt, timeZone), { year: true })}`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </details>
  )
}

const words = (change: PriceChange): string =>
  [
    { raise: 'Raise', rule: 'New price', letter: 'Price letter' }[change.kind],
    change.serviceNames.length > 2 ? `${change.serviceNames.length} services` : change.serviceNames.join(', '),
  ].join(': ')

const customers = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'customer' : 'customers'}`

/** What became of the notices: nobody is told before a message has left. */
const noticeWords = (change: PriceChange): string =>
  [
    change.toldCount > 0 && `${customers(change.toldCount)} told.`,
    change.waitingCount > 0 && `${customers(change.waitingCount)} not told yet: the messages wait.`,
    change.recalledCount > 0 &&
      `${change.recalledCount.toLocaleString('en-US')} ${change.recalledCount === 1 ? 'message was' : 'messages were'} recalled.`,
    change.missedCount > 0 && `${customers(change.missedCount)} could not be reached.`,
  ]
    .filter(Boolean)
    .map((words) => ` ${words}`)
    .join('')

/** What taking a change back comes to: what it was, how much it reached, and who hears nothing more. */
export const undoWords = (change: PriceChange): string =>
  [
    `${words(change)}, from ${formatDay(change.fromOn, { year: true })}.`,
    change.scope === 'new'
      ? 'New jobs have the old prices again; jobs that were booked at the new ones keep them.'
      : `The old prices hold again for its ${change.visitCount.toLocaleString('en-US')} ${change.visitCount === 1 ? 'visit' : 'visits'}, except for what is finished, invoiced or priced by hand since.`,
    change.toldCount > 0 && `${customers(change.toldCount)} heard of it already: tell them.`,
    change.waitingCount > 0 && 'The messages that wait are recalled.',
  ]
    .filter(Boolean)
    .join(' ')

/** The changes of prices so far; the newest can be taken back. */
export const PriceChanges = ({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) => {
  const { timeZone } = useUser().business
  const part = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (open) part.current?.scrollIntoView?.({ block: 'nearest' })
  }, [open])
  const [asked, setAsked] = useState<PriceChange | null>(null)
  const found = useQuery({ ...priceChangesQuery, enabled: open })
  return (
    <details ref={part} className="svc-more" open={open} onToggle={(event) => onOpen(event.currentTarget.open)}>
      <summary>Price changes</summary>
      {found.error ? (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <TableSkeleton rows={2} columns={3} />
      ) : found.data.length === 0 ? (
        <p className="muted">None yet. What you change stands here, with what it did, and can be taken back.</p>
      ) : (
        <ul className="prc-rows prc-changes">
          {found.data.map((change) => (
            <li key={change.id}>
              <span>{words(change)}</span>
              {change.undoneAt ? (
                <Badge>undone</Badge>
              ) : change.canUndo ? (
                <Button size="s" calls={pricesApi.undo} onClick={() => setAsked(change)}>
                  Undo
                </Button>
              ) : null}
              <span className="hint">
                {formatDay(dayOf(change.createdAt, timeZone), { year: true })} by {change.byName ?? 'Swath'}, from{' '}
                {formatDay(change.fromOn, { year: true })}.{' '}
                {change.scope === 'new'
                  ? 'New jobs only.'
                  : `${change.visitCount.toLocaleString('en-US')} visits, ${formatCents(change.beforeCents)} → ${formatCents(change.afterCents)} a month.`}
                {noticeWords(change)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <UndoPrices
        change={asked}
        onClose={() => setAsked(null)}
        title="Take this price change back?"
        confirmLabel="Take it back"
        words={undoWords}
      />
    </details>
  )
}
