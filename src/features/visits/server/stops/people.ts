import { type Presence, peopleDuring } from '../../../employees/staffing/rules.ts'
import type { VisitStatus } from '../../rules.ts'

/**
 * How many people a stop is shared by: those who worked it once it is finished, whoever joined or left the crew since; before that those who are there
 * then, on average where somebody comes or goes meanwhile.
 * @param there the crew's stretches of the day; none on a day on which nobody is off for a part
 * @param members of the crew on that day
 */
export const peopleAtStop = (
  stop: { status: VisitStatus; people: number | null; startMinute: number | null; budgetMinutes: number },
  there: readonly Presence[],
  members: number,
): number =>
  stop.status === 'completed' && stop.people
    ? stop.people
    : peopleDuring(there, members, stop.startMinute, stop.budgetMinutes)
