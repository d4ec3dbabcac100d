import type { Day } from '../../../shared/dates.ts'
import type { PaySplit } from '../overtime/rules.ts'
import type { ReadAs } from '../rules.ts'
import type { PaidOff } from '../timeoff/rules.ts'

/** How the payroll reads the clock. It changes no record; zero reads the seconds. */
export const roundings = [0, 5, 6, 15] as const
export type Rounding = (typeof roundings)[number]

/**
 * The nearest step of the clock by full minutes, as 29 CFR 785.48(b) has it: of a quarter, 1 to 7 minutes go down and 8 to 14 up. Over time
 * that gives as much as it takes. Offsets of US time zones are whole quarters, so the wall clock rounds as the instant does.
 */
const rounded = (instant: string, minutes: Rounding): string => {
  const minute = Math.floor(Date.parse(instant) / 60_000)
  return new Date(Math.round(minute / minutes) * minutes * 60_000).toISOString()
}

/** How the payroll reads a spell. Where one ends and the next begins stays one moment; day, week and the paid break come from what was clocked. */
export const roundedTo =
  (minutes: Rounding): ReadAs =>
  (entry) =>
    minutes === 0
      ? entry
      : { startedAt: rounded(entry.startedAt, minutes), endedAt: entry.endedAt && rounded(entry.endedAt, minutes) }

export type PayTerms = { centsPerHour: number; pieceCents: number | null; bonusCents: number | null }

type Wage = { from: Day } & PayTerms & { burdenPercent: number | null }

/** What a person is paid and costs on a day; `isUsual` where they have no wage of their own yet. */
export type DayTerms = PayTerms & { burdenPercent: number; isUsual: boolean }

/** The terms of a person's days. @param wages the newest first */
export const termsOf =
  (wages: readonly Wage[], usual: { defaultWageCents: number; burdenPercent: number }) =>
  (day: Day): DayTerms => {
    const wage = wages.find((one) => one.from <= day)
    return {
      centsPerHour: wage?.centsPerHour ?? usual.defaultWageCents,
      pieceCents: wage?.pieceCents ?? null,
      bonusCents: wage?.bonusCents ?? null,
      burdenPercent: wage?.burdenPercent ?? usual.burdenPercent,
      isUsual: wage === undefined,
    }
  }

/** The wage that a state's rule asks about: the least of the days worked; null where lawns were paid, because nobody knows it before. */
export const wageOfWeek = (days: readonly { paidSeconds: number; terms: PayTerms }[]): number | null => {
  const worked = days.filter((day) => day.paidSeconds > 0)
  return worked.length === 0 || worked.some(({ terms }) => terms.pieceCents !== null)
    ? null
    : Math.min(...worked.map(({ terms }) => terms.centsPerHour))
}

/** A day as it is paid: its seconds, the lawns finished, and the terms of that day. */
export type PaidDay = PaySplit & { lawns: number; terms: PayTerms }

/** What a week is paid for, as a payroll takes it. `premium` is what overtime adds beyond the hours' own rate. */
export const payItems = [
  'regular',
  'overtime',
  'double',
  'lawnHours',
  'piece',
  'bonus',
  'premium',
  'meal',
  'vacation',
  'sick',
  'holiday',
  'mileage',
] as const
export type PayItemKind = (typeof payItems)[number]

/** A line of pay. Hours are hundredths of an hour at a rate; `lawnHours` were paid by the lawn and come to nothing by themselves. */
export type PayItem = { item: PayItemKind; rateCents: number | null; hundredths: number; cents: number }

export type Pay = {
  /** By the hour, at the plain rate, for all hours. */
  hourCents: number
  pieceCents: number
  bonusCents: number
  /** What overtime and double time add to that. */
  premiumCents: number
  grossCents: number
  /** The same line by line; they add up to the gross. */
  items: PayItem[]
}

const hours = (seconds: number): number => seconds / 3600

