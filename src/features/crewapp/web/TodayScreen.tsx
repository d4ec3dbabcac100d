import type { ReactNode } from 'react'
import { formatMinute } from '../../../shared/dates.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { FieldEmpty } from '../../../ui/field/FieldEmpty.tsx'
import { FieldScreen } from '../../../ui/field/FieldScreen.tsx'
import { IconMap2 } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { backAtMinute, dayTotals, isTerminal, isUnderWay, pacedStop, restAhead } from '../../visits/rules.ts'
import type { CrewDayPlan, CrewStop } from '../contract.ts'
import { nextWorkDay } from '../load/rules.ts'
import { CrewHeader } from './CrewHeader.tsx'
import { type Crew, useCrew } from './data.ts'
import { FinishSheet } from './FinishSheet.tsx'
import { ForgotClockOut } from './ForgotClockOut.tsx'
import { countedStops, dayLabel, spanOf, stopNumber, unbroken, workedMinutes } from './labels.ts'
import { LoadButton } from './loadParts.ts'
import { MainDock } from './MainDock.tsx'
import { NextStop } from './NextStop.tsx'
import { NotLoaded } from './NotLoaded.tsx'
import { SkipSheet } from './SkipSheet.tsx'
import { StopList } from './StopList.tsx'
import { StopSheet } from './StopSheet.tsx'
import { StripOfDay } from './StripOfDay.tsx'
import { NotesSheet } from './stopParts.ts'
import { TreatSheet } from './treatParts.ts'
import { UndoBar } from './UndoBar.tsx'
import { useDay } from './useDay.ts'
import './crewapp.css'

const TruckCheck = lazyPart(() => import('./check/TruckCheck.tsx').then((m) => m.TruckCheck))
const WeekNewsCard = lazyPart(() => import('./WeekNewsCard.tsx').then((m) => m.WeekNewsCard))
const NoticeCard = lazyPart(() => import('./notices/NoticeCard.tsx').then((m) => m.NoticeCard))
const SuggestionCard = lazyPart(() => import('./suggest/SuggestionCard.tsx').then((m) => m.SuggestionCard))
const MealCard = lazyPart(() => import('./meal/MealCard.tsx').then((m) => m.MealCard))
const CollectSheet = lazyPart(() => import('./CollectSheet.tsx').then((m) => m.CollectSheet))

export type CrewScreenProps = { dock: (action: ReactNode) => ReactNode }

const titleOf = (crew: Crew, plan: CrewDayPlan | null, stop: CrewStop | null): string => {
  const { t, now, nowMinute, clock, today } = crew
  if (!plan || plan.stops.length === 0) return plan ? t.noStops : t.yourDay
  const counted = countedStops(plan)
  if (!stop) {
    const { finished, skipped } = dayTotals(counted)
    return t.allDone(finished, skipped)
  }
  const paced = plan.stops.map((s) => ({ ...pacedStop(s, s.people, now), id: s.id, startMinute: s.plannedStartMinute }))
  const taken = clock?.week.days.find(({ day }) => day === today)?.breakSeconds ?? 0
  const back = backAtMinute({
    stops: paced,
    nowMinute,
    restMinutes: restAhead(paced, {
      breakMinutes: plan.crew?.breakMinutes ?? 0,
      takenMinutes: Math.round(taken / 60),
      rest: plan.rest,
    }),
    shiftStartMinute: plan.crew?.shiftStartMinute ?? nowMinute,
    homeMinutes: plan.homeMinutes,
  })
  const at = t.stopOf(counted.findIndex((s) => s.id === stop.id) + 1, counted.length)
  return back === null ? at : `${at} · ${t.backAt(unbroken(formatMinute(back)))}`
}

/** What lies behind: done and skipped apart; a stop that the office canceled is listed and counts as neither. */
const pastLabel = (t: Crew['t'], past: readonly CrewStop[]): string => {
  const { finished, skipped } = dayTotals(past)
  return [`${t.done} · ${finished}`, ...(skipped > 0 ? [t.skippedCount(skipped)] : [])].join(', ')
}

const Nothing = ({ crew }: { crew: Crew }) => {
  const { t, bundle, plan, today } = crew
  const next = bundle?.days.find((d) => d.day > today && d.stops.length > 0)
  if (plan && !plan.crew && !next)
    return (
      <FieldCard>
        <FieldEmpty title={t.noCrewTitle}>{t.noCrewText}</FieldEmpty>
      </FieldCard>
    )
  return (
    <FieldCard>
      <FieldEmpty
        title={t.emptyTitle}
        action={next ? <FieldButton href="/employee-week-view">{t.weekTitle}</FieldButton> : undefined}
      >
        {next ? t.emptyNext(dayLabel(next.day, today, t), t.stopsCount(next.stops.length)) : t.emptyText}
      </FieldEmpty>
    </FieldCard>
  )
}

const DayDone = ({ crew, plan }: { crew: Crew; plan: CrewDayPlan }) => {
  const { t, now } = crew
  const worked = plan.stops.reduce((sum, s) => sum + workedMinutes(s, now), 0)
  return (
    <FieldCard>
      <FieldEmpty
        title={t.doneTitle}
        action={<LoadButton crew={crew} plan={nextWorkDay(crew.bundle?.days ?? [], crew.today)} />}
      >
        {t.doneText(dayTotals(plan.stops).finished, spanOf(worked * 60))}
      </FieldEmpty>
    </FieldCard>
  )
}

