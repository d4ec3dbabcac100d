import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { isDay } from '../../../shared/dates.ts'
import { recordParam } from '../../../shared/links.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Skeleton, StripSkeleton } from '../../../ui/Skeleton.tsx'
import { DayDesk } from './DayDesk.tsx'
import { dayQuery } from './data.ts'

const Waiting = () => (
  <div className="route is-waiting" aria-busy="true">
    <div className="route__head">
      <Skeleton width={160} height={30} />
      <Skeleton width={220} height={38} />
    </div>
    <div className="route__mid">
      <div className="route__wait">
        <Skeleton width="60%" />
        <Skeleton height={44} />
        <Skeleton height={44} />
        <Skeleton height={44} />
      </div>
      <div className="route__map" />
      <div className="route__wait">
        <Skeleton width="50%" />
        <Skeleton height={44} />
        <Skeleton height={44} />
      </div>
    </div>
    <div className="route__lanes">
      <StripSkeleton rows={3} />
    </div>
  </div>
)

/** One day of the route map; today when the address names none. */
export const RouteDay = () => {
  const [params] = useSearchParams()
  const wanted = params.get(recordParam.day)
  const day = wanted && isDay(wanted) ? wanted : undefined
  const query = useQuery(dayQuery(day))
  if (query.error && !query.data)
    return (
      <>
        <h1 className="ui-hidden">Route map</h1>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      </>
    )
  return query.data ? <DayDesk key={query.data.day} plan={query.data} day={day} /> : <Waiting />
}
