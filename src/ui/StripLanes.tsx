import type { ReactNode } from 'react'
import { DayAxis } from './DayAxis.tsx'
import { DayStrip } from './DayStrip.tsx'
import { LinkTo } from './LinkTo.tsx'
import { markColor } from './markColor.ts'
import './StripLanes.css'
import { commonSpan, type DaySpan, type StripStop } from './stripLayout.ts'

export type StripLane = {
  id: string
  name: string
  /** Who is on it. */
  sub?: ReactNode
  /** Marks the crew's color on a map. */
  color?: string
  href?: string
  stops: readonly StripStop[]
  shift?: DaySpan
  driveHomeMinutes?: number
  /** Stretches the axis to it: a crew that is late is back after its planned stops. */
  backAtMinute?: number | null
  /** "11 of 18 stops" */
  right?: ReactNode
  /** "back at 2:55 PM" */
  rightSub?: ReactNode
}
type Props = {
  lanes: readonly StripLane[]
  nowMinute?: number
  onSelect?: (stopId: string, laneId: string) => void
  selectedId?: string | null
  compact?: boolean
  axis?: boolean
  times?: boolean
}

/** All crews of a day under one axis. On a phone the words stand above their strip. */
export const StripLanes = ({ lanes, nowMinute, onSelect, selectedId, compact, axis = true, times = true }: Props) => {
  const span = commonSpan(lanes, nowMinute)
  return (
    <div className={`ui-lanes${compact ? ' ui-lanes--compact' : ''}`}>
      {axis ? (
        <div className="ui-lanes__lane ui-lanes__axis">
          <span />
          <DayAxis span={span} />
          <span />
        </div>
      ) : null}
      {lanes.map((lane) => (
        <div key={lane.id} className="ui-lanes__lane">
          <div className="ui-lanes__who">
            <span className="ui-lanes__name">
              {lane.color ? <i className="ui-lanes__dot" style={{ background: markColor(lane.color) }} /> : null}
              {lane.href ? <LinkTo href={lane.href}>{lane.name}</LinkTo> : <b>{lane.name}</b>}
            </span>
            {lane.sub ? <span className="hint">{lane.sub}</span> : null}
          </div>
          <div className="ui-lanes__strip">
            <DayStrip
              stops={lane.stops}
              shift={lane.shift}
              span={span}
              driveHomeMinutes={lane.driveHomeMinutes}
              ariaLabel={lane.name}
              nowMinute={nowMinute}
              height={compact ? 26 : 34}
              selectedId={selectedId}
              times={times}
              onSelect={onSelect ? (stopId) => onSelect(stopId, lane.id) : undefined}
            />
          </div>
          <div className="ui-lanes__right num">
            {lane.right ? <b>{lane.right}</b> : null}
            {lane.rightSub ? <span className="hint">{lane.rightSub}</span> : null}
          </div>
        </div>
      ))}
    </div>
  )
}
