import { type Day, formatDay } from '../../../shared/dates.ts'
import { skipReasonLabel } from '../rules.ts'

/** What happened to a visit, in words. The office's deeds come from the audit log, the crew's from their phones. */

export type Deed = {
  action: string
  fromDay: Day | null
  toDay: Day | null
  fromCrew: string | null
  toCrew: string | null
  /** Why it was done, as it was typed or picked. */
  reason: string | null
  /** What was undone. */
  undone: string | null
  /** Another visit's day that this is about. */
  otherDay: Day | null
}

const place = (day: Day | null, crew: string | null): string =>
  [day ? formatDay(day) : 'no day', crew ?? 'no crew'].join(', ')

const because = (text: string, reason: string | null): string => (reason ? `${text}: ${reason}` : text)

const undone: Record<string, string> = {
  'visit.move': 'the move',
  'visit.cancel': 'the cancellation',
  'visit.finish': 'the finish',
  'visit.skip': 'the skip',
  'visit.reopen': 'the reopening',
  'visit.note': 'the note for the crew',
  'visit.words': 'what the crew said',
  'visit.rebooked': 'the other day',
}

const office: Record<string, (deed: Deed) => string> = {
  'visit.move': (d) => `Moved from ${place(d.fromDay, d.fromCrew)} to ${place(d.toDay, d.toCrew)}`,
  'route.move': (d) =>
    d.fromDay === d.toDay && d.fromCrew === d.toCrew
      ? 'Put at another place of the route'
      : `Moved from ${place(d.fromDay, d.fromCrew)} to ${place(d.toDay, d.toCrew)}`,
  'visit.cancel': (d) => because('Canceled', d.reason === 'schedule' ? null : d.reason),
  'visit.finish': () => 'Finished by the office',
  'visit.skip': (d) => because('Skipped by the office', d.reason && skipReasonLabel(d.reason)),
  'visit.reopen': (d) => because('Reopened', d.reason),
  'visit.note': (d) => (d.reason ? `Note for the crew: ${d.reason}` : 'Took the note for the crew away'),
  'visit.words': (d) => `Changed the note for ${d.reason ?? 'the customer'}`,
  'visit.photo': () => 'Added a photo that the customer sent',
  'visit.rebook': (d) => (d.toDay ? `Booked again for ${formatDay(d.toDay)}` : 'Booked again'),
  'visit.rebooked': (d) => (d.otherDay ? `Booked in place of ${formatDay(d.otherDay)}` : 'Booked in place of another'),
  'visit.settle': () => 'Its billing was settled',
  'visit.crewTimes': () => "The phone's times took the place of the office's",
  'visit.worked': (d) =>
    `Stands where it was worked: ${place(d.toDay, d.toCrew)} instead of ${place(d.fromDay, d.fromCrew)}`,
  'visit.extra.add': (d) => because('Put on the visit', d.reason),
  'visit.extra.reprice': (d) => because('Changed the price', d.reason),
  'visit.extra.decline': (d) => because('Declined', d.reason),
  'visit.extra.book': (d) => because('Made a job of its own', d.reason),
  'visit.undo': (d) => `Took back ${undone[d.undone ?? ''] ?? 'the last change'}`,
}

const crew: Record<string, string> = {
  en_route: 'On the way',
  start: 'Started',
  pause: 'Paused',
  resume: 'Went on',
  finish: 'Finished',
  skip: 'Skipped',
  undo_skip: 'Took the skip back',
  note: 'Left a note',
  treat: 'Wrote an application down',
  overgrown: 'Found the lawn overgrown',
  drop_extra: 'Took an extra back',
  mark: 'Drew on a photo',
  collect: 'Took money at the door',
}

/** One deed of the office as a line; what is not known by name is a change. */
export const deedLabel = (deed: Deed): string => office[deed.action]?.(deed) ?? 'Changed'

/** One tap of a crew's phone as a line. */
export const tapLabel = (type: string, reason: string | null): string =>
  type === 'sell'
    ? `Sold ${reason ?? 'further work'} at the door`
    : because(crew[type] ?? 'Changed', type === 'skip' && reason ? skipReasonLabel(reason) : null)
