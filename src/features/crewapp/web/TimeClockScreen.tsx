import { useState } from 'react'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { FieldScreen } from '../../../ui/field/FieldScreen.tsx'
import { MainAction } from '../../../ui/field/MainAction.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { Clock } from '../../timeclock/contract.ts'
import { fullMinuteSeconds } from '../../timeclock/rules.ts'
import type { CommandType } from '../rules.ts'
import { ClockOutSheet } from './ClockOutSheet.tsx'
import { CrewHeader } from './CrewHeader.tsx'
import { type Crew, useCrew } from './data.ts'
import { ForgotClockOut } from './ForgotClockOut.tsx'
import { spanOf, timeOf } from './labels.ts'
import { NotLoaded } from './NotLoaded.tsx'
import type { CrewScreenProps } from './TodayScreen.tsx'
import './crewapp.css'

const hours = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

const Now = ({ crew, clock }: { crew: Crew; clock: Clock }) => {
  const { t, now, timeZone, today } = crew
  const sums = clock.week.days.find((d) => d.day === today)
  const label = { off: t.notWorking, working: t.working, break: t.breakTime }[clock.state]
  const big = clock.state === 'break' ? (now - Date.parse(clock.since ?? '')) / 1000 : (sums?.workSeconds ?? 0)
  return (
    <FieldCard>
      <div className="c-clock">
        <div className={`c-clock__state${clock.state === 'working' ? ' is-on' : ''}`}>{label}</div>
        <div className="c-clock__time">{hours(big)}</div>
        {clock.since ? <div className="c-clock__since">{t.sinceTime(timeOf(clock.since, timeZone))}</div> : null}
      </div>
    </FieldCard>
  )
}

const Today = ({ crew, clock }: { crew: Crew; clock: Clock }) => {
  const { t, timeZone, now } = crew
  return (
    <FieldCard>
      <h2>{t.today}</h2>
      {clock.entries.length === 0 ? (
        <p className="muted">{t.noEntries}</p>
      ) : (
        <ul className="c-items">
          {clock.entries.map((entry) => (
            <li key={entry.id}>
              <b>{entry.kind === 'work' ? t.work : t.breakWord}</b>
              <span className="num">
                {spanOf(
                  fullMinuteSeconds(entry.endedAt ? Date.parse(entry.endedAt) : now, Date.parse(entry.startedAt)),
                )}
              </span>
              <span className="muted">
                {timeOf(entry.startedAt, timeZone)} – {entry.endedAt ? timeOf(entry.endedAt, timeZone) : t.now}
              </span>
              {entry.flagged ? <span className="c-ago">{t.flagged[entry.flagged] ?? entry.flagged}</span> : null}
            </li>
          ))}
        </ul>
      )}
      <p className="hint">{t.breaksPaid}</p>
    </FieldCard>
  )
}

const Week = ({ crew, clock }: { crew: Crew; clock: Clock }) => {
  const { t, today } = crew
  const most = Math.max(8 * 3600, ...clock.week.days.map((d) => d.paidSeconds))
  const weekday = (day: string) =>
    new Intl.DateTimeFormat(t.locale, { timeZone: 'UTC', weekday: 'short' }).format(new Date(`${day}T12:00:00Z`))
  return (
    <FieldCard>
      <div className="c-head-row">
        <h2>{t.week}</h2>
        <b className="num">{spanOf(clock.week.paidSeconds)}</b>
      </div>
      <ul className="c-week" aria-label={t.weekTotal}>
        {clock.week.days.map((d) => (
          <li key={d.day} className={d.day === today ? 'is-today' : undefined}>
            <span>{weekday(d.day)}</span>
            <i aria-hidden="true">
              <i style={{ width: `${(d.paidSeconds / most) * 100}%` }} />
            </i>
            <span>{d.paidSeconds > 0 ? spanOf(d.paidSeconds) : '–'}</span>
          </li>
        ))}
      </ul>
    </FieldCard>
  )
}

/** In, out and breaks, with what today and the week come to. */
export const TimeClockScreen = ({ dock }: CrewScreenProps) => {
  const crew = useCrew()
  const [leaving, setLeaving] = useState(false)
  const { t, clock } = crew
  const header = <CrewHeader crew={crew} title={t.timeClock} />
  if (!clock)
    return (
      <FieldScreen header={header} dock={dock(null)}>
        <NotLoaded failed={crew.state.ready && !crew.sync.online} title={t.failedClock} t={t} onRetry={crew.retry} />
      </FieldScreen>
    )
  const press = (type: CommandType) => void crew.act(type).catch(() => toast.error(t.notSaved))
  const action =
    clock.state === 'off' ? (
      <MainAction onClick={() => press('clock_in')}>{t.clockIn}</MainAction>
    ) : clock.state === 'break' ? (
      <MainAction onClick={() => press('break_end')}>{t.endBreak}</MainAction>
    ) : (
      <MainAction tone="stop" onClick={() => setLeaving(true)}>
        {t.clockOut}
      </MainAction>
    )
  return (
    <FieldScreen header={header} dock={dock(action)}>
      <div className="c-day">
        <ForgotClockOut crew={crew} />
        <Now crew={crew} clock={clock} />
        {clock.state === 'working' ? (
          <div style={{ padding: '0 16px' }}>
            <FieldButton onClick={() => press('break_start')}>{t.startBreak}</FieldButton>
          </div>
        ) : null}
        <Today crew={crew} clock={clock} />
        <Week crew={crew} clock={clock} />
      </div>
      <ClockOutSheet crew={crew} open={leaving} onClose={() => setLeaving(false)} />
    </FieldScreen>
  )
}
