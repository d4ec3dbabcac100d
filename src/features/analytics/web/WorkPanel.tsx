import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDay } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { VisitLink } from '../../visits/web/VisitLink.tsx'
import './analytics.css'
import type { WorkRow } from '../contract.ts'
import { type Show, type Wanted, workQuery } from './data.ts'

const titles: Record<Show, string> = {
  completed: 'Completed visits',
  unpaid: 'Completed, not paid in full',
  skipped: 'Skipped visits',
}

const paidWords = ({ worthCents, capturedCents }: WorkRow): string =>
  worthCents === 0 ? 'not billed' : capturedCents >= worthCents ? 'paid' : `${formatCents(capturedCents)} paid`

/** The visits that a number is made of; each opens over this screen. */
export const WorkPanel = ({ wanted, sub, onClose }: { wanted: Wanted; sub: string; onClose: () => void }) => {
  const found = useInfiniteQuery(workQuery(wanted))
  const rows = found.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <RecordPanel open covers onClose={onClose} title={titles[wanted.show]} sub={sub}>
      {found.isError && rows.length === 0 ? (
        <ErrorState
          compact
          error={found.error}
          title="We could not load these visits"
          onRetry={() => void found.refetch()}
        />
      ) : found.isPending ? (
        <PanelSkeleton />
      ) : rows.length === 0 ? (
        <EmptyState compact picture="search" title="No visits">
          There are none in these days.
        </EmptyState>
      ) : (
        <>
          <ul className="an-rows">
            {rows.map((row) => (
              <li key={row.id}>
                <span>
                  <VisitLink id={row.id}>{row.customer}</VisitLink>
                  <span className="hint">
                    {formatDay(row.day, { year: true })} · {row.place}
                  </span>
                </span>
                {wanted.show === 'skipped' ? null : (
                  <span className="num">
                    {formatCents(row.worthCents)}
                    <span className="hint">{paidWords(row)}</span>
                  </span>
                )}
              </li>
            ))}
          </ul>
          <LoadMore
            hasMore={found.hasNextPage}
            loading={found.isFetchingNextPage}
            failed={found.isFetchNextPageError}
            onMore={() => void found.fetchNextPage()}
            shown={rows.length}
          />
        </>
      )}
    </RecordPanel>
  )
}
