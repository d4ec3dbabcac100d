import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatDay, formatDuration, isDay } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Skeleton, StripSkeleton } from '../../../ui/Skeleton.tsx'
import type { SortMove } from '../../../ui/SortableLists.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { DayPlan } from '../contract.ts'
import { crewsToPublish, nextStep, savedWords } from '../rules.ts'
import { DayLanes } from './DayLanes.tsx'
import { DayMap } from './DayMap.tsx'
import { dayQuery, usePlan } from './data.ts'
import { crewsWords, dueList, stopsWords } from './plan.ts'
import { Result, type Searched } from './Result.tsx'
import { RouteHead } from './RouteHead.tsx'
import { StopLists } from './StopLists.tsx'
import { useCompact } from './useCompact.ts'
import { WeekBar } from './WeekBar.tsx'

const Waiting = () => (
  <div className="route is-waiting" aria-busy="true">
    <div className="route__head">
      <Skeleton width={160} height={30} />
      <Skeleton width={220} height={38} />
    </div>
    <div className="route__mid">
      <div className="route__wait">
        <Skeleton width="60%" />
        <Skeleton height={44} />
        <Skeleton height={44} />
        <Skeleton height={44} />
      </div>
      <div className="route__map" />
      <div className="route__wait">
        <Skeleton width="50%" />
        <Skeleton height={44} />
        <Skeleton height={44} />
      </div>
    </div>
    <div className="route__lanes">
      <StripSkeleton rows={3} />
    </div>
  </div>
)

export type View = 'stops' | 'due' | 'map'

