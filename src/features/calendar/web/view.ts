import { addDays, addMonths, type Day, formatDay, monthNames, startOfWeek } from '../../../shared/dates.ts'
import { peopleDuring } from '../../employees/staffing/rules.ts'
import type { CalendarRange, CalendarVisit, CrewDay } from '../contract.ts'
import { loadPercent, loadTone } from '../rules.ts'

/** What the calendar shows of what it knows; pure, so that a drop is drawn before the server has answered. */

export const views = ['day', 'week', 'month', 'list', 'map'] as const
export type View = (typeof views)[number]
export const isView = (text: string | null): text is View => views.some((view) => view === text)

export const noCrew = 'none'
export const crewKey = (crewId: string | null): string => crewId ?? noCrew

/** The days that a view shows around a day. */
export const spanOf = (view: View, day: Day): { from: Day; to: Day } =>
  view === 'day' || view === 'map'
    ? { from: day, to: day }
    : { from: startOfWeek(day), to: addDays(startOfWeek(day), 6) }

/** The day one step of a view before or after. */
export const stepped = (view: View, day: Day, steps: number): Day =>
  view === 'month' ? addMonths(day, steps) : addDays(day, view === 'day' || view === 'map' ? steps : steps * 7)

/** "June 8 to 14" of a week, "June 2026" of a month, "Friday, June 12" of a day. */
export const spanLabel = (view: View, day: Day): string => {
  if (view === 'month') return `${monthNames[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
  const { from, to } = spanOf(view, day)
  if (from === to) return formatDay(day, { long: true, year: true })
  const short = (one: Day) => formatDay(one).replace(/^\w+, /, '')
  return `${short(from)} to ${short(to)}, ${to.slice(0, 4)}`
}

/** Visits as the day runs: by time, what has none last, crew by crew. */
export const inTime = (visits: readonly CalendarVisit[], crews: readonly { id: string }[]): CalendarVisit[] => {
  const row = new Map(crews.map(({ id }, at) => [id, at]))
  const of = (visit: CalendarVisit) => (visit.crewId === null ? crews.length : (row.get(visit.crewId) ?? crews.length))
  const start = (visit: CalendarVisit) => visit.startMinute ?? 1440
  return visits.toSorted((a, b) => a.day.localeCompare(b.day) || start(a) - start(b) || of(a) - of(b))
}

/** What stands in a crew's cell of the week instead of how full it is: a day on which nobody works, unless work stands on it. */
export const cellWord = (closed: boolean, load: Pick<CrewDay, 'works' | 'stops'> | undefined): string | null => {
  if (!load || load.stops > 0) return null
  return closed ? 'closed' : load.works ? null : 'off'
}

/** A crew on a day, as the boards name it where something is dropped. */
export const cellId = (crewId: string | null, day: Day): string => `${crewKey(crewId)}@${day}`
export const cellOf = (id: string): { crewId: string | null; day: Day } => {
  const [crew = noCrew, day = ''] = id.split('@')
  return { crewId: crew === noCrew ? null : crew, day }
}

export type Filter = { crewId: string | null; status: string | null; serviceId: string | null }

export const fits = (visit: Pick<CalendarVisit, 'crewId' | 'status' | 'serviceIds'>, filter: Filter): boolean =>
  (!filter.crewId || visit.crewId === filter.crewId) &&
  (!filter.status || visit.status === filter.status) &&
  (!filter.serviceId || visit.serviceIds.includes(filter.serviceId))

/** The stops of a crew on a day, in the order of the route. */
export const stopsOf = (range: CalendarRange, day: Day, crewId: string | null): CalendarVisit[] =>
  range.visits.filter((visit) => visit.day === day && visit.crewId === crewId)

export const crewDayOf = (range: CalendarRange, day: Day, crewId: string): CrewDay | undefined =>
  range.crewDays.find((one) => one.day === day && one.crewId === crewId)

type Crew = CalendarRange['crews'][number]
export type StopHere = { visit: CalendarVisit; crew: Crew | null; number: number }
type Place = [StopHere, ...StopHere[]]

/** The day's visits by the place where they are, in the order of the crews' routes; those without a place are left out. */
export const stopsHere = (range: CalendarRange, day: Day, filter: Filter): Place[] => {
  const places = new Map<string, Place>()
  for (const crew of [...range.crews, null])
    for (const [index, visit] of stopsOf(range, day, crew?.id ?? null).entries()) {
      if (visit.latitude === null || visit.longitude === null || !fits(visit, filter)) continue
      const at = `${visit.latitude.toFixed(5)},${visit.longitude.toFixed(5)}`
      const stop = { visit, crew, number: index + 1 }
      const others = places.get(at)
      if (others) others.push(stop)
      else places.set(at, [stop])
    }
  return [...places.values()]
}

/** Somebody of the crew is away, nobody is there for what stands on the day, or who is off for a part of it is missing for what stands there. */
export const isShort = (
  load: Pick<
    CrewDay,
    'away' | 'partly' | 'people' | 'stops' | 'works' | 'capacityMinutes' | 'workMinutes' | 'driveMinutes'
  >,
): boolean =>
  (load.works && (load.away.length > 0 || (load.partly.length > 0 && loadTone(loadPercent(load)) === 'over'))) ||
  (load.stops > 0 && load.people === 0)

/** Somebody of the crew is off, the whole day or a part of it; and who. */
export const isThin = ({ away, partly }: Pick<CrewDay, 'away' | 'partly'>): boolean => away.length + partly.length > 0
export const missingLabel = ({ away, partly }: Pick<CrewDay, 'away' | 'partly'>): string =>
  [...away.map((name) => `${name} off`), ...partly].join(', ')

/** People who do a visit where it stands, on average where somebody comes or goes meanwhile. */
export const peopleAt = (
  load: Pick<CrewDay, 'presence' | 'people'> | undefined,
  visit: Pick<CalendarVisit, 'startMinute' | 'budgetMinutes'>,
): number => (load ? peopleDuring(load.presence, load.people, visit.startMinute, visit.budgetMinutes) : 1)

/** Where a card dropped among those that are shown stands among all stops of the crew. */
export const positionOf = (
  all: readonly { id: string }[],
  shown: readonly { id: string }[],
  movedId: string,
  toIndex: number,
): number => {
  const rest = all.filter((one) => one.id !== movedId)
  const before = shown.filter((one) => one.id !== movedId)[toIndex - 1]
  return before ? rest.findIndex((one) => one.id === before.id) + 1 : 0
}

const withLoad = (days: readonly CrewDay[], at: { day: Day; crewId: string | null }, by: number, stops: number) =>
  days.map((one) =>
    one.day === at.day && one.crewId === at.crewId
      ? { ...one, workMinutes: Math.max(0, one.workMinutes + by), stops: one.stops + stops }
      : one,
  )

/** A visit as the calendar holds it; what is due may have no day. */
export type Card = Omit<CalendarVisit, 'day'> & { day: Day | null }

/** Some days as they will be after a move; its drives come with the answer. */
export const movedRange = (
  range: CalendarRange,
  card: Card,
  to: { day: Day; crewId: string | null; position?: number },
): CalendarRange => {
  const rest = range.visits.filter((one) => one.id !== card.id)
  const gone = withLoad(range.crewDays, { day: card.day ?? '', crewId: card.crewId }, -card.budgetMinutes, -1)
  if (!range.days.some((one) => one.day === to.day)) return { ...range, visits: rest, crewDays: gone }
  const elsewhere = card.day !== to.day || card.crewId !== to.crewId
  const moved: CalendarVisit = {
    ...card,
    day: to.day,
    crewId: to.crewId,
    ...(elsewhere ? { version: card.version + 1, startMinute: null, driveSeconds: null } : {}),
  }
  const there = rest.filter((one) => one.day === to.day && one.crewId === to.crewId)
  const next = to.position === undefined ? undefined : there[to.position]
  const at = next ? rest.indexOf(next) : rest.length
  return {
    ...range,
    visits: [...rest.slice(0, at), moved, ...rest.slice(at)],
    crewDays: withLoad(gone, moved, card.budgetMinutes, 1),
  }
}

const besideShown = 4

/** Where a visit of a crew's day may be carried on a phone: to the other crews of the day, and to the crew's next days of the week. */
export const cellsBeside = (range: CalendarRange, day: Day, crewId: string | null) => [
  ...range.crews
    .filter((crew) => crew.id !== crewId)
    .slice(0, besideShown)
    .map((crew) => ({
      crewId: crew.id as string | null,
      day,
      label: `${crew.name}, ${formatDay(day)}`,
      short: crew.name,
    })),
  ...range.days
    .filter((one) => one.day !== day && one.day >= range.today)
    .sort((a, b) => Number(a.day < day) - Number(b.day < day) || (a.day < b.day ? -1 : 1))
    .slice(0, besideShown)
    .map((one) => ({ crewId, day: one.day, label: formatDay(one.day), short: formatDay(one.day).replace(/,.*/, '') })),
]
