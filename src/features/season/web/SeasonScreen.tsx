import './season.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useParams } from '../../../ui/useParams.ts'
import { type SeasonListed, type SeasonRun, seasonApi, type WhatIf } from '../contract.ts'
import { overviewQuery, runQuery, useStart, useStop } from './data.ts'
import { SeasonResult } from './SeasonResult.tsx'
import { WhatIfDialog } from './WhatIfDialog.tsx'
import { count, hours } from './words.ts'

const Searching = ({ run }: { run: SeasonRun }) => {
  const stop = useStop()
  const { progress } = run
  return (
    <Card title={run.kind === 'plan' ? 'Planning the season' : run.label}>
      <div className="season-searching">
        <Progress
          label="How far the search is"
          value={Math.round((progress?.share ?? 0) * 100)}
          detail={
            progress && progress.savedSecondsYear > 0
              ? `${hours(progress.savedSecondsYear)} less driving a year so far, ${count(progress.moves, 'job')} would move`
              : 'putting today’s days in order'
          }
          tone="now"
        />
        {run.can.stop ? (
          <Button
            calls={seasonApi.stop}
            loading={stop.isPending}
            onClick={() => stop.mutate(run.id, { onError: toast.error })}
          >
            {run.kind === 'plan' ? 'Stop and keep the best' : 'Stop'}
          </Button>
        ) : null}
      </div>
    </Card>
  )
}

const savedText = ({ kind, status, savedSecondsYear, unplaced }: SeasonListed): string =>
  status === 'running'
    ? 'searching'
    : status === 'failed'
      ? 'was not finished'
      : savedSecondsYear === null
        ? unplaced > 0
          ? `${count(unplaced, 'lawn does', 'lawns do')} not fit`
          : ''
        : kind === 'plan'
          ? `${hours(Math.max(0, savedSecondsYear))} less driving a year`
          : savedSecondsYear >= 0
            ? `${hours(savedSecondsYear)} less than today`
            : `${hours(-savedSecondsYear)} more than today`

/** The season planner: better days, weeks and crews of all recurring work, taken over as far as somebody wants. */
export const SeasonScreen = () => {
  const { params, change } = useParams()
  const overview = useQuery(overviewQuery)
  const start = useStart()
  const [asking, setAsking] = useState(false)
  const { data } = overview
  const runs = data?.runs ?? []
  const id =
    params.get(recordParam.season) ??
    runs.find((run) => run.status === 'running')?.id ??
    // One that failed does not hide the last good one.
    runs.find((run) => run.kind === 'plan' && run.status === 'ready')?.id ??
    runs.find((run) => run.kind === 'plan')?.id ??
    null
  const found = useQuery({ ...runQuery(id ?? ''), enabled: id !== null })
  const run = id === null ? undefined : found.data
  const client = useQueryClient()
  const isOver = run !== undefined && run.status !== 'running'
  const listedRunning = runs.some((one) => one.id === id && one.status === 'running')
  useEffect(() => {
    // the list knows of the end of a search as soon as the search does
    if (isOver && listedRunning) void client.invalidateQueries({ queryKey: overviewQuery.queryKey })
  }, [client, isOver, listedRunning])
  const begin = async (whatIf: WhatIf | null) => {
    try {
      const { run: started } = await start.mutateAsync({ whatIf })
      setAsking(false)
      change({ [recordParam.season]: started.id }, { replace: true })
    } catch (error) {
      const fields = error instanceof ApiError ? error.errors : []
      toast.error(fields.length > 0 ? fields.map((one) => one.message).join('; ') : error)
    }
  }
  const searching =
    run?.status === 'running' || runs.some((one) => one.status === 'running' && !(isOver && one.id === id))
  const head = (
    <PageHeader
      title="Season planner"
      sub={
        data
          ? `${count(data.jobs, 'recurring job')} with ${count(data.crews.length, 'crew')}, ${data.weeks} weeks a year${data.keeping > 0 ? `; ${count(data.keeping, 'job keeps its day', 'jobs keep their day')}` : ''}`
          : undefined
      }
      actions={
        data && data.jobs > 0 ? (
          <>
            <Button onClick={() => setAsking(true)} disabled={searching}>
              What if…
            </Button>
            <Button
              kind="primary"
              calls={seasonApi.start}
              loading={start.isPending}
              disabled={searching}
              onClick={() => void begin(null)}
            >
              Plan the season
            </Button>
          </>
        ) : undefined
      }
    />
  )
  if (overview.error && !data)
    return <ErrorState error={overview.error} onRetry={() => void overview.refetch()} retrying={overview.isFetching} />
  if (!data)
    return (
      <>
        {head}
        <CardSkeleton />
      </>
    )
  if (data.jobs === 0)
    return (
      <>
        {head}
        <EmptyState
          title="No recurring work to plan yet"
          action={
            <Button kind="primary" href={linkTo.newJob()}>
              Book recurring work
            </Button>
          }
        >
          The planner finds better days, weeks and crews for jobs that come back and have a crew and a place on the map.
        </EmptyState>
      </>
    )
  return (
    <>
      {head}
      <div className="season">
        {!run && id === null ? (
          <EmptyState picture="mowed" title="See what better days would save">
            The planner looks for a service day, a week (A or B) and a crew for each customer, so that all crews
            together drive the least within their hours. Who keeps their day stays. Nothing changes until you take it
            over, for all or for one neighborhood after another.
          </EmptyState>
        ) : found.error && !run ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
        ) : !run ? (
          <CardSkeleton />
        ) : run.status === 'running' ? (
          <Searching run={run} />
        ) : run.status === 'failed' ? (
          <Banner tone="error" title={`${run.label}: not finished.`}>
            {run.error}
          </Banner>
        ) : (
          <SeasonResult
            run={run}
            earliestOn={data.earliestOn}
            suggestedOn={data.suggestedOn}
            today={data.today}
            onPlan={() => void begin(null)}
            planning={start.isPending}
          />
        )}
        {runs.length > 0 ? (
          <Card title="Plans and what-ifs">
            <ul className="season-runs">
              {runs.map((one) => (
                <li key={one.id}>
                  <LinkTo href={linkTo.season(one.id)} aria-current={one.id === id ? 'true' : undefined}>
                    {one.label}
                  </LinkTo>
                  <span className="hint">
                    {savedText(one)}
                    {one.startedByName ? ` · ${one.startedByName}` : ''} · <RelativeTime at={one.startedAt} />
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        ) : null}
      </div>
      {asking ? (
        <WhatIfDialog
          overview={data}
          pending={start.isPending}
          onStart={(wish) => void begin(wish)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
