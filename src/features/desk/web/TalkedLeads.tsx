import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useOwner } from '../../owner/web/session.ts'
import type { Lead } from '../contract.ts'
import { leadsQuery } from './data.ts'
import { useNotifyFailure } from './notice.ts'

/** The leads with messages, whoever wrote last first. How a lead looks, each part of the desk says itself. */
export const TalkedLeads = ({
  search = '',
  empty,
  className,
  limit,
  children,
}: {
  search?: string
  /** What stands where nothing was written yet. */
  empty: string
  className?: string
  /** How many come at once. */
  limit?: number
  children: (lead: Lead) => ReactNode
}) => {
  const { ask } = useOwner()
  const list = useInfiniteQuery(leadsQuery(ask, { conversations: true, search, ...(limit ? { limit } : {}) }))
  useNotifyFailure(list)
  const leads = list.data?.pages.flatMap((page) => page.leads)
  if (list.isError && !leads)
    return (
      <ErrorState
        error={list.error}
        title="The conversations are not here yet"
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    )
  if (!leads) return <PanelSkeleton />
  if (leads.length === 0)
    return (
      <EmptyState picture={search ? 'search' : 'none'} title="No conversations yet">
        {search ? 'No conversation has these words.' : empty}
      </EmptyState>
    )
  return (
    <>
      <ul className={className}>{leads.map(children)}</ul>
      <LoadMore
        hasMore={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
        shown={leads.length}
        total={list.data?.pages[0]?.total ?? leads.length}
      />
    </>
  )
}
