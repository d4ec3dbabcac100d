import { subscriber } from '../../../platform/events/events.ts'
import { retimeDays } from './commands.ts'
import { recallStrayed } from './rain/strayed.ts'

/** Other people take other times: who comes to a crew or leaves it changes when its stops begin. */
export const onCrewStaffed = subscriber({
  name: 'routes.onCrewStaffed',
  on: 'crew.staffed',
  run: (actor, { from, to, crewIds }) => retimeDays(actor, { from, to, crewIds }),
})

/** So does time off, of a part of a day too. */
export const onTimeChanged = subscriber({
  name: 'routes.onTimeChanged',
  on: 'calendar.timeChanged',
  run: (actor, { from, to }) => retimeDays(actor, { from, to }),
})

/** A visit that leaves the day of which a rain push was to tell makes that message wrong before it left. */
export const onRainStrayed = subscriber({
  name: 'routes.onRainStrayed',
  on: 'visits.strayed',
  run: (actor, { customerIds }) => recallStrayed(actor, customerIds),
})
