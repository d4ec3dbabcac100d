import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDay, formatMinute } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { DayStrip } from '../../../ui/DayStrip.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { markColor } from '../../../ui/markColor.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/Skeleton.tsx'
import { isTerminal, stripState } from '../../visits/rules.ts'
import { savedMessage } from '../rules.ts'
import { savedQuery } from './data.ts'
import { miles, shortDuration, stopsLabel } from './plan.ts'
import { WeekdayRoutes } from './WeekdayRoutes.tsx'

const states = {
  published: ['done', 'sent'],
  started: ['now', 'at work'],
  closed: ['neutral', 'done'],
} as const

/** Every route that was sent, by day, each with its strip. */
export const SavedRoutes = () => {
  const query = useInfiniteQuery(savedQuery)
  const total = query.data?.pages[0]?.total
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const days = [...Map.groupBy(items, (route) => route.day)]
  const head = (
    <PageHeader
      title="Saved routes"
      sub={
        query.data
          ? `${total === null ? 'More than 1,000' : (total ?? 0).toLocaleString('en-US')} routes sent to crews so far`
          : undefined
      }
      actions={
        <Button kind="primary" href="/route-map">
          Plan a day
        </Button>
      }
    />
  )
  if (query.error && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
  if (!query.data)
    return (
      <>
        {head}
        <WeekdayRoutes />
        <TableSkeleton rows={6} columns={4} />
      </>
    )
  if (items.length === 0)
    return (
      <>
        {head}
        <WeekdayRoutes />
        <EmptyState
          title="No route was sent yet"
          action={
            <Button kind="primary" href="/route-map">
              Plan a day
            </Button>
          }
        >
          A route stands here once it is published to its crew: the day as a strip, what it cost on the road, and how it
          went.
        </EmptyState>
      </>
    )
  return (
    <>
      {head}
      <div className="saved">
        <WeekdayRoutes />
        {days.map(([day, routes]) => (
          <Card
            key={day}
            flush
            title={<LinkTo href={linkTo.routeDay(day)}>{formatDay(day, { year: true })}</LinkTo>}
            hint={`${stopsLabel(routes.reduce((sum, r) => sum + r.stops.length, 0))} on ${routes.length === 1 ? '1 crew' : `${routes.length} crews`}`}
          >
            <ul className="saved__routes">
              {routes.map((route) => {
                const done = route.stops.length > 0 && route.stops.every((stop) => isTerminal(stop.status))
                const [tone, word] = states[done ? 'closed' : (route.status as keyof typeof states)]
                const saved =
                  route.driveSeconds !== null && route.bookedDriveSeconds !== null
                    ? savedMessage(route.driveSeconds, route.bookedDriveSeconds)
                    : null
                return (
                  <li key={route.id}>
                    <LinkTo href={linkTo.routeDay(route.day, { crewId: route.crewId })} className="saved__route">
                      <span className="saved__who">
                        <b>
                          <i style={{ background: markColor(route.color) }} aria-hidden="true" />
                          {route.crewName}
                        </b>
                        <Badge tone={route.dirty ? 'flag' : tone}>{route.dirty ? 'changed since sent' : word}</Badge>
                      </span>
                      <DayStrip
                        still
                        fitContent
                        height={24}
                        ariaLabel={route.crewName}
                        stops={route.stops.map((stop) => ({
                          id: stop.visitId,
                          label: stop.label,
                          minutes: stop.minutes,
                          driveMinutesBefore: stop.driveMinutesBefore,
                          state: stripState(stop.status),
                        }))}
                      />
                      <span className="saved__sum num">
                        <span>
                          {stopsLabel(route.stops.length)}
                          {route.driveSeconds === null ? '' : ` · ${shortDuration(route.driveSeconds)} driving`}
                          {route.driveMeters === null ? '' : ` · ${miles(route.driveMeters)} mi`}
                        </span>
                        <span className="hint">
                          {saved ?? (route.endMinute === null ? '' : `back at ${formatMinute(route.endMinute)}`)}
                        </span>
                      </span>
                    </LinkTo>
                  </li>
                )
              })}
            </ul>
          </Card>
        ))}
      </div>
      <LoadMore
        hasMore={query.hasNextPage}
        loading={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
        shown={items.length}
        total={query.data.pages[0]?.total ?? items.length}
        failed={query.isFetchNextPageError}
      />
    </>
  )
}
