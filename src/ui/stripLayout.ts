import { formatMinute } from '#src/shared/dates.ts'

export type StripState = 'todo' | 'now' | 'done' | 'skipped' | 'paused'
export type StripStop = {
  id: string
  label: string
  /** How long the stop takes or took. */
  minutes: number
  /** Drive from the stop before, or from the depot. */
  driveMinutesBefore: number
  state: StripState
  /** Service, reason of a skip, what the tooltip should add. */
  detail?: string | undefined
  /** When work began or is planned to begin, minutes since midnight; without it the stop follows the one before. */
  startMinute?: number | undefined
}
/** Minutes since midnight. */
export type DaySpan = { startMinute: number; endMinute: number }
export type Stripe = {
  stop: StripStop
  number: number
  startMinute: number
  endMinute: number
  driveMinutes: number
  leftPercent: number
  drivePercent: number
  workPercent: number
  over: boolean
}
export type StripLayout = {
  span: DaySpan
  stripes: Stripe[]
  homePercent: { left: number; width: number } | null
  shiftEndPercent: number | null
}

export const stateNames: Record<StripState, string> = {
  todo: 'to do',
  now: 'being worked',
  done: 'done',
  skipped: 'skipped',
  paused: 'paused',
}

/** How a strip is spoken of, for who does not see it. */
export type StripWords = {
  states: Record<StripState, string>
  none: string
  stops: (count: number) => string
  fromTo: (from: string, to: string) => string
  drive: (minutes: number) => string
}

export const englishStrip: StripWords = {
  states: stateNames,
  none: 'no stops',
  stops: (count) => `${count} ${count === 1 ? 'stop' : 'stops'}`,
  fromTo: (from, to) => `${from} to ${to}`,
  drive: (minutes) => `after ${minutes} min of driving`,
}

const clamp = (value: number) => Math.max(0, Number.isFinite(value) ? value : 0)

/** Where each stop of a day begins and ends, in minutes since midnight. A start that would overlap the stop before is moved after it. */
export const placeStops = (
  stops: readonly StripStop[],
  dayStart: number,
): { stop: StripStop; startMinute: number; endMinute: number; driveMinutes: number }[] => {
  let at = dayStart
  return stops.map((stop) => {
    const drive = clamp(stop.driveMinutesBefore)
    const before = at
    const start = stop.startMinute === undefined ? before + drive : Math.max(before, stop.startMinute)
    at = start + clamp(stop.minutes)
    return { stop, startMinute: start, endMinute: at, driveMinutes: Math.min(drive, start - before) }
  })
}

const beginOf = (stops: readonly StripStop[], shift: DaySpan | undefined): number => {
  const first = stops[0]
  const planned = first?.startMinute === undefined ? undefined : first.startMinute - clamp(first.driveMinutesBefore)
  if (!shift) return planned ?? 0
  return planned === undefined ? shift.startMinute : Math.min(shift.startMinute, planned)
}

type SpanLane = {
  stops: readonly StripStop[]
  shift?: DaySpan | undefined
  driveHomeMinutes?: number | undefined
  /** When the crew is back, if that is later than its stops say. */
  backAtMinute?: number | null | undefined
}

/**
 * One span that holds every lane, so that lanes stand under one axis. Whole hours.
 * @param nowMinute stretches the span while work is left, so that the line for now is on it and what runs late is seen to
 */
export const commonSpan = (lanes: readonly SpanLane[], nowMinute?: number): DaySpan => {
  let startMinute = Infinity
  let endMinute = -Infinity
  for (const { stops, shift, driveHomeMinutes, backAtMinute } of lanes) {
    const begin = beginOf(stops, shift)
    const end = (placeStops(stops, begin).at(-1)?.endMinute ?? begin) + clamp(driveHomeMinutes ?? 0)
    startMinute = Math.min(startMinute, begin, shift?.startMinute ?? Infinity)
    endMinute = Math.max(endMinute, end, shift?.endMinute ?? -Infinity, backAtMinute ?? -Infinity)
  }
  const isLeft = lanes.some(({ stops }) => stops.some(({ state }) => state !== 'done' && state !== 'skipped'))
  if (isLeft && nowMinute !== undefined) endMinute = Math.max(endMinute, nowMinute)
  if (!Number.isFinite(startMinute)) return { startMinute: 420, endMinute: 1020 }
  return {
    startMinute: Math.floor(startMinute / 60) * 60,
    endMinute: Math.max(Math.ceil(endMinute / 60) * 60, Math.floor(startMinute / 60) * 60 + 60),
  }
}

