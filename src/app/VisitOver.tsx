import { MoveConflicts } from '../features/calendar/web/MoveConflicts.tsx'
import { JobNote } from '../features/jobs/web/JobNote.tsx'
import { VisitOverlay } from '../features/visits/web/VisitOverlay.tsx'
import { lazyPart } from '../ui/lazyAhead.tsx'

const VisitApplications = lazyPart(() =>
  import('../features/chemicals/records/web/VisitApplications.tsx').then((m) => m.VisitApplications),
)
const VisitExtras = lazyPart(() => import('../features/extras/web/VisitExtras.tsx').then((m) => m.VisitExtras))
const Neighbors = lazyPart(() => import('../features/chemicals/neighbors/web/Neighbors.tsx').then((m) => m.Neighbors))

/** A visit over any screen of the office, with what its job says of it, what the calendar says of where it may go, what it costs more, and what was put on the lawn. */
export const VisitOver = () => (
  <VisitOverlay
    jobNote={(visit) => <JobNote key={visit.id} visit={visit} />}
    against={(visit, to) => <MoveConflicts visit={visit} to={to} />}
    applied={(visit) => (
      <>
        <VisitExtras key={`extras-${visit.id}`} visitId={visit.id} photos={visit.photos} />
        <VisitApplications key={visit.id} visitId={visit.id} />
        <Neighbors key={`neighbors-${visit.id}`} visitId={visit.id} planned={visit.status === 'scheduled'} />
      </>
    )}
  />
)
