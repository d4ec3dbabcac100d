import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { recordParam } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { IconSettings } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CardSkeleton, PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { type ReviewFilter, reviewFilterLabel, reviewFilters } from '../rules.ts'
import { Counts } from './Counts.tsx'
import { reviewQuery, reviewsQuery, summaryQuery } from './data.ts'
import { ReviewCard } from './ReviewCard.tsx'
import './reviews.css'

const settingsPath = '/profile?section=messages#reviews'

const Summary = () => {
  const found = useQuery(summaryQuery)
  if (!found.data)
    return found.isError ? (
      <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
    ) : (
      <CardSkeleton />
    )
  const { enabled, pageOn, askedCount, answeredCount, ...counts } = found.data
  return (
    <>
      {!enabled ? (
        <Banner tone="info" title="Nobody is asked yet" action={<Button href={settingsPath}>Set it up</Button>}>
          Switch it on, and customers are asked how it was after a visit, at most once in a few months.
        </Banner>
      ) : pageOn ? null : (
        <Banner tone="warn" title="Your public page is off">
          Reviews come in, but nobody else can read them.{' '}
          <LinkTo href="/profile?section=brand#page">Switch it on</LinkTo>
        </Banner>
      )}
      {counts.count > 0 || askedCount > 0 ? (
        <Card>
          <div className="rv-top">
            <Counts {...counts} />
            <p className="rv-asked">
              <b>
                {answeredCount} of {askedCount} answered
              </b>
              <span className="hint">of those asked in the last 90 days</span>
            </p>
          </div>
        </Card>
      ) : null}
    </>
  )
}

const One = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const found = useQuery(reviewQuery(id))
  return (
    <>
      <div className="rv-tools">
        <Button size="s" onClick={onClose}>
          All reviews
        </Button>
      </div>
      {found.data ? (
        <ReviewCard review={found.data} />
      ) : found.isError ? (
        <ErrorState
          error={found.error}
          title="We could not load this review"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <PanelSkeleton />
      )}
    </>
  )
}

const List = ({ show, change }: { show: ReviewFilter; change: (show: ReviewFilter) => void }) => {
  const found = useInfiniteQuery(reviewsQuery(show))
  const items = found.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <div className="rv-tools">
        <FilterChips
          single
          label="Show"
          chips={reviewFilters.map((value) => ({ value, label: reviewFilterLabel[value] }))}
          values={[show]}
          onChange={([value]) => change(value ?? 'all')}
        />
      </div>
      {items === undefined ? (
        found.isError ? (
          <ErrorState
            error={found.error}
            title="We could not load the reviews"
            onRetry={() => void found.refetch()}
            retrying={found.isFetching}
          />
        ) : (
          <PanelSkeleton />
        )
      ) : items.length === 0 ? (
        <EmptyState
          picture={show === 'all' ? 'unmowed' : 'none'}
          title={show === 'all' ? 'No review yet' : 'None of these'}
        >
          {show === 'all'
            ? 'What customers say after a visit stands here, and on your public page where they want it.'
            : 'Nothing fits this choice.'}
        </EmptyState>
      ) : (
        <>
          <ul className="rv-list">
            {items.map((review) => (
              <li key={review.id}>
                <ReviewCard review={review} />
              </li>
            ))}
          </ul>
          <LoadMore
            hasMore={found.hasNextPage}
            loading={found.isFetchingNextPage}
            failed={found.isFetchNextPageError}
            onMore={() => void found.fetchNextPage()}
            shown={items.length}
          />
        </>
      )}
    </>
  )
}

/** What customers say after visits: the same figures as on the public page, and each review to be answered. */
export const ReviewsTab = () => {
  const { params, change } = useParams()
  const id = params.get(recordParam.review)
  const show = reviewFilters.find((one) => one === params.get('show')) ?? 'all'
  return (
    <>
      <PageHeader
        title="Reviews"
        sub="What customers say after a visit"
        actions={
          <Button href={settingsPath} icon={<IconSettings />}>
            When to ask
          </Button>
        }
      />
      <Summary />
      {id ? (
        <One id={id} onClose={() => change({ [recordParam.review]: null })} />
      ) : (
        <List show={show} change={(value) => change({ show: value === 'all' ? null : value }, { replace: true })} />
      )}
    </>
  )
}
