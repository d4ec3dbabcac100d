import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../shared/counted.ts'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useToday, useUser } from '../../accounts/web/session.ts'
import type { Automation, DryRun } from '../contract.ts'
import { firstDayOf } from '../kinds/rules.ts'
import { dryRunDays, mostNamed } from '../rules.ts'
import { dryRunQuery } from './data.ts'

const ways = { sms: 'text', email: 'e-mail' } as const

/** What its first month will be like, where that is not what the last one would have been. */
const Begins = ({ automation }: { automation: Automation }) => {
  const { timeZone } = useUser().business
  const today = useToday()
  const since = automation.enabled && automation.enabledAt ? dayOf(automation.enabledAt, timeZone) : today
  const first = firstDayOf(automation, since)
  if (first === null || first <= today) return null
  return (
    <p className="hint">
      {automation.enabled
        ? `Live it counts from ${formatDay(since)}, when it was switched on: the first can leave on ${formatDay(first)}.`
        : `Live it counts from the day you switch it on: switched on today, the first can leave on ${formatDay(first)}. Whoever the dry run names is left out then.`}
    </p>
  )
}

const Result = ({ sent, notSent, reasons, texts, segments, tooMany }: DryRun) => {
  const { timeZone } = useUser().business
  return (
    <div className="au-part" role="status">
      <p className="au-sum">
        {sent.length === 0
          ? `This would have sent nothing in the last ${dryRunDays} days.`
          : `This would have sent ${counted(sent.length, 'message')} in the last ${dryRunDays} days.`}
      </p>
      <p className="hint">
        {[
          texts > 0 ? `${counted(texts, 'text')}, ${counted(segments, 'segment')} of your plan.` : '',
          tooMany ? `More began it than are looked at: these are the newest ${mostNamed}.` : '',
          'With who agreed to what, what is owed, and what is switched off, as it is today.',
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {sent.length > 0 ? (
        <ul className="au-who" aria-label="Would have got it">
          {sent.map(({ customer, channel, leavesAt, text }) => (
            <li key={`${customer.id} ${leavesAt}`}>
              <LinkTo href={linkTo.customer(customer.id)}>{customer.name}</LinkTo>
              <span className="hint">
                {formatDay(dayOf(leavesAt, timeZone))}, {formatTime(leavesAt, timeZone)} by {ways[channel]}
              </span>
              <span className="hint">{text}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {notSent.length > 0 ? (
        <>
          <h3>{counted(notSent.length, 'time')} nothing would have left</h3>
          <ul className="au-reasons">
            {reasons.map(({ reason, count }) => (
              <li key={reason}>
                {reason}: {count}
              </li>
            ))}
          </ul>
          <ul className="au-who" aria-label="Would not have got it">
            {notSent.map(({ customer, reason }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one customer may stand there several times, and nothing of it moves
              <li key={`${customer.id} ${at}`}>
                <LinkTo href={linkTo.customer(customer.id)}>{customer.name}</LinkTo>
                <span className="hint">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  )
}

/** What it would have done last month, by the same selection that it goes by once it is on. */
export const DryRunCard = ({ automation, unsaved }: { automation: Automation; unsaved: boolean }) => {
  const [asked, setAsked] = useState(false)
  const found = useQuery({ ...dryRunQuery(automation.id, automation.version), enabled: asked })
  return (
    <Card
      title="Dry run"
      hint={
        unsaved
          ? 'Of what is saved: save first to see what you changed.'
          : `Who would have got it in the last ${dryRunDays} days. Nothing is sent.`
      }
      actions={
        <Button
          loading={found.isFetching}
          onClick={() => {
            if (asked) void found.refetch()
            else setAsked(true)
          }}
        >
          {asked ? 'Look again' : 'Look at the last month'}
        </Button>
      }
    >
      <Begins automation={automation} />
      {!asked ? null : found.data ? (
        <Result {...found.data} />
      ) : found.isError ? (
        <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <Skeleton height={80} />
      )}
    </Card>
  )
}
