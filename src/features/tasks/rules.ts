import type { Refusal } from '../../shared/can.ts'
import { addDays, type Day, weekdayOf } from '../../shared/dates.ts'

export const callDirections = ['out', 'in'] as const
export type CallDirection = (typeof callDirections)[number]

export const callOutcomes = ['talked', 'voicemail', 'no_answer'] as const
export type CallOutcome = (typeof callOutcomes)[number]

export const callOutcomeLabels: Record<CallOutcome, string> = {
  talked: 'Talked',
  voicemail: 'Left a voicemail',
  no_answer: 'No answer',
}

/** "Called, left a voicemail", "They called". */
export const callTitle = (direction: CallDirection, outcome: CallOutcome): string =>
  direction === 'in'
    ? { talked: 'They called', voicemail: 'They left a voicemail', no_answer: 'Missed call' }[outcome]
    : { talked: 'Called', voicemail: 'Called, left a voicemail', no_answer: 'Called, no answer' }[outcome]

export const taskActions = ['update', 'finish', 'reopen', 'remove'] as const
export type TaskAction = (typeof taskActions)[number]
export type TaskFacts = { title: string; doneAt: string | null }

/** Why the state of a task refuses an action. */
export const taskRefusals: Record<TaskAction, Refusal<TaskFacts>> = {
  update: ({ title, doneAt }) =>
    doneAt ? `“${title}” is done already. Open it again to change it. Nothing was changed.` : null,
  finish: ({ title, doneAt }) => (doneAt ? `“${title}” is done already. Nothing was changed.` : null),
  reopen: ({ title, doneAt }) => (doneAt ? null : `“${title}” is open. Nothing was changed.`),
  remove: () => null,
}

/** Days on which somebody usually calls back; a Saturday or Sunday becomes the Monday after. */
export const followUpDays = (today: Day): { label: string; day: Day }[] => {
  const onWeekday = (day: Day): Day => addDays(day, { 6: 2, 0: 1 }[weekdayOf(day)] ?? 0)
  return [
    { label: 'Tomorrow', day: addDays(today, 1) },
    { label: 'In 3 days', day: onWeekday(addDays(today, 3)) },
    { label: 'Next week', day: onWeekday(addDays(today, 7)) },
  ]
}

/** What a follow-up is called where nobody typed anything else. */
export const followUpTitle = (customerName: string): string => `Call ${customerName} back`.slice(0, 200)
