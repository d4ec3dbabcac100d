import { addDays, addMonths, type Day, formatDay, monthNames } from '../../shared/dates.ts'
import { formatCents, formatPercent } from '../../shared/money.ts'

/**
 * What each number of analytics means, for its screen, the report, the statistics and the dashboard. All of it is of local days that end today.
 */

export const kinds = ['all', 'crew', 'service', 'city', 'source'] as const
export type Kind = (typeof kinds)[number]

/** What days came to, added up. Money in cents; `worthCents` is the net price of what was completed, `capturedCents` the part that is paid. */
export type Figures = {
  completions: number
  worthCents: number
  capturedCents: number
  /** Labor seconds on site and on the road, and those on the road alone. */
  laborSeconds: number
  driveLaborSeconds: number
  /** Of visits whose time is known alone: what they were worth, and both kinds of seconds. Without a clock there is money and no time. */
  clockedWorthCents: number
  clockedLaborSeconds: number
  clockedDriveLaborSeconds: number
  /** Completed and skipped. */
  stops: number
  skips: number
  /** Crews that finished a stop, by day, and the stops of theirs. */
  runs: number
  runStops: number
  /** Stops of runs whose way is known, and that way. */
  drivenStops: number
  driveMeters: number
  /** Issued, without those that were voided. */
  invoices: number
  invoicesPaid: number
  invoicedCents: number
  /** Payments by the ledger, and what of payments of any day went back or to a crew. */
  receivedCents: number
  returnedCents: number
}

export const noFigures: Figures = {
  completions: 0,
  worthCents: 0,
  capturedCents: 0,
  laborSeconds: 0,
  driveLaborSeconds: 0,
  clockedWorthCents: 0,
  clockedLaborSeconds: 0,
  clockedDriveLaborSeconds: 0,
  stops: 0,
  skips: 0,
  runs: 0,
  runStops: 0,
  drivenStops: 0,
  driveMeters: 0,
  invoices: 0,
  invoicesPaid: 0,
  invoicedCents: 0,
  receivedCents: 0,
  returnedCents: 0,
}
const names = Object.keys(noFigures) as (keyof Figures)[]

/** Adds figures up, name by name. */
export const sumFigures = (all: readonly Figures[]): Figures =>
  Object.fromEntries(names.map((name) => [name, all.reduce((sum, one) => sum + one[name], 0)])) as Figures

export const periods = ['week', 'month', 'year'] as const
export type Period = (typeof periods)[number]
export const periodDays: Record<Period, number> = { week: 7, month: 30, year: 365 }
export const periodLabel: Record<Period, string> = {
  week: 'Last 7 Days',
  month: 'Last 30 Days',
  year: 'Last 365 Days',
}

/** The period that a count of days on the wire means; any other count is the month. */
export const periodOfRange = (timeRange: string | undefined): Period =>
  timeRange === '7' ? 'week' : timeRange === '365' ? 'year' : 'month'

/** Days back from today that any of these screens reads. */
export const lookBackDays = 2 * 365

/** The period that ends today, the one before it, and the same one a year ago, first and last day included. */
export const spansOf = (period: Period, today: Day) => {
  const days = periodDays[period]
  const ending = (to: Day) => ({ from: addDays(to, 1 - days), to })
  return {
    current: ending(today),
    previous: ending(addDays(today, -days)),
    lastYear: period === 'year' ? ending(addDays(today, -days)) : ending(addMonths(today, -12)),
  }
}

/**
 * Change in percent against an earlier figure, with one decimal.
 * @returns null when there was nothing to compare with: never infinity
 */
export const changePercent = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / before) * 1000) / 10

/** A change as it is shown: "+12.4%", "n/a" where there was nothing to compare with. */
export const changeText = (percent: number | null): string =>
  percent === null ? 'n/a' : formatPercent(percent, { signed: true })

