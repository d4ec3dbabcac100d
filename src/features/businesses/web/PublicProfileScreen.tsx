import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useParams } from 'react-router'
import { ApiError } from '../../../shared/client.ts'
import { paths } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { publicBusinessQuery } from './data.ts'
import { PublicFace } from './PublicFace.tsx'

/** A business's page for everybody: what it does and how to reach it. An earlier address leads to the present one. */
export const PublicProfileScreen = () => {
  const { username = '' } = useParams()
  const navigate = useNavigate()
  const found = useQuery(publicBusinessQuery(username))
  const business = found.data
  useEffect(() => {
    if (business && business.slug !== username) navigate(`/profile/${business.slug}`, { replace: true })
    if (business) document.title = `${business.name} · lawn care`
  }, [business, username, navigate])
  return (
    <main id="screen" className="public-face-page">
      {business ? (
        <PublicFace business={business} />
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
