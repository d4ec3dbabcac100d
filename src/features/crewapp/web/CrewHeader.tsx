import { type ReactNode, useState } from 'react'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldHeader } from '../../../ui/field/FieldHeader.tsx'
import { SyncChip } from '../../../ui/field/SyncChip.tsx'
import type { Crew } from './data.ts'
import { spanOf, timeOf } from './labels.ts'
import { UnsentSheet } from './UnsentSheet.tsx'
import './crewapp.css'

const clockLabel = ({ clock, t, now, timeZone, today }: Crew): string => {
  if (!clock) return ''
  if (clock.state === 'off') return t.offClock
  if (clock.state === 'break') return t.onBreak(spanOf((now - Date.parse(clock.since ?? '')) / 1000))
  const worked = clock.week.days.find((d) => d.day === today)?.workSeconds ?? 0
  return t.clockedIn(timeOf(clock.clockedInAt ?? clock.since ?? now, timeZone), spanOf(worked))
}

/** The pine top: the clock, the truth about what has been sent, what matters now. */
export const CrewHeader = ({ crew, title, children }: { crew: Crew; title: ReactNode; children?: ReactNode }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <FieldHeader
        left={clockLabel(crew)}
        right={<SyncChip state={crew.sync} label={crew.t.sync} onClick={() => setOpen(true)} />}
        title={title}
      >
        {children}
      </FieldHeader>
      {crew.state.full ? (
        <div className="c-full">
          <Alert tone="wait">{crew.t.phoneFull}</Alert>
        </div>
      ) : null}
      <UnsentSheet crew={crew} open={open} onClose={() => setOpen(false)} />
    </>
  )
}
