import { type ReactNode, useState } from 'react'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldHeader } from '../../../ui/field/FieldHeader.tsx'
import { SyncChip } from '../../../ui/field/SyncChip.tsx'
import type { Crew } from './data.ts'
import { clockLabel } from './labels.ts'
import { UnsentSheet } from './UnsentSheet.tsx'
import './crewapp.css'

/** The pine top: the clock, the truth about what has been sent, what matters now. */
export const CrewHeader = ({ crew, title, children }: { crew: Crew; title: ReactNode; children?: ReactNode }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <FieldHeader
        left={clockLabel(crew, crew.t)}
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
