import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { addDays, type Day, formatDay, formatDuration, formatMinute, minuteOfDay } from '../../../shared/dates.ts'
import { recordParam } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import type { SortMove } from '../../../ui/SortableLists.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { WeatherBanner } from '../../weather/web/WeatherBanner.tsx'
import { WetHoursDialog } from '../../weather/web/WetHoursDialog.tsx'
import { type DayPlan, type RouteRun, routesApi } from '../contract.ts'
import { leaveWords } from '../rain/rules.ts'
import { crewsToPublish, nextStep, savedMessage } from '../rules.ts'
import { ComparePanel } from './ComparePanel.tsx'
import { DayLanes } from './DayLanes.tsx'
import { DayMap } from './DayMap.tsx'
import { dayQuery, usePlan, useStepping } from './data.ts'
import { type PlanDialog, PlanDialogs } from './PlanDialogs.tsx'
import { ProposalBar } from './ProposalBar.tsx'
import { crewsLabel, dueList, overtaken, searchedPlan, stopsLabel } from './plan.ts'
import { RainPreview } from './RainPreview.tsx'
import { type Evenness, Result, type Searched } from './Result.tsx'
import { RouteHead } from './RouteHead.tsx'
import { SearchBar } from './SearchBar.tsx'
import { StopLists } from './StopLists.tsx'
import { useCompact } from './useCompact.ts'
import { useRun } from './useRun.ts'
import type { View } from './view.ts'
import { WeekBar } from './WeekBar.tsx'

const DayLoads = lazyPart(() => import('../../crewapp/load/web/DayLoads.tsx').then((m) => m.DayLoads))

