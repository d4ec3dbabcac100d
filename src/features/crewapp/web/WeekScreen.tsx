import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/client.ts'
import { addDays } from '../../../shared/dates.ts'
import { DayStrip } from '../../../ui/DayStrip.tsx'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldScreen } from '../../../ui/field/FieldScreen.tsx'
import { type CrewBundle, type CrewDayPlan, type CrewStop, crewappApi } from '../contract.ts'
import { CrewHeader } from './CrewHeader.tsx'
import { crewLive } from './concern.ts'
import { type Crew, useCrew } from './data.ts'
import { countedStops, dayLabel, stripStops } from './labels.ts'
import { LoadButton } from './loadParts.ts'
import { NotLoaded } from './NotLoaded.tsx'
import { StopList } from './StopList.tsx'
import { StopSheet } from './StopSheet.tsx'
import type { CrewScreenProps } from './TodayScreen.tsx'
import './crewapp.css'

/** The days after those on the phone. They are not kept: without a signal there is nothing of them. */
const useLaterDays = (crew: Crew) => {
  const load = (day: string) => ({
    queryKey: ['visits', 'crew-day', crew.outbox.userId, day],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(
        crewappApi.day,
        { query: { day } },
        { signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]), retries: 0 },
      ),
    staleTime: 300_000,
    meta: { live: crewLive((data) => (data as CrewBundle | undefined) ?? null) },
  })
  const first = useQuery(load(addDays(crew.today, 3)))
  const second = useQuery(load(addDays(crew.today, 6)))
  const asked = [first, second]
  return {
    days: [...(first.data?.days ?? []), ...(second.data?.days.slice(0, 1) ?? [])],
    failed: asked.some(({ isError, data }) => isError && !data),
    retry: () => {
      for (const one of asked) if (one.isError) void one.refetch()
    },
  }
}

type PlanProps = { crew: Crew; plan: CrewDayPlan; open: boolean; onOpen: (stop: CrewStop) => void }

const PlanOfDay = ({ crew, plan, open, onOpen }: PlanProps) => {
  const { t, today } = crew
  const stops = countedStops(plan)
  const numberOf = (stop: CrewStop) => stops.findIndex((s) => s.id === stop.id) + 1
  return (
    <details className="c-past" open={open}>
      <summary>
        {dayLabel(plan.day, today, t)} · {stops.length > 0 ? t.stopsCount(stops.length) : t.nothingPlanned}
      </summary>
      {stops.length > 0 ? (
        <>
          <DayStrip
            stops={stripStops(plan)}
            ariaLabel={dayLabel(plan.day, today, t)}
            words={{ ...t.strip, states: t.stateLabel }}
            fitContent
            still
            height={18}
          />
          {plan.published ? null : <p className="hint">{t.notYetSent}</p>}
          <div className="c-week-load">
            <LoadButton crew={crew} plan={plan} />
          </div>
          <div style={{ marginTop: 10 }}>
            <StopList crew={crew} stops={stops} numberOf={numberOf} onOpen={onOpen} />
          </div>
        </>
      ) : null}
    </details>
  )
}

/** The next seven days, a line a stop. */
export const WeekScreen = ({ dock }: CrewScreenProps) => {
  const crew = useCrew()
  const [open, setOpen] = useState<CrewStop | null>(null)
  const { t, bundle, today } = crew
  const later = useLaterDays(crew)
  const days = [...(bundle?.days.filter((d) => d.day >= today) ?? []), ...later.days]
  const unique = [...new Map(days.map((d) => [d.day, d])).values()].sort((a, b) => (a.day < b.day ? -1 : 1))
  // Today has a screen of its own; the next day with work is what one comes here for.
  const next = unique.find((d) => d.day > today && d.stops.length > 0)
  const isToday = crew.plan?.stops.some((s) => s.id === open?.id) ?? false
  return (
    <FieldScreen header={<CrewHeader crew={crew} title={t.weekTitle} />} dock={dock(null)}>
      <div className="c-day">
        {unique.length === 0 ? (
          <NotLoaded
            failed={crew.error !== null}
            title={t.failedWeek}
            t={t}
            onRetry={() => {
              crew.retry()
              later.retry()
            }}
          />
        ) : null}
        {unique.map((plan) => (
          <PlanOfDay key={plan.day} crew={crew} plan={plan} open={plan === next} onOpen={setOpen} />
        ))}
        {unique.length > 0 && later.failed ? (
          <div className="c-stack" style={{ padding: '12px 16px 0' }}>
            <Alert tone="wait">{t.failedLater}</Alert>
            <FieldButton onClick={later.retry}>{t.tryAgain}</FieldButton>
          </div>
        ) : null}
      </div>
      <StopSheet crew={crew} stop={open} onClose={() => setOpen(null)} isToday={isToday} />
    </FieldScreen>
  )
}
