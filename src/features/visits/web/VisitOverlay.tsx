import type { ReactNode } from 'react'
import { recordParam } from '../../../shared/links.ts'
import { useParams } from '../../../ui/useParams.ts'
import type { Visit } from '../contract.ts'
import { VisitPanel } from './VisitPanel.tsx'

/** The visit that the address names, over whatever screen it is on. */
export const VisitOverlay = ({ jobNote }: { jobNote?: (visit: Visit) => ReactNode }) => {
  const { params, change } = useParams()
  const id = params.get(recordParam.visit)
  return id ? (
    <VisitPanel
      key={id}
      jobNote={jobNote}
      id={id}
      onClose={() => change({ [recordParam.visit]: null })}
      onOpen={(visitId) => change({ [recordParam.visit]: visitId })}
    />
  ) : null
}
