import { type Day, formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../ui/Button.tsx'
import type { RouteRun } from '../contract.ts'
import { changesLabel } from '../proposals/rules.ts'
import { miles, shortDuration, stopsLabel } from './plan.ts'
import { Figure } from './Result.tsx'

type Props = {
  run: RouteRun
  day: Day
  /** The proposal is on the map, not the plan. */
  shown: boolean
  busy: boolean
  applying: boolean
  onShown: (shown: boolean) => void
  onDay: (day: Day) => void
  onCompare: () => void
  onApply: () => void
  onDismiss: () => void
}

/** A proposal that waits for a yes: what it changes, what it saves, and each of its days to look at. */
export const ProposalBar = ({
  run,
  day,
  shown,
  busy,
  applying,
  onShown,
  onDay,
  onCompare,
  onApply,
  onDismiss,
}: Props) => {
  const { result } = run
  if (!result) return null
  const { before, after, days } = result
  const notify = result.customersToNotify
  const rain = Boolean(result.rain)
  return (
    <section className="route__proposal" aria-label="Proposal">
      <div className="route__proposal-words">
        <h2>{run.label}</h2>
        <p>
          {changesLabel(result.changes) ?? 'Nothing has to change.'}
          {notify > 0 ? <b> · {notify === 1 ? '1 customer' : `${notify} customers`} to tell</b> : null}
          {result.left.length > 0 ? (
            <span className="route__over"> · {stopsLabel(result.left.length)} without a place</span>
          ) : null}
        </p>
      </div>
      <Figure label="Driving" from={shortDuration(before.driveSeconds)} to={shortDuration(after.driveSeconds)} />
      <Figure label="Miles" from={miles(before.driveMeters)} to={miles(after.driveMeters)} />
      {before.laborCents === null || after.laborCents === null ? null : (
        <Figure label="Drive labor" from={formatCents(before.laborCents)} to={formatCents(after.laborCents)} />
      )}
      <div className="route__proposal-do">
        {run.can.dismissRun ? (
          <Button kind="quiet" onClick={onDismiss} disabled={busy}>
            Throw away
          </Button>
        ) : null}
        {rain ? null : <Button onClick={onCompare}>What changes</Button>}
        {run.can.applyRun ? (
          <Button kind="primary" onClick={onApply} loading={applying} disabled={busy && !applying}>
            {rain ? 'Look and decide' : 'Use this plan'}
          </Button>
        ) : null}
      </div>
      <div className="route__proposal-days">
        <fieldset className="route__toggle">
          <legend className="ui-hidden">Which plan to show</legend>
          <button type="button" aria-pressed={shown} onClick={() => onShown(true)}>
            Proposal
          </button>
          <button type="button" aria-pressed={!shown} onClick={() => onShown(false)}>
            Plan now
          </button>
        </fieldset>
        {days.length > 1
          ? days
              .filter((d) => d.before.stops + d.after.stops > 0 || d.day === day)
              .map((d) => (
                <button
                  key={d.day}
                  type="button"
                  className="route__proposal-day"
                  aria-current={d.day === day ? 'date' : undefined}
                  onClick={() => onDay(d.day)}
                >
                  <b>{formatDay(d.day)}</b>
                  <span className="num">
                    {d.before.stops === d.after.stops ? d.after.stops : `${d.before.stops} → ${d.after.stops}`}
                    <span className="ui-hidden"> stops, driving</span> · {shortDuration(d.before.driveSeconds)} →{' '}
                    {shortDuration(d.after.driveSeconds)}
                  </span>
                </button>
              ))
          : null}
      </div>
    </section>
  )
}
