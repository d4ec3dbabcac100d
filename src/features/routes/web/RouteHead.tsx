import { addDays, type Day, formatDay } from '../../../shared/dates.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconArrowBackUp, IconChevronLeft, IconChevronRight, IconRoute, IconSend } from '../../../ui/icons.ts'
import type { DayPlan } from '../contract.ts'
import type { NextStep } from '../rules.ts'
import { crewsWords, stopsWords } from './plan.ts'

type Props = {
  plan: DayPlan
  step: NextStep
  busy: boolean
  optimising: boolean
  publishing: boolean
  toPublish: string[]
  onDay: (day: Day | null) => void
  onOptimise: () => void
  onPublish: (crewIds: string[]) => void
  onUndo: () => void
}

const sentOf = (plan: DayPlan): boolean => {
  const used = plan.crews.filter((c) => c.stops.length > 0)
  return used.length > 0 && used.every((c) => c.status !== null && c.status !== 'planned' && !c.dirty)
}

const Badges = ({ plan }: { plan: DayPlan }) => {
  const dirty = plan.crews.filter((c) => c.dirty).length
  return (
    <span className="route__badges">
      {plan.editable ? null : <Badge>This day is over</Badge>}
      {plan.overCapacity > 0 ? <Badge tone="wait">{stopsWords(plan.overCapacity)} over capacity</Badge> : null}
      {dirty > 0 ? <Badge tone="flag">{crewsWords(dirty)} changed since sent</Badge> : null}
      {plan.editable && sentOf(plan) ? <Badge tone="done">Sent to all crews</Badge> : null}
    </span>
  )
}

const Actions = ({ plan, step, busy, optimising, publishing, toPublish, onOptimise, onPublish, onUndo }: Props) => {
  if (!plan.editable) return null
  const open = plan.crews.flatMap((c) => c.stops).filter((s) => !s.begun).length
  const placeable = plan.unplaced.filter((v) => v.latitude !== null).length
  const stops = step.kind === 'optimise' ? step.stops : open + placeable
  const canOptimise = stops > 0 && plan.crews.some((c) => c.works || c.stops.length > 0)
  return (
    <div className="route__actions">
      {plan.undo ? (
        <Button
          icon={<IconArrowBackUp size={18} />}
          onClick={onUndo}
          disabled={busy}
          title={`Undo: ${plan.undo.label}`}
        >
          <span className="route__word">Undo</span>
        </Button>
      ) : null}
      {step.kind === 'optimise' ? (
        <>
          {toPublish.length > 0 && plan.crews.some((c) => c.ordered && c.stops.length > 0) ? (
            <Button onClick={() => onPublish(toPublish)} loading={publishing} disabled={busy && !publishing}>
              Publish to {crewsWords(toPublish.length)}
            </Button>
          ) : null}
          <Button
            kind="primary"
            icon={<IconRoute size={18} />}
            loading={optimising}
            disabled={busy && !optimising}
            onClick={onOptimise}
          >
            Optimise {stopsWords(stops)}
          </Button>
        </>
      ) : (
        <>
          {canOptimise ? (
            <Button
              icon={<IconRoute size={18} />}
              loading={optimising}
              disabled={busy && !optimising}
              onClick={onOptimise}
            >
              <span className="route__word">Optimise again</span>
            </Button>
          ) : null}
          {step.kind === 'publish' ? (
            <Button
              kind="primary"
              icon={<IconSend size={18} />}
              loading={publishing}
              disabled={busy && !publishing}
              onClick={() => onPublish(step.crewIds)}
            >
              Publish to {crewsWords(step.crewIds.length)}
            </Button>
          ) : null}
        </>
      )}
    </div>
  )
}

/** The day, what is wrong with it, how it was planned, and the one thing to do next. */
export const RouteHead = (props: Props) => {
  const { plan, onDay } = props
  return (
    <header className="route__head">
      <h1 tabIndex={-1}>Route map</h1>
      <div className="route__days">
        <IconButton
          kind="secondary"
          label={`Go to ${formatDay(addDays(plan.day, -1))}`}
          icon={<IconChevronLeft size={18} />}
          onClick={() => onDay(addDays(plan.day, -1))}
        />
        <DateField
          label="Day"
          hideLabel
          className="route__day"
          value={plan.day}
          today={plan.today}
          onChange={(day) => day && day !== plan.day && onDay(day)}
        />
        <IconButton
          kind="secondary"
          label={`Go to ${formatDay(addDays(plan.day, 1))}`}
          icon={<IconChevronRight size={18} />}
          onClick={() => onDay(addDays(plan.day, 1))}
        />
        {plan.day === plan.today ? null : (
          <Button kind="quiet" className="route__today" onClick={() => onDay(null)}>
            Today
          </Button>
        )}
      </div>
      <Badges plan={plan} />
      <span className="route__space" />
      <Actions {...props} />
    </header>
  )
}
