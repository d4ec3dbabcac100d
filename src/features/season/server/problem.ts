import { newId } from '../../../platform/ids.ts'
import type { Point } from '../../../solver/matrix.ts'
import { createRandom } from '../../../solver/random.ts'
import type { SeasonCrew, SeasonProblem, SeasonProperty, SeasonSlot } from '../../../solver/season-problem.ts'
import { onSiteMinutes } from '../../visits/rules.ts'
import type { WhatIf } from '../contract.ts'
import { mayDo } from '../rules.ts'
import type { SeasonState, StateCrew, StateJob } from './state.ts'

/** The state as the engine sees it. */

/** A lawn that is not there yet. */
export type NewLawn = { id: string; lat: number; lng: number; minutes: number; everyWeeks: number }

export type Posed = {
  problem: Omit<SeasonProblem, 'matrix'>
  percents: Record<string, number>
  /** Where each slot of a job stands today, by the property's id. */
  today: [id: string, slot: SeasonSlot][]
}

export const slotId = (jobId: string, at: number): string => (at === 0 ? jobId : `${jobId}#${at}`)

/** Whose slot it is. */
export const jobOfSlot = (id: string): string => id.split('#')[0] ?? id

/** Depots first, then lawns; the same for every problem of one search. */
export const placesOf = (
  crews: readonly Pick<StateCrew, 'lat' | 'lng'>[],
  jobs: readonly Pick<StateJob, 'lat' | 'lng'>[],
  lawns: readonly NewLawn[],
): Point[] => [...crews, ...jobs, ...lawns].map(({ lat, lng }) => ({ lat, lng }))

export type Posing = {
  lawns?: readonly NewLawn[] /** No crew works beyond its days, whatever stands there now. */
  onlyDays?: boolean
}

const crewOf = (
  crew: StateCrew,
  location: number,
  { jobs, mileCents, onlyDays }: { jobs: readonly StateJob[]; mileCents: number; onlyDays: boolean },
): SeasonCrew => {
  const own = new Set(
    jobs.filter((job) => job.crewId === crew.id).flatMap((job) => job.slots.map((slot) => slot.weekday)),
  )
  const closed = onlyDays ? [] : [...own].filter((day) => !crew.days.includes(day))
  return {
    id: crew.id,
    days: [...crew.days, ...closed],
    ...(closed.length > 0 ? { closedDays: closed } : {}),
    startLocation: location,
    endLocation: location,
    shiftSeconds: 0,
    shiftSecondsByDay: {
      ...crew.shiftSeconds,
      ...Object.fromEntries(closed.map((day) => [day, 0])),
    },
    skills: [...crew.skills],
    crewSize: 1,
    wageCentsPerHour: crew.centsPerHour,
    centsPerMile: mileCents,
  }
}

const byCrew = (minutes: number, crews: readonly StateCrew[]): Record<string, number> =>
  Object.fromEntries(crews.map((crew) => [crew.id, onSiteMinutes(minutes, crew.people) * 60]))

/** Short seasons are counted to the month: each other length is a time of the year of its own that is driven through. */
const toMonths = (weeks: number): number => Math.max(2, 4 * Math.round(weeks / 4))

const propertiesOf = (job: StateJob, location: number, crews: readonly StateCrew[]): SeasonProperty[] => {
  const able = mayDo(job.services ?? [], crews)
  return job.slots.map((slot, at) => {
    const stays = job.fixed !== null
    const keep = stays
      ? { day: true, week: true, crew: true }
      : { ...(job.keepDay ? { day: true, week: true } : {}), ...(job.keepsWeek ? { week: true } : {}) }
    return {
      id: slotId(job.jobId, at),
      location,
      serviceSeconds: slot.minutes * 60,
      serviceSecondsByCrew: byCrew(slot.minutes, crews),
      ...(slot.minutesByWeek
        ? {
            serviceByWeek: slot.minutesByWeek.map((minutes) => ({
              seconds: minutes * 60,
              byCrew: byCrew(minutes, crews),
            })),
          }
        : {}),
      ...(slot.weeksAYear === undefined ? {} : { weeks: toMonths(slot.weeksAYear) }),
      everyWeeks: slot.everyWeeks,
      today: { crewId: job.crewId, day: slot.weekday, week: slot.week },
      keep,
      ...(stays ? {} : { skills: [...job.skills] }),
      ...(able.length === crews.length ? {} : { crews: able.map((crew) => crew.id) }),
    }
  })
}

