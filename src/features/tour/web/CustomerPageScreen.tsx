import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { paths } from '../../../shared/paths.ts'
import { isTourPath } from '../../../shared/tour.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useTour } from '../../accounts/web/session.ts'
import { InvoicePage } from '../../invoices/web/InvoicePage.tsx'
import { customerPageQuery } from './data.ts'
import { TourBar } from './TourBar.tsx'

/** The last signpost: the invoice as its customer opens it. Outside of the tour its address leads into the tour. */
export const CustomerPageScreen = () => {
  const onTour = useTour() !== null
  const found = useQuery({ ...customerPageQuery, enabled: onTour })
  useEffect(() => {
    if (!isTourPath(window.location.pathname)) window.location.replace(paths.tour)
  }, [])
  return (
    <>
      {onTour ? <TourBar /> : null}
      {found.data ? (
        <InvoicePage invoice={found.data} token={null} />
      ) : (
        <main className="pub" id="screen">
          <div className="pub-sheet pub-sheet--alone">
            {found.isError ? (
              <ErrorState
                error={found.error}
                title="We could not load the customer's page"
                onRetry={() => void found.refetch()}
                retrying={found.isFetching}
              />
            ) : (
              <PanelSkeleton />
            )}
          </div>
        </main>
      )}
    </>
  )
}
