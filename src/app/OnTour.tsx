import { lazy, Suspense } from 'react'
import { useTour } from '../features/accounts/web/session.ts'
import { loadScreen } from './loading.ts'

const TourBar = lazy(() =>
  loadScreen(() => import('../features/tour/web/TourBar.tsx')).then((m) => ({ default: m.TourBar })),
)

/** The signposts, for who takes the tour; nobody else loads them. */
export const OnTour = ({ crew = false }: { crew?: boolean }) =>
  useTour() ? (
    <Suspense fallback={null}>
      <TourBar crew={crew} />
    </Suspense>
  ) : null
