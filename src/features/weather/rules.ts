import { counted } from '../../shared/counted.ts'
import { type Day, formatDay, formatMinute } from '../../shared/dates.ts'

/** When the weather speaks against working: hours of a day, and what they say. */

/** An hour of a day, 0 to 23 on the business's clock; null is not known. */
export type Hour = {
  hour: number
  rainHundredths: number | null
  chancePercent: number | null
  windMph: number | null
  heatIndexF: number | null
  /** Somebody marked it by hand: wet or dry; null where the forecast counts. */
  marked: boolean | null
}

/** From when on it counts, as the business has it set. */
export type Limits = {
  rainHundredthsInch: number
  rainChancePercent: number
  sprayWindMph: number
  treatHeatIndexF: number
}

/** Minutes of the day. */
export type Span = { fromMinute: number; toMinute: number }

/**
 * What a temperature feels like in the shade, in °F: Rothfusz's regression with Steadman's simple formula below 80 °F, as the US National Weather
 * Service computes it (https://www.wpc.ncep.noaa.gov/html/heatindex_equation.shtml).
 */
export const heatIndexF = (t: number, humidityPercent: number): number => {
  const r = humidityPercent
  const simple = (0.5 * (t + 61 + (t - 68) * 1.2 + r * 0.094) + t) / 2
  if (simple < 80) return Math.round(simple)
  const full =
    -42.379 +
    2.04901523 * t +
    10.14333127 * r -
    0.22475541 * t * r -
    0.00683783 * t * t -
    0.05481717 * r * r +
    0.00122874 * t * t * r +
    0.00085282 * t * r * r -
    0.00000199 * t * t * r * r
  const dry = r < 13 && t >= 80 && t <= 112 ? ((13 - r) / 4) * Math.sqrt((17 - Math.abs(t - 95)) / 17) : 0
  const damp = r > 85 && t >= 80 && t <= 87 ? ((r - 85) / 10) * ((87 - t) / 5) : 0
  return Math.round(full - dry + damp)
}

/** Rain that a gauge can measure, in hundredths of an inch. */
const measurable = 1

/** Whether crews lose an hour: marked by hand, as likely as the business minds, or with rain that a gauge can measure. */
export const isWet = (hour: Hour, limits: Limits): boolean =>
  hour.marked ?? ((hour.chancePercent ?? 0) >= limits.rainChancePercent || (hour.rainHundredths ?? 0) >= measurable)

export const isWindy = (hour: Hour, limits: Limits): boolean => (hour.windMph ?? 0) > limits.sprayWindMph
export const isHot = (hour: Hour, limits: Limits): boolean =>
  hour.heatIndexF !== null && hour.heatIndexF >= limits.treatHeatIndexF

/** Hours that follow each other as spans of time, within others. */
export const spansOf = (hours: readonly number[], within: Span = { fromMinute: 0, toMinute: 1440 }): Span[] => {
  const spans: Span[] = []
  for (const hour of [...new Set(hours)].sort((a, b) => a - b)) {
    const span = {
      fromMinute: Math.max(within.fromMinute, hour * 60),
      toMinute: Math.min(within.toMinute, hour * 60 + 60),
    }
    const last = spans.at(-1)
    if (span.toMinute <= span.fromMinute) continue
    if (last && last.toMinute === span.fromMinute) last.toMinute = span.toMinute
    else spans.push(span)
  }
  return spans
}

/** Minutes that spans and a stretch of time have in common. */
export const sharedMinutes = (spans: readonly Span[], { fromMinute, toMinute }: Span): number =>
  spans.reduce(
    (sum, span) => sum + Math.max(0, Math.min(span.toMinute, toMinute) - Math.max(span.fromMinute, fromMinute)),
    0,
  )

export type DayWeather = {
  wet: Span[]
  windy: Span[]
  hot: Span[]
  /** Minutes of the work hours that are wet. */
  lostMinutes: number
  /** So much rain, or so likely, that the day should be moved. */
  suggests: boolean
}

