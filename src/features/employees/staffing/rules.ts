import { addDays, covers, type Day, formatMinute, weekdayOf } from '../../../shared/dates.ts'
import { asSkill } from '../../../shared/skills.ts'

/** Who is on which crew on which days, and what a crew is on one of them. */

/** Somebody on a crew from a day to a day, both included; null while it lasts. */
export type Stretch = { crewId: string; from: Day; to: Day | null }
/** What is asked: this crew, or none, on these days. */
export type Put = { crewId: string | null; from: Day; to: Day | null }

const endsBefore = (to: Day | null, day: Day): boolean => to !== null && to < day

/** One after another without a gap. */
const touches = (a: Stretch, b: Stretch): boolean => a.to !== null && addDays(a.to, 1) === b.from

/**
 * A person's stretches with some days given to a crew (or to none): what was there on those days is cut out, what was before and after stays.
 * @returns by day, without an overlap between the days asked for and the rest; neighbors on one crew are one stretch
 */
export const withPut = (stretches: readonly Stretch[], put: Put): Stretch[] => {
  const rest = stretches.flatMap((one): Stretch[] => {
    if (endsBefore(one.to, put.from) || endsBefore(put.to, one.from)) return [one]
    const after = put.to === null ? null : addDays(put.to, 1)
    return [
      ...(one.from < put.from ? [{ ...one, to: addDays(put.from, -1) }] : []),
      ...(after !== null && (one.to === null || one.to >= after) ? [{ ...one, from: after }] : []),
    ]
  })
  const all = put.crewId === null ? rest : [...rest, { crewId: put.crewId, from: put.from, to: put.to }]
  return all
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
    .reduce<Stretch[]>((done, one) => {
      const last = done.at(-1)
      if (last && last.crewId === one.crewId && touches(last, one)) done[done.length - 1] = { ...last, to: one.to }
      else done.push(one)
      return done
    }, [])
}

/** A person's stretches without those on a crew from a day on. */
export const withoutCrew = (stretches: readonly Stretch[], crewId: string, from: Day): Stretch[] =>
  stretches.flatMap((one) =>
    one.crewId !== crewId || endsBefore(one.to, from)
      ? [one]
      : one.from < from
        ? [{ ...one, to: addDays(from, -1) }]
        : [],
  )

export type Shift = { shiftStartMinute: number; shiftEndMinute: number; breakMinutes: number }
/** A weekday (Sunday is 0) with a shift of its own. */
export type WeekdayShift = { weekday: number; startMinute: number; endMinute: number; breakMinutes: number }

/** A crew's shift on a day: that of its weekday, or the usual one. */
export const shiftOn = (crew: Shift & { weekdayShifts: readonly WeekdayShift[] }, day: Day): Shift => {
  const own = crew.weekdayShifts.find((one) => one.weekday === weekdayOf(day))
  return own
    ? { shiftStartMinute: own.startMinute, shiftEndMinute: own.endMinute, breakMinutes: own.breakMinutes }
    : {
        shiftStartMinute: crew.shiftStartMinute,
        shiftEndMinute: crew.shiftEndMinute,
        breakMinutes: crew.breakMinutes,
      }
}

export type License = { userId: string; skill: string; validFrom: Day | null; expiresOn: Day }

/** Whether a license is valid on a day; the day on which it expires is its last. */
export const isValidOn = (license: Pick<License, 'validFrom' | 'expiresOn'>, day: Day): boolean =>
  (license.validFrom === null || license.validFrom <= day) && license.expiresOn >= day

/** Days before its end from which on a license is warned of. */
export const licenseWarningDays = 30

/** Skills that only a license gives: those that anybody's license stands for, valid or not. */
export const licensedSkills = (licenses: readonly Pick<License, 'skill'>[]): Set<string> =>
  new Set(licenses.map((one) => asSkill(one.skill)))

/**
 * What a crew can do on a day: its own equipment, what its people can, and what their licenses allow.
 * @param people who is at work that day
 * @param licenses all of the business: a skill that one of them stands for is not had without a valid one
 */
export const skillsOn = (
  crew: { skills: readonly string[] },
  people: readonly { userId: string; skills: readonly string[] }[],
  licenses: readonly License[],
  day: Day,
): string[] => {
  const licensed = licensedSkills(licenses)
  const free = [...crew.skills, ...people.flatMap((one) => one.skills)].filter((skill) => !licensed.has(asSkill(skill)))
  const there = new Set(people.map((one) => one.userId))
  const given = licenses.filter((one) => there.has(one.userId) && isValidOn(one, day)).map((one) => one.skill)
  return [...new Map([...free, ...given].map((skill) => [asSkill(skill), skill.trim()])).values()]
}

