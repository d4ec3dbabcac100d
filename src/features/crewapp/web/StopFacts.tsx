import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { dayOf } from '../../../shared/dates.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldFacts } from '../../../ui/field/FieldFacts.tsx'
import type { CrewStop } from '../contract.ts'
import { canDo } from '../rules.ts'
import { type Crew, revealGateCode } from './data.ts'
import { knownGateCode } from './gate/shown.ts'
import { dayLabel, plannedMinutes, shortDay, timeOf, windowLabel } from './labels.ts'
import { failureOf } from './lane.ts'
import './crewapp.css'

const GateCode = ({ crew, stop }: { crew: Crew; stop: CrewStop }) => {
  const { t, outbox } = crew
  const [shown, setShown] = useState(() => knownGateCode(outbox.userId, stop.id, crew.today))
  const [problem, setProblem] = useState<string | null>(null)
  if (shown !== null)
    return (
      <>
        <span className="c-code">{t.gateCode(shown.code)}</span>
        {shown.seenAt ? <span>{t.gateSeenAt(timeOf(shown.seenAt, crew.timeZone))}</span> : null}
      </>
    )
  const show = async () => {
    try {
      setShown(await revealGateCode(crew, stop))
    } catch (error) {
      setProblem(
        !(error instanceof ApiError)
          ? t.notSaved
          : failureOf(error) === 'later'
            ? t.gateNoSignal
            : error.status === 403
              ? t.gateOtherDay
              : t.gateGone,
      )
    }
  }
  return (
    <>
      <button type="button" onClick={() => void show()}>
        {t.gateTap}
      </button>
      {problem ? <span role="status">{problem}</span> : null}
    </>
  )
}

/** Until when nobody goes on a lawn that was treated, in the person's language; null where everybody may. */
export const keptOffUntil = (crew: Pick<Crew, 'now' | 'timeZone' | 'today' | 't'>, stop: CrewStop): string | null => {
  const until = stop.treatment?.keepOffUntil
  if (!until || Date.parse(until) <= crew.now) return null
  const day = dayOf(until, crew.timeZone)
  return [timeOf(until, crew.timeZone), day === crew.today ? '' : shortDay(day, crew.t)].filter(Boolean).join(', ')
}

/** A treated lawn, dog, gate and places to keep out of: in red, above everything that could be done. */
export const StopDangers = ({ crew, stop, today = true }: { crew: Crew; stop: CrewStop; today?: boolean }) => {
  const { dog, noGo } = stop.notes
  const gate = stop.hasGateCode && today
  const moved = stop.movedTo ? crew.t.movedTo(dayLabel(stop.movedTo, dayOf(crew.now, crew.timeZone), crew.t)) : null
  const withOther = stop.withOther && !moved ? crew.t.withOther : null
  const keepOff = keptOffUntil(crew, stop)
  if (!dog && !noGo && !gate && !moved && !withOther && !keepOff) return null
  return (
    <Alert>
      <span className="c-alert-lines">
        {keepOff ? <b>{crew.t.keepOff(keepOff)}</b> : null}
        {moved ? <span>{moved}</span> : null}
        {withOther ? <span>{withOther}</span> : null}
        {dog ? <span>{dog}</span> : null}
        {noGo ? <span>{crew.t.noGo(noGo)}</span> : null}
        {gate ? <GateCode key={`${stop.id} ${crew.today}`} crew={crew} stop={stop} /> : null}
      </span>
    </Alert>
  )
}

/** What the office says of this visit alone: after what can bite, before what holds every time. */
export const ThisTime = ({ crew, stop }: { crew: Crew; stop: CrewStop }) =>
  stop.officeNote ? (
    <Alert tone="wait">
      <span className="c-alert-lines">
        <b>{crew.t.thisTime}</b>
        <span>{stop.officeNote}</span>
      </span>
    </Alert>
  ) : null

/** What to know at a stop, as far as anybody has said it. */
export const StopFacts = ({ crew, stop }: { crew: Crew; stop: CrewStop }) => {
  const { t } = crew
  const { mowHeightInches, clippings, parking, property } = stop.notes
  const minutes = plannedMinutes(stop)
  const here = crew.state.photos.filter((photo) => photo.visitId === stop.id).length
  return (
    <FieldFacts
      items={[
        { label: t.window, value: windowLabel(stop, t) },
        mowHeightInches !== null && {
          label: t.mowHeight,
          value: `${t.inches(mowHeightInches)}, ${t.clippings[clippings]}`,
        },
        minutes > 0 && { label: t.budget, value: t.budgetFor(minutes, stop.people) },
        { label: t.park, value: parking },
        stop.checklist.length > 0 && { label: t.checklist, value: t.checklistItems(stop.checklist.length) },
        { label: t.jobNote, value: stop.instructions },
        { label: t.lawnNote, value: [property, stop.note].filter(Boolean).join(' · ') },
        // of an open stop from the beginning, so that nothing below moves with the first one
        (canDo('finish', stop) || stop.photos.before + stop.photos.after > 0) && {
          label: t.photos,
          value: [t.photosTaken(stop.photos.before, stop.photos.after), here > 0 ? t.photosHere(here) : '']
            .filter(Boolean)
            .join(' · '),
        },
      ]}
    />
  )
}