/**
 * What the weather does to the work hours of a day. It suggests moving the day from the business's rain in the work hours on, or where one of them is as
 * likely wet as the business minds, or marked by hand.
 */
export const dayWeather = (hours: readonly Hour[], limits: Limits, work: Span): DayWeather => {
  const inWork = hours.filter((h) => h.hour * 60 + 60 > work.fromMinute && h.hour * 60 < work.toMinute)
  const pick = (is: (hour: Hour, limits: Limits) => boolean): Span[] =>
    spansOf(
      inWork.filter((hour) => is(hour, limits)).map((hour) => hour.hour),
      work,
    )
  const wet = pick(isWet)
  const rain = inWork.reduce((sum, h) => sum + (h.marked === null ? (h.rainHundredths ?? 0) : 0), 0)
  const likely = inWork.some((h) => h.marked ?? (h.chancePercent ?? 0) >= limits.rainChancePercent)
  return {
    wet,
    windy: pick(isWindy),
    hot: pick(isHot),
    lostMinutes: sharedMinutes(wet, work),
    suggests: wet.length > 0 && (likely || rain >= limits.rainHundredthsInch),
  }
}

/** How long a lawn must stay dry after a treatment. */
const dryAfterMinutes = 120

/** What speaks against a treatment at a time: wind and heat while it is done, rain until two hours after. */
export const treatmentWarnings = (hours: readonly Hour[], limits: Limits, time: Span): string[] => {
  const during = ({ hour }: Hour, more = 0): boolean =>
    hour * 60 < time.toMinute + more && hour * 60 + 60 > time.fromMinute
  const most = (pick: (hour: Hour) => number | null) =>
    Math.max(...hours.filter((hour) => during(hour)).map((hour) => pick(hour) ?? Number.NEGATIVE_INFINITY))
  const wet = hours.find((hour) => during(hour, dryAfterMinutes) && isWet(hour, limits))
  return [
    ...(hours.some((hour) => during(hour) && isWindy(hour, limits))
      ? [`Treatment in wind of ${most((hour) => hour.windMph)} mph.`]
      : []),
    ...(hours.some((hour) => during(hour) && isHot(hour, limits))
      ? [`Treatment at a heat index of ${most((hour) => hour.heatIndexF)} °F.`]
      : []),
    ...(wet ? [`Treatment with rain around ${formatMinute(wet.hour * 60)}.`] : []),
  ]
}

/** A picture for a day: what matters most of it. */
export type DayIcon = 'rain' | 'wind' | 'heat' | 'dry'
export const iconOf = (weather: Pick<DayWeather, 'suggests' | 'windy' | 'hot'>): DayIcon =>
  weather.suggests ? 'rain' : weather.hot.length > 0 ? 'heat' : weather.windy.length > 0 ? 'wind' : 'dry'

/** "1 PM to 4 PM and 5 PM to 6 PM" */
export const spanWords = (spans: readonly Span[]): string =>
  spans
    .map(({ fromMinute, toMinute }) => `${clockWords(fromMinute)} to ${clockWords(toMinute)}`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1')

const clockWords = (minute: number): string => formatMinute(minute).replace(':00', '')

/** "3 of 9 hours"; parts of an hour count in halves. */
const hoursWords = (minutes: number, of: number): string => {
  const half = (m: number) => Math.round(m / 30) / 2
  return `${half(minutes)} of ${counted(half(of), 'hour')}`
}

/** "Today", "Tomorrow", or the day. */
export const dayWords = (day: Day, today: Day, tomorrow: Day): string =>
  day === today ? 'Today' : day === tomorrow ? 'Tomorrow' : formatDay(day)

/** "rain 1 PM to 4 PM, 3 of 9 hours, 14 visits" */
export const rainWords = (day: { wet: readonly Span[]; lostMinutes: number; workMinutes: number; visits: number }) =>
  `rain ${spanWords(day.wet)}, ${hoursWords(day.lostMinutes, day.workMinutes)}, ${counted(day.visits, 'visit')}`
