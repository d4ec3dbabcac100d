import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { statusOf } from '../../messages/rules.ts'
import type { MailingItem, MailingPerson } from '../contract.ts'
import { countWords } from '../rules.ts'
import { mailingPeopleQuery, mailingsQuery, useMailing } from './data.ts'

const when = (at: string, timeZone: string): string => `${formatDay(dayOf(at, timeZone))}, ${formatTime(at, timeZone)}`

const stateOf = (one: MailingItem): { label: string; tone: 'done' | 'now' | 'late' | 'wait' | 'neutral' } =>
  one.stoppedAt
    ? { label: 'Stopped', tone: 'neutral' }
    : one.waiting + one.onTheWay > 0
      ? one.heldUntil
        ? { label: 'Waits for quiet hours to end', tone: 'wait' }
        : { label: 'On its way', tone: 'now' }
      : one.failed > 0
        ? { label: 'Sent, not to all', tone: 'late' }
        : { label: 'Sent', tone: 'done' }

const personState = (one: MailingPerson, timeZone: string): string => {
  if (one.status === 'leftOut') return one.reason ?? 'Nothing was sent'
  if (one.status === 'waiting') return 'Waits'
  const { label } = statusOf({ status: one.status, runAfter: one.runAfter }, timeZone)
  const how = one.channel === 'sms' ? 'text' : 'e-mail'
  return `${label} (${how})${one.reason && one.status !== 'held' ? `: ${one.reason}` : ''}`
}

/** Everybody of one, who got nothing first. */
const People = ({ id }: { id: string }) => {
  const { timeZone } = useUser().business
  const people = useQuery(mailingPeopleQuery(id))
  if (people.isError && !people.data)
    return (
      <ErrorState compact error={people.error} onRetry={() => void people.refetch()} retrying={people.isFetching} />
    )
  if (!people.data) return <Skeleton height={80} />
  return (
    <ul className="mailing-who">
      {people.data.items.map((one) => (
        <li key={one.key}>
          {one.id ? <LinkTo href={linkTo.thread(one.id)}>{one.name}</LinkTo> : one.name}
          <span className="hint">{personState(one, timeZone)}</span>
        </li>
      ))}
    </ul>
  )
}

const Row = ({ one, onStop }: { one: MailingItem; onStop: (one: MailingItem) => void }) => {
  const { timeZone } = useUser().business
  const [open, setOpen] = useState(false)
  const { label, tone } = stateOf(one)
  const made = one.texts + one.mails + one.waiting
  const leftOut = one.failed + one.unreached
  return (
    <li className="mailing-row" aria-label={`Message of ${when(one.createdAt, timeZone)}`}>
      <div className="mailing-row__head">
        <Badge tone={tone}>{label}</Badge>
        <span className="hint">
          {when(one.createdAt, timeZone)}
          {one.byName ? ` by ${one.byName}` : ''} · {one.about === 'offer' ? 'An offer' : 'About their service'}
        </span>
      </div>
      {one.subject ? <b>{one.subject}</b> : null}
      <p className="mailing-row__words pre-line">{one.en}</p>
      <Progress
        label={`${one.sent} of ${made} sent`}
        detail={[
          one.texts + one.mails > 0 ? countWords(one) : '',
          one.segments > 0
            ? `${one.segments.toLocaleString('en-US')} text ${one.segments === 1 ? 'segment' : 'segments'}`
            : '',
          leftOut > 0 ? `${leftOut} got nothing` : '',
        ]
          .filter(Boolean)
          .join(' · ')}
        value={one.sent}
        max={Math.max(1, made)}
        tone={one.failed > 0 ? 'late' : 'done'}
      />
      {one.heldUntil && !one.stoppedAt ? (
        <span className="hint">What waits leaves {when(one.heldUntil, timeZone)}.</span>
      ) : null}
      <div className="mailing-row__acts">
        <Button size="s" kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide who got it' : 'Who got it'}
        </Button>
        {one.can.stop ? (
          <Button size="s" onClick={() => onStop(one)}>
            Stop what waits
          </Button>
        ) : null}
      </div>
      {open ? <People id={one.id} /> : null}
    </li>
  )
}

/** Messages to several, the newest first: how far each is, who got nothing and why, and Stop while anything waits. */
export const SentMailings = () => {
  const list = useInfiniteQuery(mailingsQuery)
  const { stop } = useMailing()
  const [stopping, setStopping] = useState<MailingItem | null>(null)
  const items = list.data?.pages.flatMap((page) => page.items)
  return (
    <Card title="Sent to several" hint="With how far each is, who got nothing and why.">
      {list.isError && !items ? (
        <ErrorState compact error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : !items ? (
        <Skeleton height={160} />
      ) : items.length === 0 ? (
        <EmptyState compact picture="none" title="Nothing was sent to several yet">
          A message that you send above stands here, with who got it.
        </EmptyState>
      ) : (
        <>
          <ul className="mailing-rows">
            {items.map((one) => (
              <Row key={one.id} one={one} onStop={setStopping} />
            ))}
          </ul>
          <LoadMore
            hasMore={list.hasNextPage}
            loading={list.isFetchingNextPage}
            failed={list.isFetchNextPageError}
            onMore={() => void list.fetchNextPage()}
            shown={items.length}
          />
        </>
      )}
      <ConfirmDialog
        open={stopping !== null}
        onClose={() => setStopping(null)}
        title="Stop what has not left?"
        confirmLabel="Stop it"
        danger
        onConfirm={async () => {
          if (!stopping) return
          const { sent } = await stop.mutateAsync(stopping.id)
          toast.success(sent === 0 ? 'Stopped. Nothing had left.' : `Stopped. ${sent} had left already.`)
        }}
      >
        What has left stays with the customers. What waits is not sent, and cannot be started again.
      </ConfirmDialog>
    </Card>
  )
}
