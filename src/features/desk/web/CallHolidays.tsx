import { useState } from 'react'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconPlus, IconX } from '../../../ui/icons.ts'
import { daysOfSpan, spanProblem, spansOf } from '../../prospects/calls/rules.ts'
import type { DeskSettings } from '../contract.ts'
import { instantLabel } from './labels.ts'

/** One day, or the first and the last of several. */
export const spanLabel = ({ from, to }: { from: Day; to: Day }): string =>
  from === to
    ? formatDay(from, { year: true })
    : `${formatDay(from, { year: from.slice(0, 4) !== to.slice(0, 4) })} to ${formatDay(to, { year: true })}`

/** Days or spans on which nobody can book a call. */
export const CallHolidays = ({
  days,
  onChange,
  today,
}: {
  days: readonly Day[]
  onChange: (days: Day[]) => void
  today: Day
}) => {
  const [from, setFrom] = useState<Day | null>(null)
  const [to, setTo] = useState<Day | null>(null)
  const wrong = spanProblem(from, to, today)
  const add = () => {
    if (!from || wrong) return
    onChange([...days, ...daysOfSpan(from, to ?? from)])
    setFrom(null)
    setTo(null)
  }
  const spans = spansOf(days)
  return (
    <fieldset className="desk-holidays">
      <legend>Days without calls</legend>
      <p className="hint">No time is offered on these days, neither on the public page nor in Book Demo.</p>
      {spans.length === 0 ? null : (
        <ul className="desk-steps">
          {spans.map((span) => (
            <li key={span.from}>
              <span className="num">{spanLabel(span)}</span>
              <IconButton
                size="s"
                label={`Remove ${spanLabel(span)}`}
                icon={<IconX />}
                tooltip={false}
                onClick={() => onChange(days.filter((day) => day < span.from || day > span.to))}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="desk-holidays__add">
        <DateField label="First day" today={today} min={today} value={from} onChange={setFrom} />
        <DateField label="Last day" optional today={today} min={from ?? today} value={to} onChange={setTo} />
        <Button icon={<IconPlus />} disabled={!from || wrong !== null} onClick={add}>
          Add days
        </Button>
      </div>
      {wrong ? (
        <p className="desk-wrong" role="alert">
          {wrong}
        </p>
      ) : null}
    </fieldset>
  )
}

/** What was booked before a day became one without calls: it stands until somebody moves or cancels it. */
export const HolidayCalls = ({ calls }: { calls: DeskSettings['holidayCalls'] }) =>
  calls.length === 0 ? null : (
    <Banner
      tone="warn"
      title={
        calls.length === 1
          ? 'A call is booked on a day without calls'
          : `${calls.length} calls are booked on days without calls`
      }
    >
      <ul className="desk-holidays__calls">
        {calls.map((call) => (
          <li key={call.callId}>
            {call.title} with {call.name}, <span className="num">{instantLabel(call.startsAt)}</span>
          </li>
        ))}
      </ul>
      Nothing was canceled. Cancel them in the details of the lead, or hold them all the same.
    </Banner>
  )
