import { useState } from 'react'
import { paths } from '../../../shared/paths.ts'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { FieldScreen } from '../../../ui/field/FieldScreen.tsx'
import { MainAction } from '../../../ui/field/MainAction.tsx'
import { dropSecondTap } from '../../../ui/field/secondTap.ts'
import { toast } from '../../../ui/toast.tsx'
import type { Clock } from '../../timeclock/contract.ts'
import { fullMinuteSeconds } from '../../timeclock/rules.ts'
import { longestDaySeconds, runningText } from '../figures/rules.ts'
import type { CommandPayload, CommandType } from '../rules.ts'
import { ClockOutSheet } from './ClockOutSheet.tsx'
import { CrewHeader } from './CrewHeader.tsx'
import { type Crew, useCrew } from './data.ts'
import { ForgotClockOut } from './ForgotClockOut.tsx'
import { spanOf, timeOf } from './labels.ts'
import { NotLoaded } from './NotLoaded.tsx'
import { sheetTexts } from './sheetTexts.ts'
import type { CrewScreenProps } from './TodayScreen.tsx'
import './crewapp.css'
import './sheets.css'

type Press = (type: CommandType, payload?: CommandPayload) => void

const places = ['work', 'shop', 'rain'] as const

/** What is done for the whole crew, and what sort of work the clock counts now. */
const More = ({ crew, clock, press }: { crew: Crew; clock: Clock; press: Press }) => {
  const { t, plan } = crew
  const [leaving, setLeaving] = useState(false)
  const words = sheetTexts[crew.language]
  const names = plan?.crew?.clocksCrew ? plan.crew.members : []
  const kind = clock.entries.find((entry) => entry.endedAt === null)?.kind
  return (
    <div style={{ padding: '0 16px' }} className="c-stack">
      {clock.state === 'working' ? (
        <>
          <fieldset className="c-segment">
            <legend>{words.now}</legend>
            {places.map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name="work-kind"
                  value={one}
                  checked={one === kind}
                  onChange={() => press('switch', { kind: one })}
                />
                {words.kinds[one]}
              </label>
            ))}
          </fieldset>
          <FieldButton onClickCapture={dropSecondTap} onClick={() => press('break_start')}>
            {t.startBreak}
          </FieldButton>
        </>
      ) : null}
      {names.length > 1 && clock.state !== 'break' ? (
        <div>
          <FieldButton
            onClickCapture={dropSecondTap}
            onClick={() => (clock.state === 'off' ? press('clock_in', { crew: true }) : setLeaving(true))}
          >
            {clock.state === 'off' ? words.wholeCrew(names.join(', ')) : words.wholeCrewOut(names.join(', '))}
          </FieldButton>
          <p className="hint">{words.crewSaid}</p>
          <ClockOutSheet
            crew={crew}
            open={leaving}
            onClose={() => setLeaving(false)}
            whole={words.wholeCrewOut(names.join(', '))}
          />
        </div>
      ) : null}
      <FieldButton href={paths.employeeTimesheets}>{words.title}</FieldButton>
    </div>
  )
}

const Now = ({ crew, clock }: { crew: Crew; clock: Clock }) => {
  const { t, now, timeZone, today } = crew
  const sums = clock.week.days.find((d) => d.day === today)
  const kind = clock.entries.find((entry) => entry.endedAt === null)?.kind
  const isElsewhere = clock.state === 'working' && (kind === 'rain' || kind === 'shop')
  const label = isElsewhere
    ? sheetTexts[crew.language].kinds[kind]
    : { off: t.notWorking, working: t.working, break: t.breakTime }[clock.state]
  const big = clock.state === 'break' ? fullMinuteSeconds(now, Date.parse(clock.since ?? '')) : (sums?.workSeconds ?? 0)
  return (
    <FieldCard>
      <div className="c-clock">
        <div className={`c-clock__state${clock.state === 'working' ? ' is-on' : ''}`}>{label}</div>
        <div className="c-clock__time">{runningText(big)}</div>
        {clock.since ? (
          <div className="c-clock__since">
            {(clock.state === 'working' ? t.dayThenSince : t.sinceTime)(timeOf(clock.since, timeZone))}
          </div>
        ) : null}
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
              <b>{sheetTexts[crew.language].kinds[entry.kind]}</b>
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
  const most = longestDaySeconds(clock.week.days)
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
        <NotLoaded failed={crew.clockError !== null} title={t.failedClock} t={t} onRetry={crew.retry} />
      </FieldScreen>
    )
  const press: Press = (type, payload = {}) =>
    void crew.act(type, undefined, payload).catch(() => toast.error(t.notSaved))
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
        <More crew={crew} clock={clock} press={press} />
        <Today crew={crew} clock={clock} />
        <Week crew={crew} clock={clock} />
      </div>
      <ClockOutSheet crew={crew} open={leaving} onClose={() => setLeaving(false)} />
    </FieldScreen>
  )
}