/** Days in which a crew has a license, first and last included. */
export type Span = { from: Day; to: Day | null }

const later = (a: Day, b: Day): Day => [a, b].toSorted()[1] ?? a

/** Spans by day, those that touch or overlap made one. */
export const joined = (spans: readonly Span[]): Span[] =>
  spans
    .toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
    .reduce<Span[]>((done, one) => {
      const last = done.at(-1)
      if (!last || (last.to !== null && addDays(last.to, 1) < one.from)) done.push(one)
      else if (last.to !== null)
        done[done.length - 1] = { from: last.from, to: one.to === null ? null : later(one.to, last.to) }
      return done
    }, [])

/** Spans less the days of others. */
export const less = (spans: readonly Span[], gone: readonly { from: Day; to: Day }[]): Span[] =>
  gone.reduce<Span[]>(
    (left, off) =>
      left.flatMap((one) =>
        endsBefore(one.to, off.from) || off.to < one.from
          ? [one]
          : [
              ...(one.from < off.from ? [{ from: one.from, to: addDays(off.from, -1) }] : []),
              ...(one.to === null || one.to > off.to ? [{ from: addDays(off.to, 1), to: one.to }] : []),
            ],
      ),
    [...spans],
  )

/** The days that two spans have in common, or null. */
export const common = (a: Span, b: Span): Span | null => {
  const from = later(a.from, b.from)
  const to = a.to === null ? b.to : b.to === null || a.to < b.to ? a.to : b.to
  return to !== null && to < from ? null : { from, to }
}

/** The crew of a day, or null. */
export const crewOn = (stretches: readonly Stretch[], day: Day): string | null =>
  stretches.find((one) => covers(one, day))?.crewId ?? null

/** From the first to the last day on which two lists differ; null when they say the same. */
export const differing = (a: readonly Stretch[], b: readonly Stretch[]): Span | null => {
  const cuts = [...a, ...b].flatMap(({ from, to }) => (to === null ? [from] : [from, addDays(to, 1)]))
  const days = [...new Set(cuts)].sort()
  const differs = days.map((day) => crewOn(a, day) !== crewOn(b, day))
  const [first, after] = [days[differs.indexOf(true)], days[differs.lastIndexOf(true) + 1]]
  return first === undefined ? null : { from: first, to: after === undefined ? null : addDays(after, -1) }
}

/** What a list says about some days. */
export const within = (stretches: readonly Stretch[], span: Span): Stretch[] =>
  stretches.flatMap(({ crewId, ...own }) => {
    const days = common(own, span)
    return days ? [{ crewId, ...days }] : []
  })

/** A list with some days as another one says them. */
export const withDays = (stretches: readonly Stretch[], span: Span, days: readonly Stretch[]): Stretch[] =>
  days.reduce(withPut, withPut(stretches, { crewId: null, ...span }))

/** "1 person", "3 people". */
export const peopleLabel = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

/** Time that an event takes from a person, a crew or everybody. */
export type Absence = {
  firstDay: Day
  lastDay: Day
  /** Null: the whole day. */
  startMinute: number | null
  endMinute: number | null
  userId: string | null
  crewId: string | null
}

/** Minutes of a shift that time off takes from one person; what overlaps counts once. */
const takenOf = (shift: Shift, offs: readonly Absence[]): number =>
  presenceOf(shift, [
    offs.map(({ startMinute, endMinute }) =>
      startMinute === null || endMinute === null
        ? { startMinute: shift.shiftStartMinute, endMinute: shift.shiftEndMinute }
        : { startMinute, endMinute },
    ),
  ]).reduce((sum, part) => sum + (part.people === 0 ? part.toMinute - part.fromMinute : 0), 0)

/**
 * What a crew can do on a day in labor minutes: its shift without the break, times people, less the hours that events take from them.
 * @param userIds who is on the crew that day; nobody counts as one person
 * @returns `away`: who is off the whole day; `people`: who is left
 */
