import { MoveConflicts } from '../features/calendar/web/MoveConflicts.tsx'
import { JobNote } from '../features/jobs/web/JobNote.tsx'
import { VisitOverlay } from '../features/visits/web/VisitOverlay.tsx'

/** A visit over any screen of the office, with what its job says of it and what the calendar says of where it may go. */
export const VisitOver = () => (
  <VisitOverlay
    jobNote={(visit) => <JobNote key={visit.id} visit={visit} />}
    against={(visit, to) => <MoveConflicts visit={visit} to={to} />}
  />
)
