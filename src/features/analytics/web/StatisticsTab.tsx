import { useQuery } from '@tanstack/react-query'
import { linkTo } from '../../../shared/links.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import './analytics.css'
import { statisticsQuery } from './data.ts'
import { Figures } from './Figures.tsx'

/** The last 30 days against the 30 before. */
export const StatisticsTab = () => {
  const { data, isError, error, refetch, isFetching } = useQuery(statisticsQuery)
  return (
    <>
      <PageHeader title="Statistics" sub="The last 30 days against the 30 before" />
      {isError && !data ? (
        <ErrorState
          error={error}
          title="We could not load the figures"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : data ? (
        <Figures found={data} link={(values) => linkTo.statistics(values)} />
      ) : (
        <CardSkeleton />
      )}
    </>
  )
}
