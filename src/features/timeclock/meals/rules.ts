import type { StateCode } from '../../../shared/states.ts'
import { type ClockEntry, sumEntries } from '../rules.ts'

/**
 * When the law of a state owes a meal. Hours are at work; `startByHours` counts from the first clock-in of the day, null where the law names no time.
 * `orMore`: from that many hours on, not only over them.
 */
export type MealRule = {
  overHours: number
  orMore?: boolean
  minutes: number
  startByHours: number | null
  /** A second meal: over how many hours, and by when. */
  second: { overHours: number; startByHours: number | null } | null
  /** One hour of pay a day on which a meal was not had in time. */
  premium: boolean
  /** Paid rests, which nobody clocks: what a person of the office has to know. */
  rest: string | null
  /** Where the state says so. */
  source: string
  note?: string
}

const plain = { minutes: 30, startByHours: null, second: null, premium: false, rest: null }
const tenInFour = '10 paid minutes for every 4 hours'

/**
 * Meals of adults outside of special trades, as the states' laws have them. A state that is not here asks for none: nothing is flagged and no phone says a
 * word. Laws for one trade (factories, shops) are left out.
 */
export const mealRules: Partial<Record<StateCode, MealRule>> = {
  CA: {
    overHours: 5,
    minutes: 30,
    startByHours: 5,
    second: { overHours: 10, startByHours: 10 },
    premium: true,
    rest: tenInFour,
    source: 'Cal. Labor Code 226.7, 512',
    note: 'Up to 6 hours both sides may agree to go without; up to 12 without the second, where the first was had.',
  },
  CO: {
    ...plain,
    overHours: 5,
    rest: tenInFour,
    source: '7 Colo. Code Regs. 1103-1, 5.1 and 5.2',
    note: 'Where possible at least an hour after the start and before the end of the shift.',
  },
  CT: {
    ...plain,
    overHours: 7.5,
    orMore: true,
    source: 'Conn. Gen. Stat. 31-51ii',
    note: 'After the first two hours and before the last two. Employers of fewer than five at a place are exempt.',
  },
  DE: {
    ...plain,
    overHours: 7.5,
    orMore: true,
    source: 'Del. Code tit. 19, 707',
    note: 'After the first two hours and before the last two.',
  },
  IL: {
    overHours: 7.5,
    orMore: true,
    minutes: 20,
    startByHours: 5,
    second: { overHours: 12, startByHours: null },
    premium: false,
    rest: null,
    source: '820 Ill. Comp. Stat. 140/3',
  },
  KY: {
    ...plain,
    overHours: 5,
    minutes: 20,
    startByHours: 5,
    rest: tenInFour,
    source: 'Ky. Rev. Stat. 337.355, 337.365',
    note: 'The law says a reasonable time between the third and the fifth hour, and no length.',
  },
  MA: { ...plain, overHours: 6, source: 'Mass. Gen. Laws ch. 149, 100' },
  ME: {
    ...plain,
    overHours: 6,
    source: 'Me. Rev. Stat. tit. 26, 601',
    note: 'Where fewer than three people are on duty at a place it does not hold.',
  },
  MN: {
    ...plain,
    overHours: 6,
    orMore: true,
    rest: '15 paid minutes in every 4 hours',
    source: 'Minn. Stat. 177.253, 177.254 (since January 1, 2026)',
  },
  ND: {
    ...plain,
    overHours: 5,
    source: 'N.D. Admin. Code 46-02-07-02',
    note: 'Where two or more people are on duty, and for who wants one.',
  },
  NH: { ...plain, overHours: 5, source: 'N.H. Rev. Stat. 275:30-a' },
  NV: { ...plain, overHours: 8, orMore: true, rest: tenInFour, source: 'Nev. Rev. Stat. 608.019' },
  NY: {
    ...plain,
    overHours: 6,
    source: 'N.Y. Labor Law 162',
    note: 'Between 11 AM and 2 PM for a shift over that time.',
  },
  OR: {
    ...plain,
    overHours: 6,
    orMore: true,
    startByHours: 6,
    rest: tenInFour,
    source: 'Or. Admin. R. 839-020-0050',
    note: 'In a shift of up to 7 hours by the end of the fifth.',
  },
  RI: {
    ...plain,
    overHours: 6,
    orMore: true,
    minutes: 20,
    source: 'R.I. Gen. Laws 28-3-14',
    note: 'From 8 hours on it is 30 minutes. Where fewer than three people are on duty at a place it does not hold.',
  },
  TN: { ...plain, overHours: 6, orMore: true, source: 'Tenn. Code 50-2-103(h)' },
  WA: {
    ...plain,
    overHours: 5,
    startByHours: 5,
    second: { overHours: 10, startByHours: null },
    rest: tenInFour,
    source: 'Wash. Admin. Code 296-126-092',
    note: 'Not before the second hour.',
  },
  WV: { ...plain, overHours: 6, orMore: true, minutes: 20, source: 'W. Va. Code 21-3-10a' },
}