export const capacityOf = (
  crew: Shift & { id: string },
  day: Day,
  userIds: readonly string[],
  absences: readonly Absence[],
): { capacityMinutes: number; people: number; away: string[] } => {
  const length = Math.max(0, crew.shiftEndMinute - crew.shiftStartMinute - crew.breakMinutes)
  const today = absences.filter((off) => off.firstDay <= day && day <= off.lastDay)
  const left = (userIds.length ? userIds : [null]).map((userId) => {
    const own = today.filter((off) =>
      off.userId === null ? off.crewId === null || off.crewId === crew.id : userId !== null && off.userId === userId,
    )
    const taken = takenOf(crew, own)
    return { userId, minutes: Math.max(0, length - taken) }
  })
  return {
    capacityMinutes: left.reduce((sum, one) => sum + one.minutes, 0),
    people: left.filter((one) => one.minutes > 0).length,
    away: left.flatMap((one) => (one.minutes === 0 && one.userId ? [one.userId] : [])),
  }
}

/** A stretch of a shift, and how many people of the crew are there in it. */
export type Presence = { fromMinute: number; toMinute: number; people: number }
type Minutes = { startMinute: number; endMinute: number }

/**
 * How many people are there from when to when in a shift, without gaps.
 * @param offs of each person of the crew the minutes of that day that they are off
 */
export const presenceOf = (
  shift: Pick<Shift, 'shiftStartMinute' | 'shiftEndMinute'>,
  offs: readonly (readonly Minutes[])[],
): Presence[] => {
  const { shiftStartMinute: start, shiftEndMinute: end } = shift
  const cuts = [start, end, ...offs.flat().flatMap((off) => [off.startMinute, off.endMinute])]
    .filter((minute) => start <= minute && minute <= end)
    .sort((a, b) => a - b)
  return cuts.slice(1).reduce<Presence[]>((done, toMinute, index) => {
    const fromMinute = cuts[index] ?? start
    if (toMinute === fromMinute) return done
    const people = offs.filter((own) => !own.some((o) => o.startMinute < toMinute && o.endMinute > fromMinute)).length
    const last = done.at(-1)
    if (last?.people === people) last.toMinute = toMinute
    else done.push({ fromMinute, toMinute, people })
    return done
  }, [])
}

/** Seconds by the clock that labor takes from a second of the day on, by who is there then; past the shift as at its end, never fewer than one. */
export const clockSeconds = (presence: readonly Presence[], fromSeconds: number, laborSeconds: number): number => {
  let [at, left] = [fromSeconds, laborSeconds]
  for (const { toMinute, people } of presence.slice(0, -1)) {
    const room = toMinute * 60 - at
    if (room <= 0) continue
    if (people > 0 && people * room >= left) return at + left / people - fromSeconds
    left -= people * room
    at += room
  }
  return at + left / Math.max(1, presence.at(-1)?.people ?? 1) - fromSeconds
}

/** The stretches of a shift from when on somebody of the crew is there until nobody is any more. */
export const thereOf = (presence: readonly Presence[]): Presence[] =>
  presence.slice(
    presence.findIndex((one) => one.people > 0),
    presence.findLastIndex((one) => one.people > 0) + 1,
  )

/**
 * How many people do some labor, on average where they come or go meanwhile: by it a stop takes as long on every screen as in the plan.
 * @param there the crew's stretches of the day (`thereOf`); none on a day on which nobody is off for a part
 * @param startMinute null when nobody knows when it begins
 */
export const peopleDuring = (
  there: readonly Presence[],
  people: number,
  startMinute: number | null,
  laborMinutes: number,
): number =>
  there.length > 1 && startMinute !== null && laborMinutes > 0
    ? (laborMinutes * 60) / clockSeconds(there, startMinute * 60, laborMinutes * 60)
    : Math.max(1, Math.min(people, there[0]?.people ?? people))

/** "Ann from 10:00 AM", "Ann until 1:00 PM", "Ann off 10:00 AM to 11:00 AM" of a day on which she is off for a part. */
export const partOffLabel = (name: string, off: Minutes, shift: Pick<Shift, 'shiftStartMinute' | 'shiftEndMinute'>) =>
  off.startMinute <= shift.shiftStartMinute
    ? `${name} from ${formatMinute(off.endMinute)}`
    : off.endMinute >= shift.shiftEndMinute
      ? `${name} until ${formatMinute(off.startMinute)}`
      : `${name} off ${formatMinute(off.startMinute)} to ${formatMinute(off.endMinute)}`
