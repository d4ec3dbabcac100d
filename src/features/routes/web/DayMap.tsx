import { useMemo } from 'react'
import { formatDay } from '../../../shared/dates.ts'
import { RoadMap } from '../../travel/web/RoadMap.tsx'
import type { DayPlan } from '../contract.ts'
import { linesOf, pinsOf } from './plan.ts'

type Props = {
  plan: DayPlan
  crewId: string | null
  visitId: string | null
  onChoose: (visitId: string | null) => void
}

/** Stops with their numbers, the way of each crew and its depot. */
export const DayMap = ({ plan, crewId, visitId, onChoose }: Props) => {
  const pins = useMemo(() => pinsOf(plan, { crewId, visitId }), [plan, crewId, visitId])
  const lines = useMemo(() => linesOf(plan, crewId), [plan, crewId])
  return (
    <RoadMap
      label={`Routes of ${formatDay(plan.day, { long: true })}`}
      pins={pins}
      lines={lines}
      fitKey={`${plan.day} ${pins.length}`}
      focusId={visitId}
      onPinClick={(id) => onChoose(id.startsWith('depot-') ? null : id)}
    />
  )
}
