import { FieldButton } from '../../../../ui/field/FieldButton.tsx'
import type { CrewStop } from '../../contract.ts'
import type { Crew } from '../data.ts'
import { treatTexts } from './treatTexts.ts'

/** At a stop: the way to the record of a treatment. Until when nobody goes on the lawn stands with what can bite (`StopDangers`). */
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
  const { treats, records } = treatment
  return (
    <>
      {first ? <p>{crew.bundle?.chemicals ? words.first : words.noMixes}</p> : null}
      {treats && onTreat && crew.bundle?.chemicals ? (
        <FieldButton kind={first ? 'main' : 'plain'} onClick={() => onTreat(stop)}>
          {records > 0 && !first ? words.another(records) : words.record}
        </FieldButton>
      ) : null}
    </>
  )
}
