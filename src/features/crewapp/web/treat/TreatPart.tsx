import { dayOf } from '../../../../shared/dates.ts'
import { Alert } from '../../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import type { CrewStop } from '../../contract.ts'
import type { Crew } from '../data.ts'
import { shortDay, timeOf } from '../labels.ts'
import { treatTexts } from './treatTexts.ts'

/** At a stop: until when nobody goes on the lawn, and the way to the record of a treatment. */
export const TreatPart = ({
  crew,
  stop,
  onTreat,
  first,
}: {
  crew: Crew
  stop: CrewStop
  onTreat?: ((stop: CrewStop) => void) | undefined
  /** Before the stop can be finished. */
  first?: boolean
}) => {
  const words = treatTexts[crew.language]
  const { treatment } = stop
  if (!treatment) return null
  const { keepOffUntil, treats, records } = treatment
  const closed = keepOffUntil !== null && Date.parse(keepOffUntil) > crew.now
  const day = keepOffUntil ? dayOf(keepOffUntil, crew.timeZone) : ''
  return (
    <>
      {closed && keepOffUntil && !first ? (
        <Alert tone="wait">
          {words.keepOff(
            [timeOf(keepOffUntil, crew.timeZone), day === crew.today ? '' : shortDay(day, crew.t)]
              .filter(Boolean)
              .join(', '),
          )}
        </Alert>
      ) : null}
      {first ? <p>{crew.bundle?.chemicals ? words.first : words.noMixes}</p> : null}
      {treats && onTreat && crew.bundle?.chemicals ? (
        <FieldButton kind={first ? 'main' : 'plain'} onClick={() => onTreat(stop)}>
          {records > 0 && !first ? words.another(records) : words.record}
        </FieldButton>
      ) : null}
    </>
  )
}
