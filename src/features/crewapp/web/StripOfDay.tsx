import { useState } from 'react'
import { DayStrip } from '../../../ui/DayStrip.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import type { CrewDayPlan, CrewStop } from '../contract.ts'
import type { Crew } from './data.ts'
import { stripStops } from './labels.ts'
import { StopList } from './StopList.tsx'

/** The day as a strip. A stripe of a full day is a few pixels wide: no thumb hits one, so all of it is one target that lists the stops. */
export const StripOfDay = ({
  crew,
  plan,
  currentId,
  numberOf,
  onOpen,
}: {
  crew: Crew
  plan: CrewDayPlan
  currentId: string | null
  numberOf: (stop: CrewStop) => number | null
  onOpen: (stop: CrewStop) => void
}) => {
  const [open, setOpen] = useState(false)
  const { t } = crew
  return (
    <>
      <div className="c-strip">
        <DayStrip
          stops={stripStops(plan)}
          ariaLabel={t.yourDay}
          words={{ ...t.strip, states: t.stateLabel }}
          selectedId={currentId}
          fitContent
          onPine
          still
          height={22}
          times={false}
        />
        <button type="button" aria-label={t.allStops} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={t.yourDay} closeLabel={t.close}>
        <StopList
          crew={crew}
          stops={plan.stops}
          numberOf={numberOf}
          onOpen={(stop) => {
            setOpen(false)
            onOpen(stop)
          }}
        />
      </Sheet>
    </>
  )
}
