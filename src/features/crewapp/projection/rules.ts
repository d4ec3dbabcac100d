import { addDays, type Day, dayOf } from '../../../shared/dates.ts'
import type { DoorFacts } from '../../payments/door/rules.ts'
import type { Clock, TimeEntry } from '../../timeclock/contract.ts'
import { clockedInSince, clockStateOf, forgottenAfterHours, sumEntries, weekOf } from '../../timeclock/rules.ts'
import { changedNote, noteFields } from '../../visits/notes/rules.ts'
import { isUnderWay, workedSecondsAt } from '../../visits/rules.ts'
import type { CrewBundle, CrewDayPlan, CrewStop, StopDetail } from '../contract.ts'
import { withExtra } from '../extras/rules.ts'
import {
  type CrewCommand,
  canDo,
  isClockCommand,
  isExtraCommand,
  isTreatCommand,
  isVisitCommand,
  type VisitCommand,
  validationErrorOf,
} from '../rules.ts'

/** The day as the screen shows it: what the server last said, and on top of it what this phone has not sent yet. */

const noteAdded = (before: string, note: string | undefined): string =>
  note?.trim() ? [before, note.trim()].filter(Boolean).join('\n') : before

const changed = (stop: CrewStop, type: VisitCommand, command: CrewCommand): CrewStop => {
  const { at, payload } = command
  const ended = () => workedSecondsAt(stop, Date.parse(at))
  switch (type) {
    case 'en_route':
      return { ...stop, status: 'en_route', enRouteAt: at }
    case 'start':
    case 'resume':
      return { ...stop, status: 'in_progress', startedAt: stop.startedAt ?? at, intervalStartedAt: at }
    case 'pause':
      return { ...stop, status: 'paused', workedSeconds: ended(), intervalStartedAt: null }
    case 'finish':
      return {
        ...stop,
        status: 'completed',
        startedAt: stop.startedAt ?? at,
        finishedAt: at,
        workedSeconds: ended(),
        intervalStartedAt: null,
        note: noteAdded(stop.note, payload.note),
      }
    case 'skip':
      return {
        ...stop,
        status: 'skipped',
        skipReason: payload.reason ?? 'other',
        skipNote: payload.note ?? '',
        workedSeconds: ended(),
        intervalStartedAt: null,
        finishedAt: at,
      }
    case 'undo_skip':
      return { ...stop, status: 'scheduled', skipReason: null, skipNote: '', finishedAt: null }
    case 'note':
      return {
        ...stop,
        note: noteAdded(stop.note, payload.note),
        ...Object.fromEntries(
          noteFields.flatMap((field) => {
            const change = payload[field]
            return change ? [[field, changedNote(stop[field] ?? '', change)]] : []
          }),
        ),
      }
    case 'check': {
      const rest = stop.checked.filter((c) => c !== payload.item)
      return { ...stop, checked: payload.done === false || !payload.item ? rest : [...rest, payload.item] }
    }
  }
}

/** A stop with a record that waits on this phone. */
const withRecord = (stop: CrewStop, { payload }: CrewCommand): CrewStop =>
  stop.treatment
    ? {
        ...stop,
        treatment: {
          ...stop.treatment,
          records: stop.treatment.records + 1,
          needed: stop.treatment.needed && !payload.whole,
        },
      }
    : stop

/** A stop with the commands of this phone on it, in their order; one that the server would not apply changes nothing. */
export const projectStop = (
  stop: CrewStop,
  commands: readonly CrewCommand[],
  known: Pick<CrewBundle, 'extras' | 'sales'> = {},
): CrewStop =>
  commands.reduce((now, command) => {
    const { type } = command
    if (command.visitId === stop.id && isTreatCommand(type)) return withRecord(now, command)
    if (command.visitId === stop.id && isExtraCommand(type)) return withExtra(now, command, known)
    if (command.visitId !== stop.id || !isVisitCommand(type) || validationErrorOf(command)) return now
    return canDo(type, now, command.at) ? changed(now, type, command) : now
  }, stop)

/** What a photo is for. Those of a visit are its own; a check's goes to its receipt, those of a message, a bill and a truck's defect to what they were written with. */
export const visitPhotoKinds = ['before', 'after', 'other'] as const
export type VisitPhotoKind = (typeof visitPhotoKinds)[number]
export type PhotoKind = VisitPhotoKind | 'check' | 'chat' | 'paid' | 'defect' | 'quote'

export const isVisitPhoto = (kind: PhotoKind): kind is VisitPhotoKind =>
  (visitPhotoKinds as readonly string[]).includes(kind)

/** Why a photo whose bytes are gone from the phone stays in sight. */
export const lostPhoto = 'lost'

