import { useState } from 'react'
import { addDays, type Day, formatDay, weekdayOf } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import type { DayPlan } from '../contract.ts'
import { stopsLabel } from './plan.ts'
import type { RunRequest } from './useRun.ts'

export type PlanDialog = 'range' | 'rain' | 'out'
type Props = {
  plan: DayPlan
  open: PlanDialog | null
  busy: boolean
  /** The crew that is looked at. */
  crewId: string | null
  onClose: () => void
  onStart: (input: RunRequest) => void
}

const openStops = (plan: DayPlan, crewId?: string): number =>
  plan.crews
    .filter((c) => crewId === undefined || c.crewId === crewId)
    .reduce((sum, c) => sum + c.stops.filter((s) => !s.begun).length, 0)

const Foot = ({
  label,
  busy,
  onClose,
  onGo,
  disabled,
}: {
  label: string
  busy: boolean
  disabled?: boolean
  onClose: () => void
  onGo: () => void
}) => (
  <div className="plan-dialog__foot">
    <span className="hint">A proposal: nothing changes until you say yes.</span>
    <Button onClick={onClose}>Cancel</Button>
    <Button kind="primary" onClick={onGo} loading={busy} disabled={disabled ?? false}>
      {label}
    </Button>
  </div>
)

/** Several days at once. */
const Range = ({ plan, busy, onClose, onStart }: Omit<Props, 'open'>) => {
  const [days, setDays] = useState('6')
  const [moveDays, setMoveDays] = useState<'0' | '1' | '2'>('0')
  const [placeDue, setPlaceDue] = useState(true)
  const last = addDays(plan.day, Number(days) - 1)
  return (
    <div className="plan-dialog">
      <SelectField
        label="Days"
        value={days}
        onChange={setDays}
        options={[2, 3, 4, 5, 6, 7, 10, 14].map((n) => ({
          value: `${n}`,
          label: `${n} days, to ${formatDay(addDays(plan.day, n - 1))}`,
        }))}
      />
      <RadioField
        label="May a visit go to another day?"
        value={moveDays}
        onChange={setMoveDays}
        options={[
          { value: '0', label: 'No, each stays on its day' },
          { value: '1', label: 'Up to one day earlier or later' },
          { value: '2', label: 'Up to two days earlier or later' },
        ]}
        hint="Only visits that repeat and that no crew was sent yet. What you pinned or moved by hand stays."
      />
      <CheckboxField label="Give what is due and has no crew its best day" value={placeDue} onChange={setPlaceDue} />
      <Foot
        label="Find the best plan"
        busy={busy}
        onClose={onClose}
        onGo={() =>
          onStart({
            kind: 'optimize',
            body: { day: plan.day, lastDay: last, moveDays: Number(moveDays), placeDue, apply: false },
          })
        }
      />
    </div>
  )
}

/** The next Saturday and Sunday on which no crew usually works are days to make up. */
const makeUpDays = (plan: DayPlan): Day[] =>
  Array.from({ length: 8 }, (_, i) => addDays(plan.day, i + 1)).filter((day) => [0, 6].includes(weekdayOf(day)))

