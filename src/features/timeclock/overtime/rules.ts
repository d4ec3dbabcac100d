import type { StateCode } from '../../../shared/states.ts'

/**
 * From when on time is paid at one and a half, or double. Hours; null where there is no such limit.
 * `seventhDay`: what a week worked on all seven days does to the seventh: California pays its first eight hours at one and a half and
 * the rest double, Kentucky the whole of it at one and a half once the week is over forty hours.
 */
export type OvertimeRule = {
  weeklyHours: number
  dailyHours: number | null
  doubleHours: number | null
  seventhDay: 'none' | 'eightThenDouble' | 'allOverForty'
}

type StateRule = OvertimeRule & {
  /** Where the state says so. */
  source: string
  /** What a person of the office has to know besides. */
  note?: string
}

export const federalRule: StateRule = {
  weeklyHours: 40,
  dailyHours: null,
  doubleHours: null,
  seventhDay: 'none',
  source: '29 U.S.C. 207(a)(1)',
}

/** States that pay overtime sooner than the federal law; all others follow it. A longer week of a state (Kansas 46, Minnesota 48 hours) does not help an employer whom the federal law reaches. */
export const stateRules: Partial<Record<StateCode, StateRule>> = {
  AK: {
    ...federalRule,
    dailyHours: 8,
    source: 'Alaska Stat. 23.10.060',
    note: 'Employers of fewer than four people are exempt: set your own rule then.',
  },
  CA: {
    weeklyHours: 40,
    dailyHours: 8,
    doubleHours: 12,
    seventhDay: 'eightThenDouble',
    source: 'Cal. Labor Code 510',
  },
  CO: { ...federalRule, dailyHours: 12, source: '7 Colo. Code Regs. 1103-1, 4.1.1' },
  KY: { ...federalRule, seventhDay: 'allOverForty', source: 'Ky. Rev. Stat. 337.050, 337.285' },
  NV: {
    ...federalRule,
    dailyHours: 8,
    source: 'Nev. Rev. Stat. 608.018',
    note: 'Eight hours a day count only for people who earn less than one and a half times the minimum wage.',
  },
}

/** One and a half times Nevada's minimum wage of $12.00 (since July 1, 2024): from here on a day has no limit of its own. */
const nevadaDailyBelowCents = 1800

/**
 * The rule that holds for a person.
 * @param wageCents per hour, for the states where the limit of a day depends on it; null when unknown
 */
export const ruleFor = (state: string | null, wageCents: number | null): OvertimeRule => {
  const rule = stateRules[state as StateCode] ?? federalRule
  return state === 'NV' && wageCents !== null && wageCents >= nevadaDailyBelowCents
    ? { ...rule, dailyHours: null }
    : rule
}

/** Seconds by how they are paid: once, one and a half times, double. */
export type PaySplit = { regular: number; overtime: number; double: number }

const hour = 3600
const noPay: PaySplit = { regular: 0, overtime: 0, double: 0 }

const ofDay = (seconds: number, rule: OvertimeRule, isSeventh: boolean, weekSeconds: number): PaySplit => {
  if (isSeventh && rule.seventhDay === 'eightThenDouble') {
    const overtime = Math.min(seconds, 8 * hour)
    return { regular: 0, overtime, double: seconds - overtime }
  }
  if (isSeventh && rule.seventhDay === 'allOverForty' && weekSeconds > 40 * hour)
    return { regular: 0, overtime: seconds, double: 0 }
  const double = rule.doubleHours === null ? 0 : Math.max(0, seconds - rule.doubleHours * hour)
  const overtime = rule.dailyHours === null ? 0 : Math.max(0, seconds - double - rule.dailyHours * hour)
  return { regular: seconds - overtime - double, overtime, double }
}

/**
 * How the seconds of a week are paid. What is over a day's limit is taken first; of what is left, what is over the week's limit, from its end.
 * No second is paid as overtime twice.
 * @param days paid seconds of the days of the week in their order
 */
export const splitWeek = (days: readonly number[], rule: OvertimeRule): PaySplit[] => {
  const worked = days.reduce((sum, seconds) => sum + seconds, 0)
  const allSeven = days.length === 7 && days.every((seconds) => seconds > 0)
  const split = days.map((seconds, at) => ofDay(seconds, rule, allSeven && at === 6, worked))
  let over = split.reduce((sum, day) => sum + day.regular, 0) - rule.weeklyHours * hour
  for (let at = split.length - 1; at >= 0 && over > 0; at--) {
    const day = split[at] ?? noPay
    const moved = Math.min(over, day.regular)
    split[at] = { ...day, regular: day.regular - moved, overtime: day.overtime + moved }
    over -= moved
  }
  return split
}

export const sumSplit = (days: readonly PaySplit[]): PaySplit =>
  days.reduce(
    (sum, day) => ({
      regular: sum.regular + day.regular,
      overtime: sum.overtime + day.overtime,
      double: sum.double + day.double,
    }),
    noPay,
  )

/** A rule in words: "over 8 hours a day and 40 a week; double over 12 hours". */
export const ruleLabel = (rule: OvertimeRule): string =>
  [
    rule.dailyHours === null
      ? `over ${rule.weeklyHours} hours a week`
      : `over ${rule.dailyHours} hours a day and ${rule.weeklyHours} a week`,
    rule.doubleHours === null ? '' : `double over ${rule.doubleHours} hours a day`,
    rule.seventhDay === 'none' ? '' : 'and the seventh day in a row',
  ]
    .filter(Boolean)
    .join('; ')