/**
 * The strip in percent of its width.
 * @param options.span what the full width stands for; without it the shift, stretched when the day runs over; without a shift the stops alone
 */
export const layoutStrip = (
  stops: readonly StripStop[],
  options: {
    shift?: DaySpan | undefined
    span?: DaySpan | undefined
    driveHomeMinutes?: number | undefined
    fitContent?: boolean | undefined
  } = {},
): StripLayout => {
  const { shift, driveHomeMinutes = 0, fitContent } = options
  const begin = beginOf(stops, shift)
  const placed = placeStops(stops, begin)
  const workEnd = placed.at(-1)?.endMinute ?? begin
  const end = workEnd + clamp(driveHomeMinutes)
  const first = placed[0]
  const own =
    fitContent || !shift
      ? { startMinute: first ? first.startMinute - first.driveMinutes : begin, endMinute: end }
      : { startMinute: Math.min(begin, shift.startMinute), endMinute: Math.max(end, shift.endMinute) }
  const span = options.span ?? own
  const length = Math.max(1, span.endMinute - span.startMinute)
  const percent = (minutes: number) => (minutes / length) * 100
  const stripes = placed.map(({ stop, startMinute, endMinute, driveMinutes }, index) => ({
    stop,
    number: index + 1,
    startMinute,
    endMinute,
    driveMinutes,
    leftPercent: percent(startMinute - driveMinutes - span.startMinute),
    drivePercent: percent(driveMinutes),
    workPercent: percent(endMinute - startMinute),
    over: shift !== undefined && endMinute > shift.endMinute,
  }))
  return {
    span,
    stripes,
    homePercent:
      driveHomeMinutes > 0 && placed.length > 0
        ? { left: percent(workEnd - span.startMinute), width: percent(driveHomeMinutes) }
        : null,
    shiftEndPercent:
      shift && !fitContent && shift.endMinute < span.endMinute ? percent(shift.endMinute - span.startMinute) : null,
  }
}

/** "3. 45 Wassaw Rd, done, 8:15 AM to 8:43 AM, 28 min, after 4 min of driving. Mow, edge" */
export const describeStripe = (
  { stop, number, startMinute, endMinute, driveMinutes }: Stripe,
  withTimes: boolean,
  words = englishStrip,
): string => {
  const times = withTimes ? `, ${words.fromTo(formatMinute(startMinute), formatMinute(endMinute))}` : ''
  const drive = driveMinutes >= 1 ? `, ${words.drive(Math.round(driveMinutes))}` : ''
  return `${number}. ${stop.label}, ${words.states[stop.state]}${times}, ${Math.round(stop.minutes)} min${drive}${stop.detail ? `. ${stop.detail}` : ''}`
}

/** "18 stops: 11 done, 1 being worked, 6 to do" */
export const describeStrip = (stops: readonly StripStop[], words = englishStrip): string => {
  if (stops.length === 0) return words.none
  const counts = (['done', 'now', 'paused', 'skipped', 'todo'] as const).map((state) => ({
    state,
    count: stops.filter((stop) => stop.state === state).length,
  }))
  const said = counts.filter(({ count }) => count > 0).map(({ state, count }) => `${count} ${words.states[state]}`)
  return `${words.stops(stops.length)}: ${said.join(', ')}`
}

/** Hours to write above a span: at most `most`, "AM" and "PM" only on the first and at noon's turn. */
export const axisTicks = (span: DaySpan, most = 7): { minute: number; percent: number; text: string }[] => {
  const length = Math.max(1, span.endMinute - span.startMinute)
  const first = Math.ceil(span.startMinute / 60)
  const last = Math.floor(span.endMinute / 60)
  const step = [1, 2, 3, 4, 6, 12].find((hours) => (last - first) / hours + 1 <= most) ?? 24
  const ticks: { minute: number; percent: number; text: string }[] = []
  let half = ''
  for (let hour = first; hour <= last; hour += step) {
    const ofDay = ((hour % 24) + 24) % 24
    const now = ofDay < 12 ? 'AM' : 'PM'
    ticks.push({
      minute: hour * 60,
      percent: ((hour * 60 - span.startMinute) / length) * 100,
      text: `${ofDay % 12 === 0 ? 12 : ofDay % 12}${now === half ? '' : ` ${now}`}`,
    })
    half = now
  }
  return ticks
}