/** One day: what is due and has no crew, the map, the stops of a crew, and every crew's strip. `day` is the one in the address. */
export const DayDesk = ({ plan: now, day }: { plan: DayPlan; day: Day | undefined }) => {
  const [params, setParams] = useSearchParams()
  const narrow = useCompact()
  const visitId = params.get(recordParam.visit)
  const [searched, setSearched] = useState<Searched | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [dialog, setDialog] = useState<PlanDialog | null>(params.has(recordParam.out) ? 'out' : null)
  const [comparing, setComparing] = useState<'plans' | 'rain' | null>(null)
  const [wetting, setWetting] = useState(false)
  const [loads, setLoads] = useState<'open' | 'closed' | null>(null)
  const [showsNow, setShowsNow] = useState(false)
  const [view, setView] = useState<View>('stops')
  const change = usePlan(day)
  const stepping = useStepping()
  const { timeZone } = useUser().business

  /** Takes back that very change: what somebody did after it stays. */
  const undo = (changeId: string | undefined) =>
    changeId && change.undo.mutate({ day: now.day, changeId }, { onSuccess: () => setSearched(null) })
  const ended = (run: RouteRun, mine: boolean) => {
    const { result } = run
    if (run.status === 'failed') setFailure(run.error)
    if (run.status === 'proposed' && run.kind === 'rain' && mine) setComparing('rain')
    if (!result || run.status === 'proposed') return
    if (run.status === 'kept') {
      setSearched(null)
      if (mine)
        toast.message(
          result.left.length
            ? `Nothing better was found. ${stopsLabel(result.left.length)} did not fit; each says why.`
            : 'This is already the best order we can find. Nothing was changed.',
        )
    } else if (run.status === 'applied') {
      setSearched({ ...result, name: run.label === 'Optimize' ? null : run.label })
      const saved = savedMessage(result.after.driveSeconds, result.booked.driveSeconds)
      if (mine)
        toast.undo(
          `${stopsLabel(result.after.stops)} planned: ${formatDuration(result.after.driveSeconds)} of driving${saved ? `, ${saved}` : ''}`,
          () => undo(run.id),
        )
    }
  }
  const run = useRun(now.day, ended)
  const proposal = run.proposal
  const proposed = useQuery({
    ...dayQuery(now.day, proposal?.id),
    enabled: proposal !== null,
    placeholderData: keepPreviousData,
  })
  const plan = useMemo(() => {
    if (run.searching && run.progress?.stops) return searchedPlan(now, run.searching, run.progress.stops)
    if (run.searching) return { ...now, can: { change: false } }
    if (proposal && !showsNow && proposed.data?.proposalId === proposal.id) return proposed.data
    return now
  }, [now, run.searching, run.progress, proposal, showsNow, proposed.data])

  const set = (next: Record<string, string | null>) =>
    setParams((old) => {
      const all = new URLSearchParams(old)
      for (const [key, value] of Object.entries(next))
        if (value === null) all.delete(key)
        else all.set(key, value)
      return all
    })
  const closeDialog = () => {
    setDialog(null)
    if (params.has(recordParam.out)) set({ [recordParam.out]: null })
  }
  const goTo = (to: string | null) => set({ day: to, visitId: null })

  const named = params.get(recordParam.crew)
  const chosenCrewId = plan.crews.some((c) => c.crewId === named) ? named : null
  const open =
    plan.crews.find((c) => c.crewId === chosenCrewId) ?? plan.crews.find((c) => c.stops.length > 0) ?? plan.crews[0]
  const busy = stepping || run.settling || change.publish.isPending || run.begin.isPending
  const searching = run.searching !== null
  const occupied = searching || proposal !== null

  const clear = () => {
    setSearched(null)
    setFailure(null)
  }
  const optimize = (options: { crewId?: string; longer?: boolean; evenness?: Evenness | undefined } = {}) => {
    clear()
    run.begin.mutate({
      kind: 'optimize',
      body: {
        day: now.day,
        ...(options.crewId ? { crewIds: [options.crewId], keepAssignments: true, placeDue: false } : {}),
        ...(options.longer ? { longer: true } : {}),
        ...(options.evenness ? { evenness: options.evenness } : {}),
      },
    })
  }
  const pushRain = () => {
    clear()
    run.begin.mutate({ kind: 'rain', body: { day: now.day, strategy: 'push' } })
  }
  // The way from a banner elsewhere: what it promised is looked for at once, and only once.
  const rain = params.get(recordParam.rain)
  const waited = useRef(false)
  useEffect(() => {
    if (rain === null || waited.current) return
    waited.current = true
    set({ [recordParam.rain]: null })
    if (now.can.change && proposal === null && !searching) pushRain()
  })
  const publish = (crewIds: string[]) =>
    change.publish.mutate(
      { day: now.day, crewIds },
      {
        onSuccess: ({ published }) => {
          setSearched(null)
          const notified = published.reduce((sum, p) => sum + p.notified, 0)
          toast.success(
            published.length
              ? `${crewsLabel(published.length)} ${published.length === 1 ? 'has its' : 'have their'} route; ${notified} ${notified === 1 ? 'person was' : 'people were'} told`
              : 'They already have this route',
          )
        },
      },
    )
  const moveTo = (id: string, crewId: string | null, position?: number) => {
    setSearched(null)
    change.move.mutate(
      { visitId: id, crewId, day: now.day, ...(position === undefined ? {} : { position }) },
      {
        onSuccess: ({ plan: { undo: step }, violations }) => {
          const [first] = violations
          if (first)
            toast.undo(violations.length > 1 ? `${first} And ${violations.length - 1} more to look at.` : first, () =>
              undo(step?.id),
            )
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
    const owner = plan.crews.find((c) => c.stops.some((s) => s.visitId === id))
    set({ visitId: id, ...(owner && owner.crewId !== open?.crewId ? { crewId: owner.crewId } : {}) })
  }
  const facts = proposal?.result?.rain
  const apply = (tell = true) =>
    proposal &&
    run.apply.mutate(
      { id: proposal.id, tell },
      {
        onSuccess: (applied) => {
          setComparing(null)
          const leave = facts && tell ? leaveWords(facts.tells, timeZone) : null
          toast.undo(`${applied.label}: done${leave ? `. ${leave}` : ''}`, () => undo(applied.id))
        },
      },
    )

  const nowMinute = minuteOfDay(new Date(), timeZone)
  const past = overtaken(now, nowMinute)
  const count = plan.totals.stops + plan.unplaced.length
  const head = (
    <RouteHead
      plan={now}
      step={nextStep(now)}
      busy={busy}
      occupied={occupied}
      publishing={change.publish.isPending}
      toPublish={now.can.change ? crewsToPublish(now.crews) : []}
      onDay={goTo}
      onOptimize={() => optimize()}
      onPublish={publish}
      onUndo={() => undo(now.undo?.id)}
      onRedo={() => now.redo && change.redo.mutate({ day: now.day, changeId: now.redo.id }, { onSuccess: clear })}
      onDialog={setDialog}
      onLonger={() => optimize({ longer: true })}
      onCompare={() => setComparing(proposal?.result?.rain ? 'rain' : 'plans')}
      onWetHours={() => setWetting(true)}
      onLoads={() => setLoads('open')}
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
          A crew has a depot, a shift and people. Then its day is planned here: who goes where, in which order, and when
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
      busy={busy || occupied}
      searching={searching}
      onCrew={(id) => set({ crewId: id })}
      onChoose={choose}
      onMove={onMove}
      onMoveTo={moveTo}
      onPin={(id, pinned) => change.pin.mutate({ visitId: id, pinned })}
      onReorder={(id) => optimize({ crewId: id })}
      onCrewBack={(id) => change.crewBack.mutate({ day: now.day, crewId: id })}
      onPostpone={(id, to) =>
        change.postpone.mutate(
          { visitId: id, crewId: null, day: to },
          {
            onSuccess: ({ plan: { undo: step } }) =>
              toast.undo(
                `Moved to ${formatDay(to)}`,
                () => step && change.undo.mutate({ day: to, changeId: step.id }, { onSuccess: change.reload }),
              ),
          },
        )
      }
    />
  )
  const bar = run.searching ? (
    <SearchBar
      run={run.searching}
      progress={run.progress}
      stale={run.stale}
      stopping={run.stop.isPending || run.stop.variables === run.searching.id}
      onStop={() => run.searching && run.stop.mutate(run.searching.id)}
    />
  ) : proposal ? (
    <ProposalBar
      run={proposal}
      day={now.day}
      shown={!showsNow}
      busy={run.apply.isPending || run.dismiss.isPending}
      applying={run.apply.isPending}
      onShown={(shown) => setShowsNow(!shown)}
      onDay={goTo}
      onCompare={() => setComparing(proposal?.result?.rain ? 'rain' : 'plans')}
      onApply={() => (facts ? setComparing('rain') : apply())}
      onDismiss={() => {
        setComparing(null)
        run.dismiss.mutate(proposal.id)
      }}
    />
  ) : failure ? (
    <div className="route__notice">
      <Banner
        tone="error"
        title="The search did not finish"
        action={
          <Button size="s" onClick={() => optimize()} disabled={busy}>
            Search again
          </Button>
        }
        onClose={() => setFailure(null)}
      >
        {failure}
      </Banner>
    </div>
  ) : past && plan.can.change ? (
    <div className="route__notice">
      <Banner
        tone="warn"
        title={`It is ${formatMinute(nowMinute)}, and ${past.names.join(', ')} ${past.names.length === 1 ? 'has' : 'have'} begun nothing.`}
        action={
          <Button size="s" onClick={() => goTo(addDays(now.day, 1))}>
            Plan tomorrow
          </Button>
        }
      >
        These times start at {formatMinute(past.firstMinute)}. Open a stop to finish what was done or move what was not.
      </Banner>
    </div>
  ) : null
  const result =
    searched && !occupied ? (
      <Result
        searched={searched}
        busy={busy}
        onLonger={() => optimize({ longer: true, evenness: searched.evenness?.chosen })}
        onEvenness={(evenness) => optimize({ evenness })}
        onCompare={() => setComparing('plans')}
        onClose={() => setSearched(null)}
      />
    ) : null
  const map = <DayMap plan={plan} crewId={chosenCrewId} visitId={visitId} onChoose={choose} />
  return (
    <div
      className={`route${narrow ? ' is-compact' : ''}`}
      style={narrow ? undefined : { minHeight: 600 + plan.crews.length * 36 + (bar ? 90 : 0) }}
    >
      {head}
      <WeekBar day={plan.day} today={plan.today} onDay={goTo} />
      {bar ??
        (plan.can.change ? (
          <div className="route__notice">
            <WeatherBanner day={now.day} preview={{ calls: routesApi.rain, onClick: () => pushRain() }} />
          </div>
        ) : (
          <span className="route__nobar" />
        ))}
      {count === 0 && !proposal ? (
        <EmptyDay plan={now} />
      ) : narrow ? (
        <>
          {result}
          <DayLanes plan={plan} searching={searching} visitId={visitId} onChoose={choose} />
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
          <DayLanes plan={plan} searching={searching} visitId={visitId} onChoose={choose} />
        </>
      )}
      <PlanDialogs
        plan={now}
        open={dialog}
        busy={run.begin.isPending}
        crewId={chosenCrewId}
        onClose={closeDialog}
        onStart={(input) => {
          clear()
          run.begin.mutate(input, { onSuccess: closeDialog })
        }}
      />
      {loads ? <DayLoads day={now.day} open={loads === 'open'} onClose={() => setLoads('closed')} /> : null}
      {wetting ? <WetHoursDialog day={now.day} onClose={() => setWetting(false)} /> : null}
      {comparing && proposal && facts ? (
        <RainPreview
          run={proposal}
          facts={facts}
          busy={run.begin.isPending || searching || run.dismiss.isPending}
          applying={run.apply.isPending}
          onAgain={(body) => {
            clear()
            run.begin.mutate({ kind: 'rain', body })
          }}
          onApply={apply}
          onDismiss={() => {
            setComparing(null)
            run.dismiss.mutate(proposal.id)
          }}
          onClose={() => setComparing(null)}
          onChoose={(id, to) => {
            if (to !== now.day) goTo(to)
            else choose(id)
          }}
        />
      ) : comparing === 'rain' && (searching || run.begin.isPending) ? (
        <RecordPanel open covers width={600} onClose={() => setComparing(null)} title={`Rain on ${formatDay(now.day)}`}>
          <PanelSkeleton />
        </RecordPanel>
      ) : comparing === 'plans' ? (
        <ComparePanel
          day={now.day}
          runId={proposal?.id ?? null}
          onClose={() => setComparing(null)}
          onChoose={(id, to) => {
            if (to !== now.day) goTo(to)
            else choose(id)
          }}
        />
      ) : null}
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
      action={plan.can.change ? <Button href="/jobs?tab=create">Book work</Button> : undefined}
    >
      {plan.day >= plan.today
        ? 'Visits of this day stand here as soon as a job has one. Pick another day above to plan that.'
        : 'This day is over and had no visits.'}
    </EmptyState>
  </div>
)
