import { recordParam } from '../../../shared/links.ts'
import { useParams } from '../../../ui/useParams.ts'
import { VisitPanel } from './VisitPanel.tsx'

/** The visit that the address names, over whatever screen it is on. */
export const VisitOverlay = () => {
  const { params, change } = useParams()
  const id = params.get(recordParam.visit)
  return id ? (
    <VisitPanel
      key={id}
      id={id}
      onClose={() => change({ [recordParam.visit]: null })}
      onOpen={(visitId) => change({ [recordParam.visit]: visitId })}
    />
  ) : null
}