export type WaitingPhoto = {
  id?: string
  visitId: string
  kind: PhotoKind
  item?: string | undefined
  reason?: string | null
}

/** Whether the day counts a photo already: it was read after the photo had got there, while its answer was still on its way. */
export const knowsPhoto = ({ pictures }: Pick<CrewStop, 'pictures'>, photoId: string | undefined): boolean =>
  pictures?.some(({ id }) => id === photoId) ?? false

const withPhotos = (stop: CrewStop, photos: readonly WaitingPhoto[]): CrewStop => {
  const mine = photos.filter((p) => p.visitId === stop.id && p.reason !== lostPhoto && !knowsPhoto(stop, p.id))
  if (mine.length === 0) return stop
  const counts = { ...stop.photos }
  for (const { kind } of mine) if (isVisitPhoto(kind)) counts[kind] += 1
  const photoItems = [...(stop.photoItems ?? []), ...mine.flatMap((photo) => photo.item ?? [])]
  return { ...stop, photos: counts, photoItems }
}

/** Every day of the bundle with what waits on this phone. */
export const projectBundle = (
  bundle: CrewBundle,
  commands: readonly CrewCommand[],
  photos: readonly WaitingPhoto[] = [],
): CrewBundle => ({
  ...bundle,
  days: bundle.days.map((day) => ({
    ...day,
    stops: day.stops.map((stop) => withPhotos(projectStop(stop, commands, bundle), photos)),
  })),
})

/**
 * A day as the crew works it: what was begun on the day before and is not over comes first, also where the phone has had no signal since midnight.
 * Null where the phone knows nothing of the day.
 */
export const planOn = (bundle: CrewBundle, day: Day): CrewDayPlan | null => {
  const plan = bundle.days.find((one) => one.day === day)
  if (!plan) return null
  const before = addDays(day, -1)
  const known = new Set(plan.stops.map(({ id }) => id))
  const begun = bundle.days
    .filter((one) => one.day === before)
    .flatMap(({ stops }) => stops.filter(({ id, status }) => isUnderWay(status) && !known.has(id)))
    .map((stop) => ({ ...stop, driveSeconds: null, driveMeters: null, begunOn: before }))
  return begun.length === 0
    ? plan
    : { ...plan, stops: [...begun, ...plan.stops].map((stop, index) => ({ ...stop, order: index + 1 })) }
}

/** The day before, for what this phone has begun there and not sent yet: what the server knows of as begun stands in its own answer. */
const dayBefore = (known: CrewBundle | null, { today }: CrewBundle): CrewDayPlan[] =>
  (known?.days ?? [])
    .filter(({ day }) => day === addDays(today, -1))
    .map((plan) => ({ ...plan, stops: plan.stops.filter(({ status }) => !isUnderWay(status)) }))

/**
 * What a newer answer of the server leaves of what the phone has: an answer that was on its way while a command was applied is older than what the
 * command's own reply said, so the higher version of each stop stays.
 */
export const mergeBundle = (known: CrewBundle | null, fresh: CrewBundle): CrewBundle => {
  const before = new Map(known?.days.flatMap((d) => d.stops.map((s) => [s.id, s] as const)))
  const newer = (stop: CrewStop): CrewStop => {
    const old = before.get(stop.id)
    return old && old.version > stop.version ? { ...old, order: stop.order, begunOn: stop.begunOn } : stop
  }
  const days = [...dayBefore(known, fresh), ...fresh.days.map((day) => ({ ...day, stops: day.stops.map(newer) }))]
  if (!fresh.doors) return { ...fresh, days }
  return { ...fresh, days, doors: fresh.doors.map((door) => newerDoor(doorOf(known, door.visitIds[0]), door)) }
}

const newerDoor = (known: DoorFacts | undefined, fresh: DoorFacts): DoorFacts =>
  known && known.asOf > fresh.asOf ? { ...known, visitIds: fresh.visitIds } : fresh

/** What is known of the customer at a stop; nothing for who may not take money. */
export const doorOf = (bundle: CrewBundle | null, visitId: string | undefined): DoorFacts | undefined =>
  bundle?.doors?.find(({ visitIds }) => visitIds.some((id) => id === visitId))

/** The bundle with what a reply says of what is owed at a stop. */
export const replaceDoor = (bundle: CrewBundle, door: DoorFacts): CrewBundle => ({
  ...bundle,
  doors: bundle.doors?.map((one) =>
    one.visitIds.some((id) => door.visitIds.includes(id)) ? { ...door, visitIds: one.visitIds } : one,
  ),
})

/** The bundle with one stop as a command's reply has it. */
export const replaceStop = (bundle: CrewBundle, stop: StopDetail): CrewBundle => ({
  ...bundle,
  days: bundle.days.map((day) => ({
    ...day,
    stops: day.stops.map((s) =>
      s.id === stop.id && s.version <= stop.version ? { ...s, ...stop, order: s.order } : s,
    ),
  })),
})

