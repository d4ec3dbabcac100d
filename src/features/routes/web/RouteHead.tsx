import { addDays, type Day, formatDay } from '../../../shared/dates.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCalendar,
  IconChevronLeft,
  IconChevronRight,
  IconClipboardList,
  IconCloudRain,
  IconColumns,
  IconDroplet,
  IconRoute,
  IconSend,
  IconUserOff,
} from '../../../ui/icons.ts'
import { MoreMenu } from '../../../ui/MoreMenu.tsx'
import type { DayPlan } from '../contract.ts'
import type { NextStep } from '../rules.ts'
import type { PlanDialog } from './PlanDialogs.tsx'
import { crewsLabel, stopsLabel, toOptimize } from './plan.ts'

type Props = {
  plan: DayPlan
  step: NextStep
  busy: boolean
  /** A search is on, or a proposal waits: the plan itself is not changed meanwhile. */
  occupied: boolean
  publishing: boolean
  toPublish: string[]
  onDay: (day: Day | null) => void
  onOptimize: () => void
  onPublish: (crewIds: string[]) => void
  onUndo: () => void
  onRedo: () => void
  onDialog: (dialog: PlanDialog) => void
  onLonger: () => void
  onCompare: () => void
  onWetHours: () => void
  onLoads: () => void
}

const sentOf = (plan: DayPlan): boolean => {
  const used = plan.crews.filter((c) => c.stops.length > 0)
  return used.length > 0 && used.every((c) => c.status !== null && c.status !== 'planned' && !c.dirty)
}

const Badges = ({ plan }: { plan: DayPlan }) => {
  const dirty = plan.crews.filter((c) => c.dirty).length
  return (
    <span className="route__badges">
      {plan.day < plan.today ? <Badge>This day is over</Badge> : null}
      {plan.crews.some((c) => c.off === 'rain') ? <Badge tone="flag">Rained off</Badge> : null}
      {plan.overCapacity > 0 ? <Badge tone="wait">{stopsLabel(plan.overCapacity)} over capacity</Badge> : null}
      {dirty > 0 ? <Badge tone="flag">{crewsLabel(dirty)} changed since sent</Badge> : null}
      {plan.can.change && sentOf(plan) ? <Badge tone="done">Sent to all crews</Badge> : null}
    </span>
  )
}

const PlanMenu = ({ plan, busy, onDialog, onLonger, onCompare, onWetHours, onLoads }: Props) => {
  const open = plan.crews.some((c) => c.stops.some((s) => !s.begun))
  return (
    <MoreMenu
      label="More for this day"
      width={268}
      items={[
        plan.can.change && {
          label: 'Optimize several days…',
          icon: <IconCalendar size={17} />,
          disabled: busy,
          onClick: () => onDialog('range'),
        },
        plan.can.change && {
          label: 'Search longer',
          icon: <IconRoute size={17} />,
          disabled: busy || !(open || plan.unplaced.length > 0),
          onClick: onLonger,
        },
        plan.can.change && 'line',
        plan.can.change && {
          label: 'Rain: move the day…',
          icon: <IconCloudRain size={17} />,
          disabled: busy || !open,
          onClick: () => onDialog('rain'),
        },
        plan.can.change && {
          label: 'Wet hours…',
          icon: <IconDroplet size={17} />,
          onClick: onWetHours,
        },
        plan.can.change && {
          label: 'A crew is out…',
          icon: <IconUserOff size={17} />,
          disabled: busy || !open,
          onClick: () => onDialog('out'),
        },
        plan.can.change && 'line',
        { label: 'Load lists…', icon: <IconClipboardList size={17} />, onClick: onLoads },
        { label: 'Compare plans', icon: <IconColumns size={17} />, onClick: onCompare },
      ]}
    />
  )
}

const Actions = (props: Props) => {
  const { plan, step, publishing, toPublish, onOptimize, onPublish, onUndo, onRedo } = props
  const busy = props.busy || props.occupied
  if (!plan.can.change)
    return (
      <div className="route__actions">
        <PlanMenu {...props} />
      </div>
    )
  const { stops, offered } = toOptimize(plan, step)
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
      {plan.redo ? (
        <Button
          icon={<IconArrowForwardUp size={18} />}
          onClick={onRedo}
          disabled={busy}
          title={`Redo: ${plan.redo.label}`}
        >
          <span className="route__word">Redo</span>
        </Button>
      ) : null}
      <PlanMenu {...props} busy={busy} />
      {step.kind === 'optimize' ? (
        <>
          {toPublish.length > 0 && plan.crews.some((c) => c.ordered && c.stops.length > 0) ? (
            <Button onClick={() => onPublish(toPublish)} loading={publishing} disabled={busy && !publishing}>
              Publish to {crewsLabel(toPublish.length)}
            </Button>
          ) : null}
          <Button kind="primary" icon={<IconRoute size={18} />} disabled={busy} onClick={onOptimize}>
            Optimize {stopsLabel(stops)}
          </Button>
        </>
      ) : (
        <>
          {offered ? (
            <Button icon={<IconRoute size={18} />} disabled={busy} onClick={onOptimize}>
              <span className="route__word">Optimize again</span>
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
              Publish to {crewsLabel(step.crewIds.length)}
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