/** The problem of a season; places as `placesOf` lays them out. */
export const pose = (
  { jobs, crews, weeks, mileCents }: Pick<SeasonState, 'jobs' | 'crews' | 'weeks' | 'mileCents'>,
  { lawns = [], onlyDays = false }: Posing = {},
): Posed => {
  const properties = jobs.flatMap((job, n) => propertiesOf(job, crews.length + n, crews))
  return {
    problem: {
      properties: [
        ...properties,
        ...lawns.map((lawn, n) => ({
          id: lawn.id,
          location: crews.length + jobs.length + n,
          serviceSeconds: lawn.minutes * 60,
          serviceSecondsByCrew: byCrew(lawn.minutes, crews),
          everyWeeks: lawn.everyWeeks,
        })),
      ],
      crews: crews.map((crew, n) => crewOf(crew, n, { jobs, mileCents, onlyDays })),
      weeks,
    },
    percents: Object.fromEntries(crews.map((crew) => [crew.id, crew.driveFactorPercent])),
    today: properties.map((property) => [property.id, property.today as SeasonSlot]),
  }
}

const milesPerDegree = 69
const golden = Math.PI * (3 - Math.sqrt(5))

/** Lawns spread over a circle, the same for the same wish. */
export const newLawns = (wish: Extract<WhatIf, { kind: 'lawns' }>): NewLawn[] => {
  const random = createRandom(wish.count)
  const wide = milesPerDegree * Math.max(0.1, Math.cos((wish.place.lat * Math.PI) / 180))
  return Array.from({ length: wish.count }, (_, n) => {
    const far = wish.radiusMiles * Math.sqrt((n + 0.3 + random.next() * 0.4) / wish.count)
    const angle = n * golden
    return {
      id: `new ${n + 1}`,
      lat: wish.place.lat + (far * Math.sin(angle)) / milesPerDegree,
      lng: wish.place.lng + (far * Math.cos(angle)) / wide,
      minutes: wish.minutes,
      everyWeeks: wish.everyWeeks,
    }
  })
}

/** The same hours of a week on other days. */
const onDays = (crew: StateCrew, days: readonly number[]): StateCrew => {
  const week = crew.days.reduce((sum, day) => sum + (crew.shiftSeconds[day] ?? 0), 0)
  return {
    ...crew,
    days: [...days],
    shiftSeconds: Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((day) => [day, Math.round(week / days.length)])),
  }
}

export type Changed = { state: SeasonState; lawns: NewLawn[]; onlyDays: boolean }

/** The work as a what-if has it. @returns null where it names a crew that is not there */
export const changed = (state: SeasonState, wish: WhatIf): Changed | null => {
  switch (wish.kind) {
    case 'crew': {
      const like = state.crews.find((crew) => crew.id === wish.likeCrewId)
      if (!like) return null
      const more = { ...like, id: newId(), name: 'The new crew', ...(wish.place ?? {}) }
      return { state: { ...state, crews: [...state.crews, more] }, lawns: [], onlyDays: false }
    }
    case 'depot':
      if (wish.crewId !== null && !state.crews.some((crew) => crew.id === wish.crewId)) return null
      return {
        state: {
          ...state,
          crews: state.crews.map((crew) =>
            wish.crewId === null || wish.crewId === crew.id ? { ...crew, ...wish.place } : crew,
          ),
        },
        lawns: [],
        onlyDays: false,
      }
    case 'lawns':
      return { state, lawns: newLawns(wish), onlyDays: false }
    case 'days':
      // What stands on another day has to find a place on these, or is in the way.
      return {
        state: { ...state, crews: state.crews.map((crew) => onDays(crew, wish.days)) },
        lawns: [],
        onlyDays: true,
      }
  }
}
