import { useState } from 'react'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { MainAction } from '../../../ui/field/MainAction.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import { IconPlayerPause } from '../../../ui/icons.ts'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import type { CrewStop } from '../contract.ts'
import { canDo } from '../rules.ts'
import { ClockOutSheet } from './ClockOutSheet.tsx'
import type { Crew } from './data.ts'
import { keptOffUntil } from './StopFacts.tsx'
import type { DayActions } from './useDay.ts'

const CheckFirst = lazyPart(() => import('./check/TruckCheck.tsx').then((m) => m.CheckFirst))

/** Start, after a question where nobody is to walk on the lawn yet. */
const StartAction = ({ crew, stop, onStart }: { crew: Crew; stop: CrewStop; onStart: () => void }) => {
  const [asking, setAsking] = useState(false)
  const { t } = crew
  const until = keptOffUntil(crew, stop)
  return (
    <>
      <MainAction onClick={() => (until ? setAsking(true) : onStart())}>{t.start}</MainAction>
      <Sheet open={asking} onClose={() => setAsking(false)} title={t.startTreatedTitle} closeLabel={t.close}>
        <p>{until ? t.keepOff(until) : ''}</p>
        <FieldButton
          kind="danger"
          onClick={() => {
            setAsking(false)
            onStart()
          }}
        >
          {t.startTreated}
        </FieldButton>
      </Sheet>
    </>
  )
}

/** Clock in; where the truck is looked at before that, the look at the truck. */
const ClockIn = ({ crew, day }: { crew: Crew; day: DayActions }) => {
  const clockIn = <MainAction onClick={() => day.act('clock_in')}>{crew.t.clockIn}</MainAction>
  const check = crew.plan?.check
  return check?.asks === 'first' ? (
    <CheckFirst crew={crew} check={check}>
      {clockIn}
    </CheckFirst>
  ) : (
    clockIn
  )
}

/** At a stop that the others have begun, off the clock: nobody works unpaid because the only large button says something else. */
const OffTheClock = ({ crew, day, stop }: { crew: Crew; day: DayActions; stop: CrewStop }) => {
  const [asking, setAsking] = useState(false)
  const [asked, setAsked] = useState(false)
  const { t } = crew
  const finish = () => {
    setAsking(false)
    day.askFinish(stop)
  }
  return (
    <>
      <ClockIn crew={crew} day={day} />
      <div className="f-dock__split">
        <FieldButton aria-label={t.pause} onClick={() => day.act('pause', stop)}>
          <IconPlayerPause aria-hidden="true" />
        </FieldButton>
        <FieldButton
          onClick={() => {
            if (asked) return finish()
            setAsked(true)
            setAsking(true)
          }}
        >
          {t.finish}
        </FieldButton>
      </div>
      <Sheet open={asking} onClose={() => setAsking(false)} title={t.finishOffTitle} closeLabel={t.close}>
        <p>{t.finishOffText}</p>
        <FieldButton
          kind="main"
          onClick={() => {
            setAsking(false)
            day.act('clock_in')
          }}
        >
          {t.clockIn}
        </FieldButton>
        <FieldButton onClick={finish}>{t.finishOff}</FieldButton>
      </Sheet>
    </>
  )
}

/** The one thing to do now: clock in, start, finish, go on, clock out. */
export const MainDock = ({ crew, day }: { crew: Crew; day: DayActions }) => {
  const [leaving, setLeaving] = useState(false)
  const { t, clock } = crew
  const { stop } = day
  if (clock?.state === 'break') return <MainAction onClick={() => day.act('break_end')}>{t.endBreak}</MainAction>
  if (stop && canDo('pause', stop))
    return clock?.state === 'off' ? (
      <OffTheClock key={stop.id} crew={crew} day={day} stop={stop} />
    ) : (
      <div className="f-dock__split">
        <FieldButton aria-label={t.pause} onClick={() => day.act('pause', stop)}>
          <IconPlayerPause aria-hidden="true" />
        </FieldButton>
        <MainAction onClick={() => day.askFinish(stop)}>{t.finish}</MainAction>
      </div>
    )
  if (clock?.state === 'off') return !stop && crew.plan?.stops.length ? null : <ClockIn crew={crew} day={day} />
  if (stop?.status === 'paused') return <MainAction onClick={() => day.start(stop)}>{t.resume}</MainAction>
  if (stop) return <StartAction key={stop.id} crew={crew} stop={stop} onStart={() => day.start(stop)} />
  if (!clock) return null
  return (
    <>
      <MainAction tone="stop" onClick={() => setLeaving(true)}>
        {t.clockOut}
      </MainAction>
      <ClockOutSheet crew={crew} open={leaving} onClose={() => setLeaving(false)} />
    </>
  )
}
