import { type Change, crewTopics, type Live } from '../../../shared/topics.ts'
import type { CrewBundle } from '../contract.ts'

/**
 * Whether a change can be seen in the days on this phone: of visits and routes only those of the own crew on these days. What says neither crew
 * nor day, and a day without a crew yet, can.
 */
export const isOfCrew = (bundle: CrewBundle | null, { days, crewIds }: Change): boolean => {
  if (!bundle) return true
  return bundle.days.some(
    ({ day, crew }) =>
      (days.length === 0 || days.includes(day)) && (crewIds.length === 0 || !crew || crewIds.includes(crew.id)),
  )
}

/** What moves days of a crew on this phone. Its own taps have long been in what it shows, with their answers. */
export const crewLive = (bundleOf: (data: unknown) => CrewBundle | null): Live => ({
  topics: crewTopics,
  shows: (change, data, own) => !own && isOfCrew(bundleOf(data), change),
})

/** What moves a person's own clock: what a leader or the office did with it. */
export const clockLive = (userId: string): Live => ({
  topics: ['timeclock'],
  shows: ({ ids }, _data, own) => !own && (ids.length === 0 || ids.includes(userId)),
})