const Rain = ({ plan, busy, onClose, onStart }: Omit<Props, 'open'>) => {
  const [strategy, setStrategy] = useState<'push' | 'replan' | 'skip'>('push')
  const [makeUp, setMakeUp] = useState('')
  const crews = plan.crews.filter((c) => c.stops.some((s) => !s.begun))
  const [gone, setGone] = useState<readonly string[]>(crews.map((c) => c.crewId))
  const stops = crews.filter((c) => gone.includes(c.crewId)).reduce((sum, c) => sum + openStops(plan, c.crewId), 0)
  return (
    <div className="plan-dialog">
      <RadioField
        label={`What becomes of the ${stopsLabel(stops)} that are still open`}
        value={strategy}
        onChange={setStrategy}
        options={[
          {
            value: 'push',
            label: 'Push the day back',
            hint: 'Each crew does this day first thing on its next working day, in the same order. What that day then has no room for moves on in the same way.',
          },
          {
            value: 'replan',
            label: 'Keep the week, fit them in',
            hint: 'Each stop goes where it costs least in the next days; the rest of the plan moves as little as it can.',
          },
          {
            value: 'skip',
            label: 'Skip what comes again anyway',
            hint: 'Visits that repeat are left out this time; one-time work is fitted in.',
          },
        ]}
      />
      {strategy === 'skip' ? null : (
        <SelectField
          label="Make-up day"
          optional
          value={makeUp}
          onChange={setMakeUp}
          options={[
            { value: '', label: 'None: usual working days only' },
            ...makeUpDays(plan).map((day) => ({ value: day, label: `All crews may work on ${formatDay(day)}` })),
          ]}
        />
      )}
      {crews.length > 1 ? (
        <fieldset className="plan-dialog__crews">
          <legend className="ui-field__label">Crews that stay in</legend>
          {crews.map((crew) => (
            <CheckboxField
              key={crew.crewId}
              name={`rain-${crew.crewId}`}
              label={`${crew.name}, ${stopsLabel(openStops(plan, crew.crewId))}`}
              value={gone.includes(crew.crewId)}
              onChange={(on) => setGone(on ? [...gone, crew.crewId] : gone.filter((id) => id !== crew.crewId))}
            />
          ))}
        </fieldset>
      ) : null}
      <Foot
        label="Show where they go"
        busy={busy}
        disabled={stops === 0}
        onClose={onClose}
        onGo={() =>
          onStart({
            kind: 'rain',
            body: {
              day: plan.day,
              strategy,
              ...(gone.length < crews.length ? { crewIds: [...gone] } : {}),
              ...(makeUp && strategy !== 'skip' ? { makeUpDay: makeUp } : {}),
            },
          })
        }
      />
    </div>
  )
}

const Out = ({ plan, busy, crewId: looked, onClose, onStart }: Omit<Props, 'open'>) => {
  const crews = plan.crews.filter((c) => c.stops.some((s) => !s.begun))
  const [crewId, setCrewId] = useState((crews.find((c) => c.crewId === looked) ?? crews[0])?.crewId ?? '')
  const [days, setDays] = useState<'0' | '5'>('0')
  return (
    <div className="plan-dialog">
      <SelectField
        label="Which crew is out"
        value={crewId}
        onChange={setCrewId}
        options={crews.map((c) => ({
          value: c.crewId,
          label: `${c.name}, ${stopsLabel(openStops(plan, c.crewId))} still open`,
        }))}
      />
      <RadioField
        label="What the other crews cannot take"
        value={days}
        onChange={setDays}
        options={[
          { value: '0', label: 'stays due on this day' },
          { value: '5', label: 'goes to the next five working days' },
        ]}
      />
      <Foot
        label="Show who takes what"
        busy={busy}
        disabled={crewId === ''}
        onClose={onClose}
        onGo={() => onStart({ kind: 'crewOut', body: { day: plan.day, crewId, days: Number(days) } })}
      />
    </div>
  )
}

/** The questions before a proposal: several days, rain, a crew that is out. */
export const PlanDialogs = ({ open, ...props }: Props) => {
  const titles: Record<PlanDialog, string> = {
    range: `Optimize from ${formatDay(props.plan.day)}`,
    rain: `Rain on ${formatDay(props.plan.day)}`,
    out: `A crew is out on ${formatDay(props.plan.day)}`,
  }
  return (
    <Dialog open={open !== null} onClose={props.onClose} title={open ? titles[open] : ''}>
      {open === 'range' ? (
        <Range {...props} />
      ) : open === 'rain' ? (
        <Rain {...props} />
      ) : open === 'out' ? (
        <Out {...props} />
      ) : null}
    </Dialog>
  )
}
