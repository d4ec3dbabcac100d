import { JobNote } from '../features/jobs/web/JobNote.tsx'
import { VisitOverlay } from '../features/visits/web/VisitOverlay.tsx'

/** A visit over any screen of the office, with what its job says of it. */
export const VisitOver = () => <VisitOverlay jobNote={(visit) => <JobNote key={visit.id} visit={visit} />} />
