import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { linkTo } from '../../../../shared/links.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { lazyPart } from '../../../../ui/lazyAhead.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { type BulkUndone, jobEditsApi } from '../../bulk/contract.ts'
import { newsOf, useUndoEdit } from '../../bulk/web/data.ts'
import { learnedMinutesApi, type MinutesProposal } from '../contract.ts'
import { headline, lawnsText, leastVisits, mostAtOnce, visitsLookedAt } from '../rules.ts'
import { learnedMinutesQuery, useAcceptMinutes, useDismissMinutes, useRestoreMinutes } from './data.ts'
import { minutesText, monthText, tookText } from './words.ts'
import './minutes.css'

const BulkHistory = lazyPart(() => import('../../bulk/web/BulkHistory.tsx').then((m) => m.BulkHistory))

const seen = ({ lineId, budgetMinutes, learnedMinutes }: MinutesProposal) => ({ lineId, budgetMinutes, learnedMinutes })

/** "1 h 1 min, planned 40 min": both numbers, and how far they reach. */
const Numbers = ({ one }: { one: MinutesProposal }) => (
  <span className="lm-numbers num">
    <b>{minutesText(one.learnedMinutes)}</b>
    <span className="hint">
      planned {minutesText(one.budgetMinutes)}, {one.visitsAhead.toLocaleString('en-US')}{' '}
      {one.visitsAhead === 1 ? 'visit' : 'visits'} ahead
    </span>
  </span>
)

/** Of a long list only its beginning is sent. */
const More = ({ count }: { count: number }) =>
  count > 0 ? <p className="hint">and {count.toLocaleString('en-US')} more that differ by less in a month</p> : null

type ListProps = {
  items: readonly MinutesProposal[]
  /** How many there are in all. */
  count: number
  busy: boolean
  onAccept: (items: readonly MinutesProposal[]) => void
  onDismiss: (items: readonly MinutesProposal[]) => void
}

/** What is proposed, each to take or to leave, or all that is ticked at once. */
const Proposals = ({ items, count, busy, onAccept, onDismiss }: ListProps) => {
  const [out, setOut] = useState<ReadonlySet<string>>(new Set())
  const ticked = items.filter((one) => !out.has(one.lineId))
  const meant = ticked.slice(0, mostAtOnce)
  const tick = (one: MinutesProposal, on: boolean) =>
    setOut((now) => {
      const next = new Set(now)
      if (on) next.delete(one.lineId)
      else next.add(one.lineId)
      return next
    })
  return (
    <Card
      title="New minutes"
      as="section"
      actions={
        <>
          <Button
            kind="primary"
            calls={learnedMinutesApi.accept}
            disabled={meant.length === 0 || busy}
            onClick={() => onAccept(meant)}
          >
            {meant.length === 0 ? 'Plan with these' : `Plan ${lawnsText(meant.length)} with these`}
          </Button>
          <Button
            calls={learnedMinutesApi.dismiss}
            disabled={meant.length === 0 || busy}
            onClick={() => onDismiss(meant)}
          >
            Leave as planned
          </Button>
        </>
      }
    >
      <p className="lm-ticks">
        <Button size="s" kind="quiet" onClick={() => setOut(new Set())}>
          Tick all
        </Button>
        <Button size="s" kind="quiet" onClick={() => setOut(new Set(items.map((one) => one.lineId)))}>
          Tick none
        </Button>
        {ticked.length > mostAtOnce ? <span className="hint">The first {mostAtOnce} of them at a time.</span> : null}
      </p>
      <ul className="lm-rows" aria-label="Lawns whose minutes differ">
        {items.map((one) => (
          <li key={one.lineId}>
            <CheckboxField
              label={`${one.street}, ${one.customerName}: ${one.serviceName}`}
              hint={tookText(one)}
              value={!out.has(one.lineId)}
              onChange={(on) => tick(one, on)}
            />
            <Numbers one={one} />
            <span className="lm-do">
              <Button
                size="s"
                calls={learnedMinutesApi.accept}
                aria-label={`Use ${minutesText(one.learnedMinutes)} for ${one.street}, ${one.serviceName}`}
                disabled={busy}
                onClick={() => onAccept([one])}
              >
                Use
              </Button>
              <Button
                size="s"
                kind="quiet"
                calls={learnedMinutesApi.dismiss}
                aria-label={`Leave ${one.street}, ${one.serviceName} as planned`}
                disabled={busy}
                onClick={() => onDismiss([one])}
              >
                Leave
              </Button>
              <LinkTo href={linkTo.job(one.jobId)} aria-label={`J-${one.jobNumber}, job of ${one.customerName}`}>
                J-{one.jobNumber}
              </LinkTo>
            </span>
          </li>
        ))}
      </ul>
      <More count={count - items.length} />
    </Card>
  )
}

