import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { ApiError } from '../../../../shared/client.ts'
import { paths } from '../../../../shared/paths.ts'
import { Button } from '../../../../ui/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { publicBusinessQuery } from '../../../businesses/web/data.ts'
import { PublicFace } from '../../../businesses/web/PublicFace.tsx'
import { PublicReviews } from '../../../reviews/web/PublicReviews.tsx'
import { AskPrice } from './AskPrice.tsx'
import { offerQuery } from './data.ts'
import './requests.css'

/** A business's page for everybody: what it does, what a lawn would cost, how to reach it. An earlier address leads to the present one. */
export const PublicPageScreen = () => {
  const { username = '' } = useParams()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const found = useQuery(publicBusinessQuery(username))
  const offer = useQuery(offerQuery(username))
  const business = found.data
  useEffect(() => {
    if (business && business.slug !== username)
      navigate({ pathname: `/profile/${business.slug}`, search: window.location.search }, { replace: true })
    if (business) document.title = `${business.name} · lawn care`
  }, [business, username, navigate])
  return (
    <main id="screen" className="public-face-page">
      {business ? (
        <>
          <PublicFace business={business} />
          {offer.data?.open ? (
            <AskPrice slug={business.slug} name={business.name} offer={offer.data} referral={params.get('ref') ?? ''} />
          ) : null}
          <PublicReviews slug={business.slug} name={business.name} />
        </>
      ) : found.error instanceof ApiError && found.error.status === 404 ? (
        <EmptyState
          picture="search"
          title="There is no business at this address"
          action={<Button href={paths.home}>Home</Button>}
        >
          Check the spelling, or ask the business for its address.
        </EmptyState>
      ) : found.isError ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <PanelSkeleton />
      )}
    </main>
  )
}
