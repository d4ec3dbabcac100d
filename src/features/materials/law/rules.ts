import { type Day, formatDay } from '../../../shared/dates.ts'

/** What states say about nitrogen and phosphorus on lawns. A guard, not legal advice; each says where it is from. */

type Span = { from: string; to: string }
type Cap = { totalPounds: number; solublePounds: number }

export type StateLaw = {
  state: string
  name: string
  /** Pounds of nitrogen for 1,000 sq ft at once, all of it and what is soluble; null where the source names no number. */
  cap: Cap | null
  /** What holds instead in some weeks, MM-DD, both days with them. */
  lateCap: (Span & Cap) | null
  /** No fertilizer from the first to the last day of the year, MM-DD, over new year; for a company, where it has days of its own. */
  blackout: Span | null
  /** Percent of phosphate above which a soil test or a new lawn is needed; null where the source names none. */
  phosphateAbove: number | null
  /** What else holds. */
  words: readonly string[]
  source: string
}

export const stateLaws: readonly StateLaw[] = [
  {
    state: 'MD',
    name: 'Maryland',
    cap: { totalPounds: 0.9, solublePounds: 0.7 },
    // November 15 for everybody else. Sources differ on whether December 1 is still open for professionals: the safe reading closes it.
    lateCap: { from: '11-16', to: '11-30', totalPounds: 0.5, solublePounds: 0.5 },
    blackout: { from: '12-01', to: '02-29' },
    phosphateAbove: 0,
    words: [
      'Stay 15 ft from water, 10 ft with a deflector, a drop spreader or liquid.',
      'Nothing on frozen ground or before heavy rain; sweep it off hard surfaces.',
      'The company needs a license.',
    ],
    source:
      'Maryland Fertilizer Use Act, as the Maryland landscape contractors summarize it (2014); from November 16: Maryland Department of Agriculture.',
  },
  {
    state: 'NJ',
    name: 'New Jersey',
    cap: null,
    lateCap: null,
    blackout: null,
    phosphateAbove: null,
    words: [
      'Homeowners may not fertilize from November 15 to March 1; certified professionals have days of their own: check them with Rutgers.',
    ],
    source: 'Rutgers, New Jersey fertilizer law questions.',
  },
  ...(['CT', 'NY', 'VT'] as const).map((state) => ({
    state,
    name: { CT: 'Connecticut', NY: 'New York', VT: 'Vermont' }[state],
    cap: null,
    lateCap: null,
    blackout: null,
    phosphateAbove: 0.67,
    words: [],
    source: 'A summary of phosphorus laws of the states (2012). Check what holds today.',
  })),
]

export const lawOf = (state: string | null): StateLaw | null => stateLaws.find((one) => one.state === state) ?? null

/** Whether a day of the year lies in a span that may go over new year; both ends belong to it. */
export const isWithin = (day: Day, { from, to }: Span): boolean => {
  const at = day.slice(5)
  return from <= to ? at >= from && at <= to : at >= from || at <= to
}

export type ForLaw = {
  state: string | null
  day: Day
  /** For 1,000 sq ft at once. */
  nitrogenPounds: number
  solublePounds: number
  /** Null where nobody typed it. */
  phosphatePercent: number | null
  /** A soil test asks for phosphorus, or the lawn is new. */
  phosphorusAsked: boolean
}

export type LawFinding = { rule: 'total' | 'soluble' | 'blackout' | 'phosphorus'; words: string }

const pounds = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 })
// what is left over of a division breaks no law
const slack = 1e-6

/** What a state allows on a day, and in words which weeks that is for where it is not the whole year. */
const capOn = ({ cap, lateCap }: StateLaw, day: Day): { cap: Cap | null; weeks: string } =>
  lateCap && isWithin(day, lateCap)
    ? { cap: lateCap, weeks: ` from ${dayWords(lateCap.from)} to ${dayWords(lateCap.to)}` }
    : { cap, weeks: '' }

/** What of an application a state's law refuses or asks for; nothing where no law is known. */
export const lawFindings = (one: ForLaw): LawFinding[] => {
  const law = lawOf(one.state)
  if (!law) return []
  const found: LawFinding[] = []
  const { blackout, phosphateAbove, name } = law
  const { cap, weeks } = capOn(law, one.day)
  if (cap && one.nitrogenPounds > cap.totalPounds + slack)
    found.push({
      rule: 'total',
      words: `${name} allows at most ${cap.totalPounds} lb of nitrogen per 1,000 sq ft at once${weeks}; this is ${pounds(one.nitrogenPounds)} lb.`,
    })
  if (cap && one.solublePounds > cap.solublePounds + slack)
    found.push({
      rule: 'soluble',
      words: `${name} allows at most ${cap.solublePounds} lb of soluble nitrogen per 1,000 sq ft at once${weeks}; this is ${pounds(one.solublePounds)} lb.`,
    })
  if (blackout && isWithin(one.day, blackout))
    found.push({
      rule: 'blackout',
      words: `${name} allows no lawn fertilizer from ${dayWords(blackout.from)} to ${dayWords(blackout.to)}; this is for ${formatDay(one.day)}.`,
    })
  const { phosphatePercent: phosphate } = one
  if (phosphateAbove !== null && (phosphate === null || phosphate > phosphateAbove) && !one.phosphorusAsked)
    found.push({
      rule: 'phosphorus',
      words: `${name} asks for a soil test, or a new lawn, before phosphorus goes down; ${
        phosphate === null
          ? 'the phosphate of this fertilizer, the second number on its bag, is not typed'
          : `this fertilizer has ${pounds(phosphate)}% phosphate`
      }.`,
    })
  return found
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const dayWords = (monthDay: string): string => {
  const [month = '1', day = '1'] = monthDay.split('-')
  if (monthDay === '02-29') return 'the end of February'
  return `${months[Number(month) - 1]} ${Number(day)}`
}

/** The most nitrogen that a state's caps leave on a day, in pounds for 1,000 sq ft; null where it has none. */
export const mostNitrogen = (state: string | null, slowPercent: number | null, day: Day): number | null => {
  const law = lawOf(state)
  const cap = law && capOn(law, day).cap
  if (!cap) return null
  const soluble = 1 - (slowPercent ?? 0) / 100
  const most = soluble <= 0 ? cap.totalPounds : Math.min(cap.totalPounds, cap.solublePounds / soluble)
  return Math.floor(most * 100 + 1e-6) / 100
}