/** One day: what is due and has no crew, the map, the stops of a crew, and every crew's strip. */
export const RouteDay = () => {
  const [params, setParams] = useSearchParams()
  const wanted = params.get('day')
  const day = wanted && isDay(wanted) ? wanted : undefined
  const query = useQuery(dayQuery(day))
  const narrow = useCompact()
  const [visitId, setVisitId] = useState<string | null>(params.get('visit'))
  const [searched, setSearched] = useState<Searched | null>(null)
  const [view, setView] = useState<View>('stops')
  const change = usePlan(day)

  const set = (next: Record<string, string | null>) =>
    setParams((old) => {
      const all = new URLSearchParams(old)
      for (const [key, value] of Object.entries(next))
        if (value === null) all.delete(key)
        else all.set(key, value)
      return all
    })
  const goTo = (to: string | null) => {
    setSearched(null)
    setVisitId(null)
    set({ day: to })
  }

  const plan = query.data
  if (query.error && !plan)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
  if (!plan) return <Waiting />

  const named = params.get('crew')
  const chosenCrewId = plan.crews.some((c) => c.crewId === named) ? named : null
  const open =
    plan.crews.find((c) => c.crewId === chosenCrewId) ?? plan.crews.find((c) => c.stops.length > 0) ?? plan.crews[0]
  const step = nextStep(plan)
  const busy = change.optimise.isPending || change.publish.isPending || change.undo.isPending

  const undo = () => change.undo.mutate({ day: plan.day }, { onSuccess: () => setSearched(null) })
  const optimise = (crewId?: string) =>
    change.optimise.mutate(
      crewId ? { day: plan.day, crewIds: [crewId], keepAssignments: true, placeDue: false } : { day: plan.day },
      {
        onSuccess: ({ plan: next, result }) => {
          if (result.kept) {
            setSearched(null)
            toast.message(
              result.left.length && !crewId
                ? `Nothing better was found. ${stopsWords(result.left.length)} did not fit; each says why.`
                : 'This is already the best order we can find. Nothing was changed.',
            )
            return
          }
          setSearched({ ...result, crewId: crewId ?? null })
          const crews = next.crews.filter((c) => c.stops.length).length
          const saved = savedWords(result.after.driveSeconds, result.booked.driveSeconds)
          toast.undo(
            `${stopsWords(crewId ? result.after.stops : result.stops)} ${crewId ? 'in a better order' : `on ${crewsWords(crews)}`}: ${formatDuration(result.after.driveSeconds)} of driving${saved ? `, ${saved}` : ''}`,
            undo,
          )
        },
      },
    )
  const publish = (crewIds: string[]) =>
    change.publish.mutate(
      { day: plan.day, crewIds, key: crypto.randomUUID() },
      {
        onSuccess: ({ published }) => {
          setSearched(null)
          const told = published.reduce((sum, p) => sum + p.told, 0)
          toast.success(
            published.length
              ? `${crewsWords(published.length)} have their route; ${told} ${told === 1 ? 'person was' : 'people were'} told`
              : 'They already have this route',
          )
        },
      },
    )
  const moveTo = (id: string, crewId: string | null, position?: number) => {
    setSearched(null)
    change.move.mutate(
      { visitId: id, crewId, day: plan.day, ...(position === undefined ? {} : { position }) },
      {
        onSuccess: ({ violations }) => {
          const [first] = violations
          if (first)
            toast.undo(violations.length > 1 ? `${first} And ${violations.length - 1} more to look at.` : first, undo)
        },
      },
    )
  }
  const onMove = ({ itemId, fromListId, toListId, toIndex }: SortMove) => {
    if (toListId === dueList) {
      if (fromListId !== dueList) moveTo(itemId, null)
      return
    }
    moveTo(itemId, toListId, toListId === open?.crewId ? toIndex : undefined)
  }
  const choose = (id: string | null) => {
    setVisitId(id)
    const owner = plan.crews.find((c) => c.stops.some((s) => s.visitId === id))
    if (owner && owner.crewId !== open?.crewId) set({ crew: owner.crewId })
    if (narrow && id && view === 'map') setView(owner ? 'stops' : 'due')
  }

  const count = plan.totals.stops + plan.unplaced.length
  const head = (
    <RouteHead
      plan={plan}
      step={step}
      busy={busy}
      optimising={change.optimise.isPending}
      publishing={change.publish.isPending}
      toPublish={plan.editable ? crewsToPublish(plan.crews) : []}
      onDay={goTo}
      onOptimise={() => optimise()}
      onPublish={publish}
      onUndo={undo}
    />
  )
  if (plan.crews.length === 0)
    return (
      <div className="route route--empty">
        {head}
        <EmptyState
          title="No crew yet"
          action={
            <Button kind="primary" href="/employees?tab=crews">
              Add your first crew
            </Button>
          }
        >
          A crew has a yard, a shift and people. Then its day is planned here: who goes where, in which order, and when
          they are back.
        </EmptyState>
      </div>
    )
  const lists = (
    <StopLists
      key={narrow ? view : 'wide'}
      plan={plan}
      openCrewId={open?.crewId ?? null}
      visitId={visitId}
      narrow={narrow}
      view={view}
      busy={busy || change.move.isPending}
      onCrew={(id) => set({ crew: id })}
      onChoose={choose}
      onMove={onMove}
      onMoveTo={moveTo}
      onPin={(id, pinned) => change.pin.mutate({ visitId: id, pinned })}
      onReorder={(id) => optimise(id)}
      onPostpone={(id, to) =>
        change.postpone.mutate(
          { visitId: id, crewId: null, day: to },
          {
            onSuccess: () =>
              toast.undo(`Moved to ${formatDay(to)}`, () =>
                change.undo.mutate({ day: to }, { onSuccess: change.reload }),
              ),
          },
        )
      }
    />
  )
  const result = searched ? <Result plan={plan} searched={searched} onClose={() => setSearched(null)} /> : null
  const map = <DayMap plan={plan} crewId={chosenCrewId} visitId={visitId} onChoose={choose} />
  return (
    <div
      className={`route${narrow ? ' is-compact' : ''}`}
      style={narrow ? undefined : { minHeight: 600 + plan.crews.length * 36 }}
    >
      {head}
      <WeekBar day={plan.day} today={plan.today} onDay={goTo} />
      {count === 0 ? (
        <EmptyDay plan={plan} />
      ) : narrow ? (
        <>
          {result}
          <DayLanes plan={plan} visitId={visitId} onChoose={choose} />
          <ViewSwitch view={view} onView={setView} due={plan.unplaced.length} />
          {view === 'map' ? <div className="route__map">{map}</div> : lists}
        </>
      ) : (
        <>
          <div className="route__mid" style={{ gridTemplateRows: rowsOf(plan) }}>
            {lists}
            <div className="route__map">
              {result}
              {map}
            </div>
          </div>
          <DayLanes plan={plan} visitId={visitId} onChoose={choose} />
        </>
      )}
    </div>
  )
}

/** The other crews stand as a legend on the map, a line each; the open one has the right side, its figures below. */
const rowsOf = (plan: DayPlan): string => `repeat(${Math.max(1, plan.crews.length - 1)}, auto) minmax(0, 1fr) auto`

const ViewSwitch = ({ view, onView, due }: { view: View; onView: (view: View) => void; due: number }) => (
  <fieldset className="route__views">
    <legend className="ui-hidden">What to show</legend>
    {(
      [
        ['stops', 'Stops'],
        ['due', `Not placed ${due}`],
        ['map', 'Map'],
      ] as const
    ).map(([value, label]) => (
      <button key={value} type="button" aria-pressed={view === value} onClick={() => onView(value)}>
        {label}
      </button>
    ))}
  </fieldset>
)

const EmptyDay = ({ plan }: { plan: DayPlan }) => (
  <div className="route__none">
    <EmptyState
      title={`Nothing is booked for ${formatDay(plan.day, { long: true })}`}
      action={plan.editable ? <Button href="/jobs?tab=create">Book work</Button> : undefined}
    >
      {plan.editable
        ? 'Visits of this day stand here as soon as a job has one. Pick another day above to plan that.'
        : 'This day is over and had no visits.'}
    </EmptyState>
  </div>
)
