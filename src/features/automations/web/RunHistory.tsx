import { useInfiniteQuery } from '@tanstack/react-query'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { runState } from '../rules.ts'
import { runsQuery } from './data.ts'

const ways = { sms: 'By text', email: 'By e-mail' } as const

/** What became of each: sent, held, not sent and why. */
export const RunHistory = ({ automationId }: { automationId: string }) => {
  const { timeZone } = useUser().business
  const list = useInfiniteQuery(runsQuery({ automationId }))
  const items = list.data?.pages.flatMap((page) => page.items)
  return (
    <Card title="History" hint="Everything that began it, the newest first.">
      {list.isError && !items ? (
        <ErrorState compact error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : !items ? (
        <Skeleton height={120} />
      ) : items.length === 0 ? (
        <EmptyState compact picture="none" title="Nothing yet">
          What leaves stands here with who got it, and what does not with why.
        </EmptyState>
      ) : (
        <>
          <ul className="au-list" aria-label="History">
            {items.map((run) => {
              const { label, tone, why } = runState(run)
              return (
                <li key={run.id} className="au-row">
                  <span className="au-row__words">
                    <LinkTo
                      href={run.message ? linkTo.thread(run.customer.id) : linkTo.customer(run.customer.id)}
                      aria-label={run.message ? `Messages with ${run.customer.name}` : run.customer.name}
                    >
                      {run.customer.name}
                    </LinkTo>
                    <span className="hint">
                      {[
                        `${formatDay(dayOf(run.dueAt, timeZone))}, ${formatTime(run.dueAt, timeZone)}`,
                        run.channel && run.status !== 'skipped' ? ways[run.channel] : '',
                        run.decidedByName ? `decided by ${run.decidedByName}` : '',
                        why ?? '',
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                  <span className="au-row__side">
                    <Badge tone={tone}>{label}</Badge>
                  </span>
                </li>
              )
            })}
          </ul>
          <LoadMore
            hasMore={list.hasNextPage}
            loading={list.isFetchingNextPage}
            failed={list.isFetchNextPageError}
            onMore={() => void list.fetchNextPage()}
            shown={items.length}
          />
        </>
      )}
    </Card>
  )
}