/** How far a share in percent moved: "-0.4 points"; "n/a" where there was nothing to compare with. A percentage of a percentage would be read as points. */
export const pointsText = ({ now, before }: { now: number | null; before: number | null }): string => {
  if (now === null || before === null) return 'n/a'
  const points = Math.round((now - before) * 10) / 10
  return `${points > 0 ? '+' : ''}${points.toFixed(1)} ${Math.abs(points) === 1 ? 'point' : 'points'}`
}

/** Before a quarter of a labor hour was worked, what an hour earned would only be noise. */
export const leastLaborSeconds = 900

/**
 * What a labor hour earned: money over the labor seconds on site and on the road, both of visits that a clock saw.
 * @returns cents per labor hour, or null before `leastLaborSeconds`
 */
export const perLaborHour = (earnedCents: number, laborSeconds: number): number | null =>
  laborSeconds < leastLaborSeconds ? null : Math.round(earnedCents / (laborSeconds / 3600))

/** A part in percent with one decimal; 0 of nothing. */
export const shareOf = (part: number, of: number): number => (of === 0 ? 0 : Math.round((part / of) * 1000) / 10)
const shareOrNull = (part: number, of: number): number | null => (of === 0 ? null : shareOf(part, of))

/** Percent of the worth of finished work that is paid; 0 where nothing was finished. */
export const captureRate = (figures: Figures): number => shareOf(figures.capturedCents, figures.worthCents)

/** Percent of the issued invoices that are paid. */
export const paymentRate = (figures: Figures): number => shareOf(figures.invoicesPaid, figures.invoices)

/** Percent of the quotes sent that were approved. */
export const conversionRate = (quotes: { sent: number; won: number }): number => shareOf(quotes.won, quotes.sent)

const metersPerMile = 1609.344
const mean = (sum: number, count: number): number | null => (count === 0 ? null : sum / count)
const tenth = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10)

/** What follows from figures; null where there is nothing to say it of. */
export const ratesOf = (figures: Figures) => ({
  captureRate: captureRate(figures),
  paymentRate: paymentRate(figures),
  perLaborHourCents: perLaborHour(figures.clockedWorthCents, figures.clockedLaborSeconds),
  drivePercent: shareOrNull(figures.clockedDriveLaborSeconds, figures.clockedLaborSeconds),
  skipPercent: shareOrNull(figures.skips, figures.stops),
  /** One decimal. */
  stopsPerMile: tenth(mean(figures.drivenStops, figures.driveMeters / metersPerMile)),
})

/** Stops of a route that is over, on average with one decimal; 0 without any. @param closed figures of days before today */
export const jobsPerRoute = (closed: Figures): number => tenth(mean(closed.runStops, closed.runs)) ?? 0

/** The part of a sum on each of so many, in whole cents; 0 without any. */
export const averageCents = (cents: number, count: number): number => Math.round(mean(cents, count) ?? 0)

type Money = { worthCents: { now: number }; capturedCents: { now: number } }
/** What of completed work is not paid. */
export const uncaptured = ({ worthCents, capturedCents }: Money): number => worthCents.now - capturedCents.now

type Counts = { now: number; before: number; lastYear: number }
/** Whether there is nothing to tell: no work completed, no money and no invoice in the period nor in those it is compared with. */
export const isEmpty = (found: { completions: Counts; receivedCents: Counts; invoicedCents: Counts }): boolean =>
  [found.completions, found.receivedCents, found.invoicedCents].every(
    ({ now, before, lastYear }) => now === 0 && before === 0 && lastYear === 0,
  )

export type Bucket = { label: string; from: Day; to: Day }

