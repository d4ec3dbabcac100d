import type { ReactNode } from 'react'
import { recordParam } from '../../../shared/links.ts'
import { useParams } from '../../../ui/useParams.ts'
import type { Visit } from '../contract.ts'
import type { Target } from './MoveDialog.tsx'
import { VisitPanel } from './VisitPanel.tsx'

/** The visit that the address names, over whatever screen it is on. */
export const VisitOverlay = ({
  jobNote,
  against,
  applied,
}: {
  jobNote?: (visit: Visit) => ReactNode
  against?: (visit: Visit, to: Target) => ReactNode
  applied?: (visit: Visit) => ReactNode
}) => {
  const { params, change } = useParams()
  const id = params.get(recordParam.visit)
  return id ? (
    <VisitPanel
      key={id}
      jobNote={jobNote}
      against={against}
      applied={applied}
      id={id}
      onClose={() => change({ [recordParam.visit]: null })}
      onOpen={(visitId) => change({ [recordParam.visit]: visitId })}
    />
  ) : null
}