export type Early = { stops: StopDetail[]; doors: DoorFacts[] }

/** A day with what replies told before it came, each only where it is newer: the day may have been read after them. */
export const withEarly = (fresh: CrewBundle, { stops, doors }: Early): CrewBundle => {
  const knows = (stop: StopDetail) =>
    fresh.days.some((day) => day.stops.some((s) => s.id === stop.id && s.version >= stop.version))
  const isOlder = (door: DoorFacts) => (doorOf(fresh, door.visitIds[0])?.asOf ?? '') >= door.asOf
  const moved = stops.filter((stop) => !knows(stop)).reduce(replaceStop, fresh)
  return doors
    .filter((door) => !isOlder(door))
    .toSorted((a, b) => a.asOf.localeCompare(b.asOf))
    .reduce(replaceDoor, moved)
}

const closed = (entries: readonly TimeEntry[], at: string): TimeEntry[] =>
  entries.map((e) =>
    e.endedAt === null ? { ...e, endedAt: Date.parse(at) < Date.parse(e.startedAt) ? e.startedAt : at } : e,
  )

const opened = (entries: readonly TimeEntry[], id: string, kind: TimeEntry['kind'], startedAt: string): TimeEntry[] => [
  ...entries,
  { id, kind, startedAt, endedAt: null, flagged: null },
]

const clockEntries = (entries: readonly TimeEntry[], command: CrewCommand): readonly TimeEntry[] => {
  const open = entries.find((e) => e.endedAt === null)
  const { id, at, type, payload } = command
  const isOld = open && Date.parse(at) - Date.parse(open.startedAt) > forgottenAfterHours * 3600_000
  if (type === 'clock_in') return open && !isOld ? entries : opened(closed(entries, at), id, 'work', at)
  // What is older than what runs belongs to an earlier spell.
  if (!open || Date.parse(payload.endedAt ?? at) < Date.parse(open.startedAt)) return entries
  if (type === 'clock_out') return closed(entries, payload.endedAt ?? at)
  if (type === 'break_start') return open.kind === 'break' ? entries : opened(closed(entries, at), id, 'break', at)
  const kind = type === 'switch' ? (payload.kind ?? 'work') : 'work'
  const stays = type === 'switch' ? open.kind === kind : open.kind !== 'break'
  return stays ? entries : opened(closed(entries, at), id, kind, at)
}

/** A person's clock with what waits on this phone; the totals of the day and the week follow. */
export const projectClock = (clock: Clock, commands: readonly CrewCommand[], nowMs: number): Clock => {
  const mine = commands.filter((c) => isClockCommand(c.type) && !validationErrorOf(c))
  const entries = [...mine.reduce(clockEntries, clock.entries as readonly TimeEntry[])]
  const today = dayOf(nowMs, clock.timeZone)
  const ofToday = entries.filter((e) => dayOf(e.startedAt, clock.timeZone) === today)
  // What the phone keeps may be of last week.
  const known = clock.week.days.some((d) => d.day === today) ? clock.week : weekOf([], today, clock.timeZone, nowMs)
  const days = known.days.map((d) => (d.day === today ? { day: today, ...sumEntries(ofToday, nowMs) } : d))
  return {
    ...clock,
    ...clockStateOf(entries),
    entries: entries.filter((e) => e.endedAt === null || ofToday.includes(e)),
    today,
    clockedInAt: clockedInSince(ofToday, today, clock.timeZone),
    week: { ...known, days, paidSeconds: days.reduce((sum, d) => sum + d.paidSeconds, 0) },
    forgotten: mine.some((c) => c.type === 'clock_in' || c.type === 'clock_out') ? null : clock.forgotten,
  }
}

/** What to do next: the stop being worked, else the one the person chose, else the first open one. */
export const currentStop = (plan: CrewDayPlan, chosenId: string | null): CrewStop | null => {
  const open = plan.stops.filter((s) => canDo('finish', s))
  const chosen = open.find((s) => s.id === chosenId)
  const worked = open.find((s) => s.status === 'in_progress') ?? open.find((s) => s.status === 'paused')
  return chosen ?? worked ?? open.find((s) => s.status === 'en_route') ?? open[0] ?? null
}

/** What the crew should still do before it leaves: required ticks, the photo that the service asks for, the record of a treatment. */
export const missingBeforeFinish = (stop: CrewStop): { ticks: string[]; photo: boolean; record: boolean } => ({
  ticks: stop.checklist.filter((c) => c.required && !stop.checked.includes(c.text)).map((c) => c.text),
  photo: stop.photoRequired && stop.photos.after === 0,
  record: stop.treatment?.needed === true,
})