/** Lawns that take other minutes than the routes are planned with, by their newest visits, to be planned so from now on. */
export const LearnedMinutesTab = () => {
  const query = useQuery(learnedMinutesQuery)
  const may = useMay()
  const [accept, dismiss, restore, undo] = [useAcceptMinutes(), useDismissMinutes(), useRestoreMinutes(), useUndoEdit()]
  // The second of two fast presses comes before the first is drawn.
  const sending = useRef(false)
  const once = async (work: () => Promise<void>) => {
    if (sending.current) return
    sending.current = true
    try {
      await work()
    } catch (error) {
      toast.error(error)
    } finally {
      sending.current = false
    }
  }
  /** What could not be taken back is named there. */
  const [history, setHistory] = useState<'shut' | 'open' | BulkUndone>('shut')
  const found = query.data
  const onAccept = (items: readonly MinutesProposal[]) =>
    once(async () => {
      const { edit } = await accept.mutateAsync(items.map(seen))
      toast.undo(
        `${lawnsText(items.length)} planned with new minutes, ${edit.visits.changed.toLocaleString('en-US')} visits ahead changed`,
        () =>
          undo
            .mutateAsync(edit.id)
            .then((undone) => {
              if (undone.keptCount === 0) toast.success('The minutes are as before')
              else setHistory(undone)
            })
            .catch(toast.error),
        newsOf(edit.id),
      )
    })
  const onDismiss = (items: readonly MinutesProposal[]) =>
    once(async () => {
      await dismiss.mutateAsync(items.map(seen))
      toast.undo(`${lawnsText(items.length)} left as planned`, () =>
        restore.mutateAsync(items.map((one) => one.lineId)).catch(toast.error),
      )
    })
  const words = found ? headline(found) : null
  return (
    <>
      <PageHeader
        title="Learned minutes"
        sub={
          found
            ? (words ?? (found.known > 0 ? `${lawnsText(found.known)} take what is planned.` : 'Nothing is known yet.'))
            : undefined
        }
      />
      <div className="lm">
        {query.isError && !found ? (
          <ErrorState
            error={query.error}
            title="We could not load what lawns take"
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : !found ? (
          <CardSkeleton />
        ) : found.items.length === 0 ? (
          <Card>
            <EmptyState
              picture="mowed"
              title={found.known > 0 ? 'Every lawn takes about what is planned' : 'Too few visits so far'}
            >
              {found.known > 0
                ? 'As soon as visits take other minutes than planned, the lawn stands here with what it really takes.'
                : `Once a lawn of a recurring job has ${leastVisits} finished visits that crews clocked, you see here whether it takes longer or less than planned.`}
            </EmptyState>
          </Card>
        ) : (
          <>
            <Banner tone="info" title={`With all of them days are planned with ${monthText(found.monthMinutes)}.`}>
              Visits that are open and those to come take the new minutes, and so do the route map and the season
              planner, wherever somebody put a visit; one with minutes of its own, begun or invoiced keeps them.
              Finished visits and prices stay.
            </Banner>
            <Proposals
              items={found.items}
              count={found.longer + found.shorter}
              busy={accept.isPending || dismiss.isPending}
              onAccept={(items) => void onAccept(items)}
              onDismiss={(items) => void onDismiss(items)}
            />
          </>
        )}
        {may(jobEditsApi.list) ? (
          <p className="lm-undo">
            Each change can be undone for 30 days:{' '}
            <Button size="s" kind="quiet" onClick={() => setHistory('open')}>
              Bulk changes
            </Button>
          </p>
        ) : null}
        {found && found.dismissed.length > 0 ? (
          <details className="lm-left">
            <summary>{lawnsText(found.dismissedCount)} left as planned</summary>
            <ul className="lm-rows" aria-label="Lawns left as planned">
              {found.dismissed.map((one) => (
                <li key={one.lineId}>
                  <span>
                    {one.street}, {one.customerName}: {one.serviceName}
                  </span>
                  <Numbers one={one} />
                  <Button
                    size="s"
                    calls={learnedMinutesApi.restore}
                    disabled={restore.isPending}
                    aria-label={`Propose again: ${one.street}, ${one.serviceName}`}
                    onClick={() => void once(async () => void (await restore.mutateAsync([one.lineId])))}
                  >
                    Propose again
                  </Button>
                </li>
              ))}
            </ul>
            <More count={found.dismissedCount - found.dismissed.length} />
          </details>
        ) : null}
        {found ? (
          <p className="hint lm-how">
            Labor minutes are people times minutes on site. What a lawn takes is the middle of its last {visitsLookedAt}{' '}
            finished visits, at least {leastVisits}, without those that are far from the others (a forgotten clock, a
            storm); of a visit with several services each has its part by the planned minutes. A lawn stands here when
            that is 5 minutes and 15% away from the plan.
          </p>
        ) : null}
      </div>
      {history === 'shut' ? null : (
        <BulkHistory
          undone={history === 'open' ? null : history}
          onUndone={setHistory}
          onClose={() => setHistory('shut')}
        />
      )}
    </>
  )
}
