import { parseNumber } from '../../../shared/numbers.ts'

/**
 * Minutes of driving that planning saved a stop, by crews and stops a crew: `npm run bench -- routing --days` on days drawn by chance from 574 real addresses
 * in Louisville, Nashville and Savannah, half a second of planning each, driving times estimated from the distance. Against a crew that always drives to the
 * nearest lawn left, and against the order of the list.
 */
export const measured: readonly { crews: number; stops: number; nearest: number; listed: number }[] = [
  { crews: 1, stops: 10, nearest: 0.62, listed: 5.53 },
  { crews: 1, stops: 15, nearest: 0.83, listed: 7.09 },
  { crews: 1, stops: 20, nearest: 0.8, listed: 7.7 },
  { crews: 1, stops: 25, nearest: 0.92, listed: 8.71 },
  { crews: 2, stops: 10, nearest: 0.92, listed: 7.62 },
  { crews: 2, stops: 15, nearest: 0.87, listed: 8.92 },
  { crews: 2, stops: 20, nearest: 0.67, listed: 10.21 },
  { crews: 2, stops: 25, nearest: 0.74, listed: 11.16 },
  { crews: 3, stops: 10, nearest: 0.79, listed: 9.07 },
  { crews: 3, stops: 15, nearest: 0.88, listed: 10.79 },
  { crews: 3, stops: 20, nearest: 0.73, listed: 10.52 },
  { crews: 3, stops: 25, nearest: 0.71, listed: 11.29 },
  { crews: 5, stops: 10, nearest: 0.82, listed: 10.35 },
  { crews: 5, stops: 15, nearest: 0.69, listed: 11.35 },
  { crews: 5, stops: 20, nearest: 0.57, listed: 11.63 },
  { crews: 5, stops: 25, nearest: 0.53, listed: 12.14 },
]

export const seasonWeeks = 30

export type Day = { stops: number; crews: number; dollarsAnHour: number; daysAWeek: number }

/** What may be typed, and what stands there first. */
export const dayLimits: Readonly<Record<keyof Day, { min: number; max: number; first: number }>> = {
  stops: { min: 1, max: 500, first: 30 },
  crews: { min: 1, max: 50, first: 2 },
  dollarsAnHour: { min: 1, max: 500, first: 50 },
  daysAWeek: { min: 1, max: 7, first: 5 },
}

export type Saving = { hours: number; dollars: number }

const between = (known: readonly number[], at: number): readonly [low: number, high: number, share: number] => {
  const low = known.findLast((one) => one <= at) ?? known[0] ?? 0
  const high = known.find((one) => one >= at) ?? low
  return high > low && at > low ? [low, high, (at - low) / (high - low)] : [low, low, 0]
}

/** Minutes saved a stop, between the sizes that were measured; beyond them as at the nearest one. */
const minutesAStop = (crews: number, stops: number, kind: 'nearest' | 'listed'): number => {
  const [c0, c1, c] = between([1, 2, 3, 5], crews)
  const [s0, s1, s] = between([10, 15, 20, 25], stops)
  const at = (a: number, b: number): number => measured.find((one) => one.crews === a && one.stops === b)?.[kind] ?? 0
  return (at(c0, s0) * (1 - s) + at(c0, s1) * s) * (1 - c) + (at(c1, s0) * (1 - s) + at(c1, s1) * s) * c
}

/** A season's driving saved: at least, for crews that drive to the nearest lawn next, and at most, for those that drive in the order of the list. */
export const seasonSavings = ({ stops, crews, dollarsAnHour, daysAWeek }: Day): { least: Saving; most: Saving } => {
  const perSeason = stops * daysAWeek * seasonWeeks
  const of = (kind: 'nearest' | 'listed'): Saving => {
    const hours = Math.round((minutesAStop(crews, stops / crews, kind) * perSeason) / 60)
    return { hours, dollars: Math.round(hours * dollarsAnHour) }
  }
  return { least: of('nearest'), most: of('listed') }
}

export type Typed = Readonly<Record<keyof Day, string>>
/** A number of the calculator, or what is wrong with what was typed. */
export type Read = { value: number; wrong: null } | { value: null; wrong: string }

const names: Readonly<Record<keyof Day, string>> = {
  stops: 'stops a day',
  crews: 'crews',
  dollarsAnHour: 'dollars an hour',
  daysAWeek: 'days a week',
}

/** What was typed in one field, read as everywhere in the product: "1,250" is 1250 and "12,5" is no number. */
export const readField = (field: keyof Day, text: string): Read => {
  const wrong = (why: string): Read => ({ value: null, wrong: why })
  const { min, max } = dayLimits[field]
  const clean = field === 'dollarsAnHour' ? text.trim().replace(/^\$\s*/, '') : text
  if (clean.trim() === '') return wrong(`Type how many ${names[field]}.`)
  const value = parseNumber(clean)
  if (value === null)
    return wrong(/\d,\d/.test(clean) ? 'Write a decimal with a point, like 12.5.' : 'This is not a number.')
  if (field === 'crews' && !Number.isInteger(value)) return wrong('Whole crews only.')
  if (value < min || value > max) {
    const unit = field === 'dollarsAnHour' ? '$' : ''
    return wrong(`From ${unit}${min} to ${unit}${max}${unit ? ' an hour' : ` ${names[field]}`}.`)
  }
  return { value, wrong: null }
}

/** The numbers typed, or what is wrong by field. */
export const readDay = (typed: Typed): { day: Day | null; wrong: Partial<Record<keyof Day, string>> } => {
  const read = (Object.keys(dayLimits) as (keyof Day)[]).map(
    (field) => [field, readField(field, typed[field])] as const,
  )
  const day = Object.fromEntries(read.map(([field, { value }]) => [field, value])) as Day
  const wrong: Partial<Record<keyof Day, string>> = Object.fromEntries(
    read.flatMap(([field, one]) => (one.wrong === null ? [] : [[field, one.wrong]])),
  )
  if (!wrong.stops && !wrong.crews && day.crews > day.stops) wrong.crews = 'At most as many crews as stops.'
  return { day: Object.keys(wrong).length === 0 ? day : null, wrong }
}

export const dollars = (amount: number): string => `$${amount.toLocaleString('en-US')}`
export const hours = (amount: number): string => `${amount.toLocaleString('en-US')} hours`
