import { dayOf } from '../../../../shared/dates.ts'
import { Alert } from '../../../../ui/field/Alert.tsx'
import type { CrewStop } from '../../contract.ts'
import type { Crew } from '../data.ts'
import { shortDay, timeOf } from '../labels.ts'
import { treatTexts } from './treatTexts.ts'

/** Until when nobody goes on a treated lawn: with the dangers, above everything that could be done. */
export const KeepOff = ({ crew, stop }: { crew: Crew; stop: CrewStop }) => {
  const until = stop.treatment?.keepOffUntil ?? null
  if (until === null || Date.parse(until) <= crew.now) return null
  const day = dayOf(until, crew.timeZone)
  const when = [timeOf(until, crew.timeZone), day === crew.today ? '' : shortDay(day, crew.t)]
    .filter(Boolean)
    .join(', ')
  return <Alert>{treatTexts[crew.language].keepOff(when)}</Alert>
}