/** How often the rate is paid. */
const times = { regular: 1, overtime: 1.5, double: 2 } as const
type HourKind = keyof typeof times
const hourKinds = Object.keys(times) as HourKind[]

/** Hours as every payroll takes them, to the nearest hundredth, at the rate that it multiplies them with. */
const hourItem = (item: HourKind, rateCents: number, seconds: number): PayItem => {
  const hundredths = Math.round(seconds / 36)
  return { item, rateCents, hundredths, cents: Math.round((hundredths * rateCents * times[item]) / 100) }
}

export const amountItem = (item: PayItemKind, cents: number): PayItem => ({
  item,
  rateCents: null,
  hundredths: 0,
  cents,
})

const lawnHoursOf = (seconds: number): PayItem => ({
  item: 'lawnHours',
  rateCents: null,
  hundredths: Math.round(seconds / 36),
  cents: 0,
})

/**
 * The pay of a week. Who is paid by the lawn gets the lawns instead of the hours. Overtime adds half, double time the whole of the week's
 * regular rate: everything earned by all hours worked (29 CFR 778.109, 778.111, 778.209). A payroll pays overtime at the rate of the hours it is
 * told; what the week's rate is above that is the premium. Where it is below (overtime on the days of the higher wage), all hours go plain and the whole
 * of what overtime adds is the premium.
 */
export const payOfWeek = (days: readonly PaidDay[]): Pay => {
  const sum = (of: (day: PaidDay) => number, among = days): number => among.reduce((total, day) => total + of(day), 0)
  const all = (day: PaidDay) => day.regular + day.overtime + day.double
  const byHour = days.filter((day) => day.terms.pieceCents === null)
  const pieceCents = sum((day) => day.lawns * (day.terms.pieceCents ?? 0))
  const bonusCents = sum((day) => day.lawns * (day.terms.bonusCents ?? 0))
  const plainCents = sum((day) => hours(all(day)) * day.terms.centsPerHour, byHour)
  const worked = hours(sum(all))
  const rate = worked > 0 ? (plainCents + pieceCents + bonusCents) / worked : 0
  const added = rate * (hours(sum((day) => day.overtime)) / 2 + hours(sum((day) => day.double)))
  const told = sum((day) => day.terms.centsPerHour * (hours(day.overtime) / 2 + hours(day.double)), byHour)
  const isPlain = added - told < -0.5
  const rates = [...Map.groupBy(byHour, (day) => day.terms.centsPerHour)].sort(([one], [other]) => one - other)
  const items = [
    ...rates.flatMap(([rateCents, own]) =>
      isPlain
        ? [hourItem('regular', rateCents, sum(all, own))]
        : hourKinds.map((kind) =>
            hourItem(
              kind,
              rateCents,
              sum((day) => day[kind], own),
            ),
          ),
    ),
    lawnHoursOf(
      sum(
        all,
        days.filter((day) => day.terms.pieceCents !== null),
      ),
    ),
    amountItem('piece', pieceCents),
    amountItem('bonus', bonusCents),
    amountItem('premium', Math.max(0, Math.round(isPlain ? added : added - told))),
  ].filter((one) => one.hundredths > 0 || one.cents > 0)
  const grossCents = items.reduce((total, one) => total + one.cents, 0)
  const premiumCents = Math.min(Math.round(added), grossCents - pieceCents - bonusCents)
  return {
    hourCents: grossCents - pieceCents - bonusCents - premiumCents,
    pieceCents,
    bonusCents,
    premiumCents,
    grossCents,
    items,
  }
}

/**
 * Paid time off, a line a kind and wage: hours at the wage of their day. It is in the gross, and neither in the hours that make overtime nor in its rate
 * (29 CFR 778.218, 778.219).
 */
export const offItems = (days: readonly (PaidOff & { rateCents: number })[]): PayItem[] =>
  [...Map.groupBy(days, ({ kind, rateCents }) => `${kind} ${rateCents}`).values()].flatMap((own) => {
    const [{ kind, rateCents } = { kind: null, rateCents: 0 }] = own
    const hundredths = Math.round(own.reduce((sum, one) => sum + one.minutes, 0) / 0.6)
    return kind ? [{ item: kind, rateCents, hundredths, cents: Math.round((hundredths * rateCents) / 100) }] : []
  })