/** Today: the next stop, what to do there, and the rest of the day. Works the same with and without a signal. */
export const TodayScreen = ({ dock }: CrewScreenProps) => {
  const crew = useCrew()
  const day = useDay(crew)
  const { t, plan } = crew
  const { stop } = day
  const counted = plan ? countedStops(plan) : []
  const numberOf = (s: CrewStop) => (plan ? stopNumber(plan, s) : null)
  const isOver = (s: CrewStop) => isTerminal(s.status)
  const later = plan?.stops.filter((s) => s.id !== stop?.id && !isOver(s)) ?? []
  const past = plan?.stops.filter(isOver) ?? []

  const header = (
    <CrewHeader crew={crew} title={titleOf(crew, plan, stop)}>
      {plan && counted.length > 0 ? (
        <StripOfDay
          crew={crew}
          plan={plan}
          currentId={stop?.id ?? null}
          numberOf={numberOf}
          onOpen={(s) => day.show('stop', s)}
        />
      ) : null}
    </CrewHeader>
  )
  // What is loaded is loaded before the first stop; later it is a day of its own, in the schedule.
  const isBegun = plan?.stops.some((s) => s.status !== 'scheduled' && s.status !== 'canceled') ?? true
  // At a stop the dog and the gate come first; a week that is over waits below them.
  const working = stop !== null && isUnderWay(stop.status)
  const failed = crew.error !== null
  // A phone that was away for days knows nothing of today: that is not an empty day.
  if (!plan)
    return (
      <FieldScreen header={header} dock={dock(null)}>
        <NotLoaded failed={failed} title={t.failedTitle} t={t} onRetry={crew.retry} />
      </FieldScreen>
    )

  return (
    <FieldScreen header={header} dock={dock(<MainDock crew={crew} day={day} />)}>
      <div className={`c-day${later.length + past.length > 0 && stop ? ' c-day--wide' : ''}`}>
        <div>
          <ForgotClockOut crew={crew} />
          {crew.bundle?.notices?.length ? <NoticeCard crew={crew} /> : null}
          <SuggestionCard crew={crew} day={day} />
          {crew.clock?.mealState ? <MealCard crew={crew} day={day} /> : null}
          {working ? null : <WeekNewsCard crew={crew} />}
          {plan.check ? <TruckCheck crew={crew} check={plan.check} /> : null}
          {isBegun ? null : (
            <div className="c-load-first">
              <LoadButton crew={crew} plan={plan} />
            </div>
          )}
          {plan && !plan.published && plan.stops.length > 0 && !past.length ? (
            <div style={{ padding: '2px 16px 0' }}>
              <Alert tone="wait">{t.mayChange}</Alert>
            </div>
          ) : null}
          {stop ? (
            <NextStop
              key={stop.id}
              crew={crew}
              stop={stop}
              onSkip={() => day.show('skip', stop)}
              onNote={() => day.show('note', stop)}
              onWay={() => day.act('en_route', stop)}
              onPhotos={(kind, files) => void day.photos(stop, kind, files)}
              onCheck={(item, done) => day.act('check', stop, { item, done })}
              onItemPhoto={(item, files) => void day.photos(stop, 'after', files, item)}
              onCollect={() => day.show('collect', stop)}
              onTreat={() => day.show('treat', stop)}
            />
          ) : plan && past.length > 0 ? (
            <DayDone crew={crew} plan={plan} />
          ) : (
            <Nothing crew={crew} />
          )}
          {working ? <WeekNewsCard crew={crew} /> : null}
        </div>
        <div>
          {later.length > 0 ? (
            <section className="c-more">
              <div className="c-more__head">
                <h2>{t.later}</h2>
                <LinkTo href="/route-map">
                  <IconMap2 size={20} aria-hidden="true" />
                  {t.seeRoute}
                </LinkTo>
              </div>
              <StopList crew={crew} stops={later} numberOf={numberOf} onOpen={(s) => day.show('stop', s)} />
            </section>
          ) : null}
          {past.length > 0 ? (
            <details className="c-past" open={!stop}>
              <summary>{pastLabel(t, past)}</summary>
              <StopList crew={crew} stops={past} numberOf={numberOf} onOpen={(s) => day.show('stop', s)} />
            </details>
          ) : null}
        </div>
      </div>
      <UndoBar crew={crew} done={day.undo} onGone={day.onUndoGone} />
      <StopSheet
        crew={crew}
        stop={day.sheet('stop')}
        onClose={day.close}
        onChoose={day.choose}
        onUnskip={(s) => {
          day.close()
          day.act('undo_skip', s)
        }}
        onNote={(s) => day.show('note', s)}
        onCollect={(s) => day.show('collect', s)}
        onTreat={(s) => day.show('treat', s)}
      />
      {crew.bundle?.doors ? <CollectSheet crew={crew} stop={day.sheet('collect')} onClose={day.close} /> : null}
      {crew.bundle?.chemicals ? <TreatSheet crew={crew} stop={day.sheet('treat')} onClose={day.close} /> : null}
      <SkipSheet
        crew={crew}
        stop={day.sheet('skip')}
        onClose={day.close}
        onSkip={(...skip) => void day.skip(...skip)}
        onPhotos={(stop, files) => void day.photos(stop, 'other', files)}
      />
      <NotesSheet
        crew={crew}
        stop={day.sheet('note')}
        onClose={day.close}
        onSave={(s, payload) => {
          day.close()
          day.act('note', s, payload)
        }}
      />
      <FinishSheet
        crew={crew}
        stop={day.sheet('finish')}
        onClose={day.close}
        onFinish={(s, without, noRecord) => void day.finish(s, without, noRecord)}
        onPhotos={(s, files, item) => void day.photos(s, 'after', files, item)}
        onTreat={(s) => day.show('treat', s)}
      />
    </FieldScreen>
  )
}