/** The columns of a chart: days of a week, six days at a time of a month, months of a year; named by their first day. */
export const bucketsOf = (period: Period, { from, to }: { from: Day; to: Day }): Bucket[] => {
  if (period === 'week')
    return Array.from({ length: 7 }, (_, at) => addDays(from, at)).map((day) => ({
      label: formatDay(day).slice(0, 3),
      from: day,
      to: day,
    }))
  if (period === 'month')
    return [0, 6, 12, 18, 24].map((at) => {
      const [first, last] = [addDays(from, at), addDays(from, at + 5)]
      return { label: shortDay(first), from: first, to: last }
    })
  const buckets: Bucket[] = []
  for (let first = from; first <= to; first = addMonths(`${first.slice(0, 7)}-01`, 1)) {
    const last = addDays(addMonths(`${first.slice(0, 7)}-01`, 1), -1)
    const name = (monthNames[Number(first.slice(5, 7)) - 1] ?? '').slice(0, 3)
    // the same month may stand at both ends
    buckets.push({
      label: buckets.length === 0 ? `${name} ’${first.slice(2, 4)}` : name,
      from: first,
      to: last < to ? last : to,
    })
  }
  return buckets
}
export const shortDay = (day: Day): string => `${Number(day.slice(5, 7))}/${Number(day.slice(8, 10))}`

/** What is said under a chart of columns that are named by their first day or month. @param paired two columns are drawn as one */
export const columnsNote = (period: Period, paired: boolean): string | null =>
  period === 'month'
    ? 'Each column is six days, named by the first.'
    : period === 'year' && paired
      ? 'Each column is two months, named by the first.'
      : null

/** Two neighbors as one where there is only the width of a phone; the numbers are added up. */
export const pairUp = <Row extends { label: string }>(rows: readonly Row[]): Row[] =>
  rows.flatMap((row, at) => {
    if (at % 2 === 1) return []
    const next = rows[at + 1]
    if (!next) return [row]
    const sums = Object.entries(row).map(([name, value]) => {
      const other = next[name as keyof Row]
      return [name, typeof value === 'number' && typeof other === 'number' ? value + other : value]
    })
    return [Object.fromEntries(sums) as Row]
  })

/** The figures of each column. @param days figures by day */
export const bucketFigures = (buckets: readonly Bucket[], days: readonly { day: Day; figures: Figures }[]): Figures[] =>
  buckets.map(({ from, to }) =>
    sumFigures(days.filter(({ day }) => day >= from && day <= to).map(({ figures }) => figures)),
  )

export type Part = { kind: Exclude<Kind, 'all'>; name: string; nowCents: number; beforeCents: number }
const kindWord: Record<Part['kind'], string> = {
  crew: 'the crew',
  service: 'the service',
  city: 'the city',
  source: 'the source',
}

/**
 * One sentence on what changed and where: of all crews, services and cities the one whose change is the largest in the direction of the whole.
 * It "did most of it" only where that is at least half. Where there is but one crew, service or city, it is the whole and explains nothing.
 * @param before what the period before is called, as "the 30 days before"
 */
export const whySentence = (
  total: { nowCents: number; beforeCents: number },
  parts: readonly Part[],
  before: string,
): string => {
  const change = total.nowCents - total.beforeCents
  if (total.nowCents === 0 && total.beforeCents === 0) return `No work was completed, and none in ${before}.`
  if (change === 0)
    return `Completed work comes to ${formatCents(total.nowCents)}, to the cent as much as in ${before}.`
  const percent = changePercent(total.nowCents, total.beforeCents)
  const how = `Completed work comes to ${formatCents(Math.abs(change))} ${change > 0 ? 'more' : 'less'} than in ${before}${
    percent === null ? '' : ` (${changeText(percent)})`
  }`
  const own = (part: Part): number => (part.nowCents - part.beforeCents) * Math.sign(change)
  const several = parts.filter(({ kind }) => parts.filter((part) => part.kind === kind).length > 1)
  const most = several.reduce<Part | null>((best, part) => (own(part) > (best ? own(best) : 0) ? part : best), null)
  if (!most) return `${how}.`
  const cents = most.nowCents - most.beforeCents
  const share = Math.abs(cents) * 2 >= Math.abs(change) ? 'did most of it' : 'did more of it than any other'
  return `${how}; ${kindWord[most.kind]} ${most.name} ${share} with ${formatCents(Math.abs(cents))} ${change > 0 ? 'more' : 'less'}.`
}

/** "the 30 days before". */
export const beforeLabel = (period: Period): string => `the ${periodDays[period]} days before`

/** The longest span that is asked for at once, in months: no answer grows with a business's history. */
export const longestMonths = 13
