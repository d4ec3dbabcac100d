import { useState } from 'react'
import { addDays, type Day, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { PlanChange, RouteRun } from '../contract.ts'
import { changesLabel } from '../proposals/rules.ts'
import type { RainFacts } from '../rain/contract.ts'
import { tellsWords } from '../rain/rules.ts'
import { miles, placeLabel, shortDuration, stopsLabel } from './plan.ts'
import { Figure } from './Result.tsx'
import type { RunRequest } from './useRun.ts'

type RainBody = Extract<RunRequest, { kind: 'rain' }>['body']
type Props = {
  run: RouteRun
  facts: RainFacts
  busy: boolean
  applying: boolean
  onAgain: (body: RainBody) => void
  onApply: (tell: boolean) => void
  onDismiss: () => void
  onClose: () => void
  onChoose: (visitId: string, day: Day) => void
}

const ways = [
  { value: 'push', label: 'Push the day back' },
  { value: 'replan', label: 'Keep the week, fit them in' },
  { value: 'skip', label: 'Skip what comes again' },
] as const

const aheadDays = 8

/** What may be asked otherwise: the way, the days, and stops that stay unless they are ticked. */
const Choices = ({ run, facts, busy, onAgain }: Pick<Props, 'run' | 'facts' | 'busy' | 'onAgain'>) => {
  const day = run.firstDay
  const usual = run.result?.days.map((one) => one.day).filter((one) => one !== day) ?? []
  const [onDays, setOnDays] = useState<Day[]>(facts.onDays ?? usual.filter((one) => one <= addDays(day, aheadDays)))
  const [moveIds, setMoveIds] = useState<string[]>(facts.held.filter((h) => h.ticked).map((h) => h.visitId))
  const days = Array.from({ length: aheadDays }, (_, i) => addDays(day, i + 1))
  const again = (strategy: RainFacts['strategy']) =>
    onAgain({
      day,
      strategy,
      moveIds,
      ...(facts.crewIds ? { crewIds: facts.crewIds } : {}),
      ...(onDays.length > 0 && onDays.join() !== usual.join() ? { onDays } : {}),
      ...(facts.makeUpDay ? { makeUpDay: facts.makeUpDay } : {}),
    })
  const changed =
    onDays.join() !== (facts.onDays ?? usual.filter((one) => one <= addDays(day, aheadDays))).join() ||
    facts.held.some((h) => h.ticked !== moveIds.includes(h.visitId))
  return (
    <section className="rain__choices" aria-label="How the day moves">
      <FilterChips
        label="Way"
        single
        chips={ways}
        values={[facts.strategy]}
        onChange={([next]) => {
          if (next && !busy) again(next)
        }}
      />
      <h3>Days that take stops</h3>
      <FilterChips
        label="Days that take stops"
        chips={days.map((one) => ({ value: one, label: formatDay(one) }))}
        values={onDays}
        onChange={(next) => setOnDays([...next].sort())}
      />
      {facts.held.length > 0 ? (
        <fieldset className="rain__held">
          <legend>Stay on their day unless you tick them</legend>
          {facts.held.map((one) => (
            <CheckboxField
              key={one.visitId}
              name={`move-${one.visitId}`}
              label={`${one.street}, ${one.customerName}`}
              hint={one.reason}
              value={moveIds.includes(one.visitId)}
              onChange={(on) => setMoveIds(on ? [...moveIds, one.visitId] : moveIds.filter((id) => id !== one.visitId))}
            />
          ))}
        </fieldset>
      ) : null}
      {changed ? (
        <Button onClick={() => again(facts.strategy)} loading={busy} disabled={onDays.length === 0}>
          Look again
        </Button>
      ) : null}
    </section>
  )
}

const overtime = (minutes: number): string => (minutes === 0 ? 'none' : shortDuration(minutes * 60))

const Days = ({ run, facts }: Pick<Props, 'run' | 'facts'>) => {
  const shown = run.result?.days.filter((one) => one.before.stops + one.after.stops > 0) ?? []
  return (
    <table className="compare__table">
      <caption className="ui-hidden">Days before and after</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">Stops</th>
          <th scope="col">Driving</th>
          <th scope="col">Overtime</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ day, before, after }) => {
          const own = facts.days.find((one) => one.day === day)
          return (
            <tr key={day}>
              <th scope="row">
                {formatDay(day)}
                {own?.rain ? <span className="rain__wet">{own.rain}</span> : null}
              </th>
              <td className="num">
                {before.stops} → <b>{after.stops}</b>
              </td>
              <td className="num">
                {shortDuration(before.driveSeconds)} → <b>{shortDuration(after.driveSeconds)}</b>
              </td>
              <td className={`num${own && own.overtimeAfter > 0 ? ' route__over' : ''}`}>
                {own ? overtime(own.overtimeAfter) : '–'}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const Told = ({ facts, tell, onTell }: { facts: RainFacts; tell: boolean; onTell: (tell: boolean) => void }) => {
  const { business } = useUser()
  const { tells } = facts
  const reached = tells.texts + tells.emails
  return (
    <section aria-label="Who is told">
      <h3>Who is told</h3>
      {reached > 0 ? (
        <CheckboxField
          name="tell"
          label={`Tell ${reached === 1 ? '1 customer' : `${reached} customers`}: ${tellsWords(tells)}`}
          hint={
            tells.quietUntil
              ? `It is quiet now: texts wait until ${formatTime(tells.quietUntil, business.timeZone)}. Undo recalls what has not left.`
              : 'Messages leave five minutes after you say yes. Until then Undo recalls them.'
          }
          value={tell}
          onChange={onTell}
        />
      ) : (
        <p className="hint">Nobody would be told.</p>
      )}
      {tells.unreached > 0 ? (
        <p className="rain__nobody">
          {tells.unreached === 1 ? '1 customer hears' : `${tells.unreached} customers hear`} nothing; call them:{' '}
          {tells.nobody.slice(0, 8).map((one, i) => (
            <span key={one.customerId}>
              {i > 0 ? ', ' : ''}
              <LinkTo href={linkTo.customer(one.customerId)} title={one.reason}>
                {one.name}
              </LinkTo>
            </span>
          ))}
          {tells.unreached > 8 ? ` and ${tells.unreached - 8} more` : ''}.
        </p>
      ) : null}
    </section>
  )
}

const Moves = ({
  changes,
  count,
  onChoose,
}: {
  changes: readonly PlanChange[]
  count: number
  onChoose: Props['onChoose']
}) => {
  const shown = changes
    .filter((change) => change.kind !== 'time' && change.kind !== 'other-crew')
    .toSorted((a, b) => Number(b.warning !== null) - Number(a.warning !== null))
  return (
    <section className="compare__kind" aria-label="Every visit">
      <h3>
        From and to <span className="hint num">{shown.length}</span>
      </h3>
      <ul>
        {shown.map((change) => (
          <li key={change.visitId}>
            <button type="button" onClick={() => onChoose(change.visitId, change.to.day)}>
              <b>{change.street}</b>
              <span className="hint">{change.customerName}</span>
              <span className="num compare__way">
                <s>{placeLabel(change.from, true)}</s>
                <span>
                  {' '}
                  →{' '}
                  {change.kind === 'skipped'
                    ? 'skipped this time'
                    : change.kind === 'dropped'
                      ? 'no crew, due'
                      : placeLabel(change.to, true)}
                </span>
              </span>
              {change.warning ? <span className="route__over">{change.warning}</span> : null}
            </button>
          </li>
        ))}
      </ul>
      {count > changes.length ? <p className="hint">And {count - changes.length} more.</p> : null}
    </section>
  )
}

/** A rain push before it acts: what moves where, what it costs, what stays, what does not fit, and who hears of it. */
export const RainPreview = ({ run, facts, busy, applying, onAgain, onApply, onDismiss, onClose, onChoose }: Props) => {
  const [tell, setTell] = useState(true)
  const { result } = run
  if (!result) return null
  const { before, after, left, changes } = result
  // What holds for all of them is said once.
  const reasons = new Set(left.map((stop) => stop.reason))
  const one = reasons.size === 1 ? left[0]?.reason : null
  const moved = changes.filter((c) => ['other-day', 'skipped', 'dropped'].includes(c.kind)).length
  const reached = facts.tells.texts + facts.tells.emails
  return (
    <RecordPanel
      open
      covers
      width={600}
      onClose={onClose}
      title={run.label}
      sub={changesLabel(changes) ?? 'Nothing has to change.'}
      footer={
        <div className="rain__foot">
          <span className="hint">You can take it back for 60 minutes.</span>
          {run.can.dismissRun ? (
            <Button kind="quiet" onClick={onDismiss} disabled={busy || applying}>
              Throw away
            </Button>
          ) : null}
          {run.can.applyRun ? (
            <Button kind="primary" onClick={() => onApply(tell)} loading={applying} disabled={busy}>
              {`Move ${moved === 1 ? '1 visit' : `${Math.max(moved, result.changeCount > changes.length ? result.changeCount : moved)} visits`}${tell && reached > 0 ? ' and tell' : ''}`}
            </Button>
          ) : null}
        </div>
      }
    >
      <div className="compare rain" aria-busy={busy}>
        <div className="rain__figures">
          <Figure label="Driving" from={shortDuration(before.driveSeconds)} to={shortDuration(after.driveSeconds)} />
          <Figure label="Miles" from={miles(before.driveMeters)} to={miles(after.driveMeters)} />
          <Figure label="Overtime" from={overtime(facts.overtimeBefore)} to={overtime(facts.overtimeAfter)} />
          <Figure label="Warnings" from="" to={`${facts.warnings}`} />
        </div>
        <Choices key={run.id} run={run} facts={facts} busy={busy} onAgain={onAgain} />
        {left.length > 0 ? (
          <section className="rain__left" aria-label="Without a place">
            <h3>{stopsLabel(left.length)} without a place</h3>
            <p className="hint">
              They wait among what is due. Give more days above, or place them by hand.
              {one ? ` ${one}` : ''}
            </p>
            <ul>
              {left.slice(0, 12).map((stop) => (
                <li key={stop.visitId}>
                  <b>{stop.street}</b> {one ? null : <span className="hint">{stop.reason}</span>}
                </li>
              ))}
            </ul>
            {left.length > 12 ? <p className="hint">And {left.length - 12} more.</p> : null}
          </section>
        ) : null}
        <Told facts={facts} tell={tell} onTell={setTell} />
        <Days run={run} facts={facts} />
        <Moves changes={changes} count={result.changeCount} onChoose={onChoose} />
      </div>
    </RecordPanel>
  )
}