/**
 * Premium hours for meals that were not had in time: each an hour at the week's regular rate, everything earned by all hours worked, overtime's own
 * addition left out (Cal. Labor Code 226.7, Ferra v. Loews Hollywood Hotel, 2021). They are pay, no hours worked.
 */
export const mealItems = (
  days: number,
  { hourCents, pieceCents, bonusCents }: Pick<Pay, 'hourCents' | 'pieceCents' | 'bonusCents'>,
  workedSeconds: number,
): PayItem[] => {
  if (days === 0 || workedSeconds === 0) return []
  const rateCents = Math.round((hourCents + pieceCents + bonusCents) / hours(workedSeconds))
  return [{ item: 'meal', rateCents, hundredths: 100 * days, cents: days * rateCents }]
}

/** What a week costs: each day's burden lies on what that day earned, overtime with it. */
export const costOfWeek = (days: readonly (PaidDay & { burdenPercent: number })[], grossCents: number): number => {
  const earned = ({ terms, lawns, ...day }: PaidDay): number =>
    (terms.pieceCents === null
      ? hours(day.regular + day.overtime + day.double) * terms.centsPerHour
      : lawns * terms.pieceCents) +
    lawns * (terms.bonusCents ?? 0)
  const total = days.reduce((sum, day) => sum + earned(day), 0)
  if (total === 0) return grossCents
  return Math.round(
    days.reduce((sum, day) => sum + (grossCents * earned(day) * (100 + day.burdenPercent)) / 100, 0) / total,
  )
}

/** The federal minimum; a state's own is often higher. */
const federalMinimumCents = 725

/** Whether a week paid by the lawn comes to less than the law's least. */
export const isBelowMinimum = (pay: Pay, seconds: number): boolean =>
  seconds > 0 && pay.grossCents - pay.premiumCents < Math.floor(hours(seconds) * federalMinimumCents)

/** What labor costs: pay with taxes and insurance on top. */
export const withBurden = (cents: number, percent: number): number => Math.round((cents * (100 + percent)) / 100)

/** A person at a job: seconds on the clock there, at what they cost. */
export type LaborPart = { seconds: number; centsPerHour: number; burdenPercent: number }

/** What labor on a job or a day cost, in cents. Each person is rounded once, so parts add up to what is shown. */
export const laborCostCents = (parts: readonly LaborPart[]): number =>
  parts.reduce((sum, part) => sum + withBurden(hours(part.seconds) * part.centsPerHour, part.burdenPercent), 0)

/** Tenths of a mile at tenths of a cent a mile, in cents. */
export const mileageCents = (tenthMiles: number, tenthCents: number): number =>
  Math.round((tenthMiles * tenthCents) / 100)

/** What a provider calls a kind of pay, where a business may say that it is called otherwise there. */
export const codedItems = [
  'double',
  'piece',
  'bonus',
  'premium',
  'meal',
  'vacation',
  'sick',
  'holiday',
  'mileage',
] as const
export type CodedItem = (typeof codedItems)[number]
export const codedItemLabel: Record<CodedItem, string> = {
  double: 'Double time',
  piece: 'Pay by the lawn',
  bonus: 'Bonus',
  premium: 'Overtime premium',
  meal: 'Meal premium',
  vacation: 'Vacation',
  sick: 'Sick leave',
  holiday: 'Holiday',
  mileage: 'Own car',
}

export const presets = ['plain', 'adp', 'gusto', 'quickbooks', 'paychex'] as const
export type Preset = (typeof presets)[number]
export const presetLabel: Record<Preset, string> = {
  plain: 'Plain CSV',
  adp: 'ADP Workforce Now',
  gusto: 'Gusto',
  quickbooks: 'QuickBooks Payroll',
  paychex: 'Paychex Flex',
}