export const mealRuleOf = (state: string | null): MealRule | null => mealRules[state as StateCode] ?? null

/** What is wrong with the meals of a day. */
export const mealFaults = ['meal_missing', 'meal_short', 'meal_late'] as const
export type MealFault = (typeof mealFaults)[number]

const hourMs = 3_600_000
/** A clock that shows a minute less than the law's half hour shows seconds of a thumb, not a short meal. */
const graceMs = 60_000

type Spell = Pick<ClockEntry, 'kind' | 'startedAt' | 'endedAt'>

/** Rests of a day from its first clock-in: breaks, and time off the clock between two spells. Milliseconds. */
const restsOf = (entries: readonly Spell[], nowMs: number): { from: number; to: number }[] => {
  const end = (entry: Spell) => (entry.endedAt ? Date.parse(entry.endedAt) : nowMs)
  const spans = [...entries].sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
  const rests: { from: number; to: number }[] = []
  for (const [at, entry] of spans.entries()) {
    const next = spans[at + 1]
    const found = [
      ...(entry.kind === 'break' ? [{ from: Date.parse(entry.startedAt), to: end(entry) }] : []),
      ...(next && Date.parse(next.startedAt) > end(entry)
        ? [{ from: end(entry), to: Date.parse(next.startedAt) }]
        : []),
    ]
    for (const one of found) {
      const last = rests.at(-1)
      // a break right before time off the clock is one rest
      if (last && last.to === one.from) last.to = one.to
      else rests.push(one)
    }
  }
  return rests
}

/**
 * What the law of a state would ask about a day, worst first; nothing where it asks for nothing. A flag for a person to look at: who waived a meal, or
 * had it without clocking, is right.
 */
export const mealFaultsOf = (
  entries: readonly (Spell & ClockEntry)[],
  rule: MealRule | null,
  nowMs: number,
): MealFault[] => {
  const [first] = [...entries].sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
  if (!rule || !first) return []
  const start = Date.parse(first.startedAt)
  const workedMs = sumEntries(entries, nowMs).workSeconds * 1000
  const owes = (overHours: number) => (rule.orMore ? workedMs >= overHours * hourMs : workedMs > overHours * hourMs)
  if (!owes(rule.overHours)) return []
  const rests = restsOf(entries, nowMs)
  const meals = rests.filter(({ from, to }) => to - from >= rule.minutes * 60_000 - graceMs)
  const due = [
    { startByHours: rule.startByHours },
    ...(rule.second && workedMs > rule.second.overHours * hourMs ? [rule.second] : []),
  ]
  const faults = due.flatMap(({ startByHours }, at): MealFault[] => {
    const meal = meals[at]
    if (!meal) return [rests.length > meals.length + at ? 'meal_short' : 'meal_missing']
    return startByHours !== null && meal.from > start + startByHours * hourMs + graceMs ? ['meal_late'] : []
  })
  return mealFaults.filter((one) => faults.includes(one))
}

/** So long before it is due a phone says so. */
const soonMs = 30 * 60_000

/**
 * By when who is at work now has to begin the next meal, once that is half an hour away; null before, on a break and where no law asks.
 * @returns an instant, ISO
 */
export const mealDue = (entries: readonly Spell[], rule: MealRule | null, nowMs: number): string | null => {
  const spans = [...entries].sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
  const [first] = spans
  const open = spans.find(({ endedAt }) => endedAt === null)
  if (!rule || !first || !open || open.kind === 'break') return null
  const start = Date.parse(first.startedAt)
  const had = restsOf(spans, nowMs).filter(({ from, to }) => to - from >= rule.minutes * 60_000 - graceMs).length
  const hours = [
    rule.startByHours ?? rule.overHours,
    rule.second ? (rule.second.startByHours ?? rule.second.overHours) : null,
  ]
  const by = hours[had]
  if (by === null || by === undefined) return null
  const due = start + by * hourMs
  return nowMs >= due - soonMs ? new Date(due).toISOString() : null
}

/** A rule in words: "30 min over 5 hours, by the end of hour 5; a second over 10". */
export const mealRuleLabel = (rule: MealRule): string =>
  [
    `a meal of ${rule.minutes} min ${rule.orMore ? 'from' : 'over'} ${rule.overHours} hours`,
    rule.startByHours === null ? '' : `begun by the end of hour ${rule.startByHours}`,
    rule.second ? `a second over ${rule.second.overHours} hours` : '',
    rule.rest ? `rests of ${rule.rest}` : '',
  ]
    .filter(Boolean)
    .join(', ')
