import { type Day, monthNames, weekdayNames } from '../../../shared/dates.ts'
import type { Recurrence, SeasonSpan } from '../rules.ts'
import type { Undated } from '../undated/rules.ts'

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'] as const

/** "first" to "fifth", or "last" (-1) of a month's weekdays. */
export const nthWord = (week: number): string => (week === -1 ? 'last' : (ordinals[week - 1] ?? ''))

const list = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const monthDay = (md: string): string => `${monthNames[Number(md.slice(0, 2)) - 1]} ${Number(md.slice(3, 5))}`
/** "March 1 to April 15". */
export const spanText = ({ from, to }: SeasonSpan): string => `${monthDay(from)} to ${monthDay(to)}`

const fullDay = (day: Day): string => `${monthDay(day.slice(5))}, ${day.slice(0, 4)}`

const ordinal = (n: number): string => {
  const tail = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${tail}`
}

const every = (interval: number, one: string, many: string): string =>
  interval === 1 ? `Every ${one}` : interval === 2 ? `Every second ${one}` : `Every ${interval} ${many}`

const isAllYear = (spans: readonly SeasonSpan[]): boolean =>
  spans.length === 0 || spans.some((s) => s.from === '01-01' && s.to === '12-31')

const weekdayOfDay = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay()

/** The other paces of a rule and when they hold: "every second week from March 1 to March 31". */
const otherPaces = (rule: Recurrence): string[] => {
  const paces = new Set((rule.periods ?? []).map((period) => period.interval).filter((n) => n !== rule.interval))
  return [...paces].map((interval) => {
    const spans = (rule.periods ?? []).filter((period) => period.interval === interval)
    const pace = every(interval, rule.freq, `${rule.freq}s`).toLowerCase()
    return `${pace} from ${list(spans.map(spanText))}`
  })
}

/** "2 weeks after the last one is done, on Tuesday". */
const afterDone = (rule: Recurrence): string => {
  const unit = rule.interval === 1 ? `1 ${rule.freq}` : `${rule.interval} ${rule.freq}s`
  const days = rule.freq === 'week' ? [...new Set(rule.weekdays)] : []
  const on = days.length > 0 ? `, on ${list(days.map((d) => weekdayNames[d] ?? ''))}` : ''
  return `${unit[0]?.toUpperCase()}${unit.slice(1)} after the last one is done${on}`
}

const when = (rule: Recurrence): string => {
  if (rule.anchor === 'completion') return afterDone(rule)
  if (rule.freq === 'day') return every(rule.interval, 'day', 'days')
  if (rule.freq === 'week') {
    const days = rule.weekdays.length > 0 ? [...new Set(rule.weekdays)] : [weekdayOfDay(rule.phaseOn)]
    const ordered = days.sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
    return `${every(rule.interval, 'week', 'weeks')} on ${list(ordered.map((d) => weekdayNames[d] ?? ''))}`
  }
  const months = every(rule.interval, 'month', 'months')
  if (rule.nth) {
    return `${months} on the ${nthWord(rule.nth.week)} ${weekdayNames[rule.nth.weekday]}`
  }
  const day = rule.dayOfMonth ?? Number(rule.phaseOn.slice(8, 10))
  return day >= 31 ? `${months} on the last day` : `${months} on the ${ordinal(day)}`
}

/**
 * A rule as the owner of a crew says it: "Every week on Tuesday, March 1 to November 30".
 * @param businessSeason the season where the rule has none of its own
 */
export const recurrenceText = (rule: Recurrence, businessSeason: readonly SeasonSpan[] = []): string => {
  const spans = rule.season ?? businessSeason
  const parts = [when(rule)]
  if (!isAllYear(spans)) parts.push(list(spans.map(spanText)))
  parts.push(...otherPaces(rule))
  if (rule.end && 'count' in rule.end) parts.push(rule.end.count === 1 ? 'once' : `${rule.end.count} times`)
  if (rule.end && 'on' in rule.end) parts.push(`until ${fullDay(rule.end.on)}`)
  return parts.join(', ')
}

/** "March 1 to April 15" of a round; a window over New Year says the year. */
export const windowText = ({ opensOn, closesOn }: { opensOn: Day; closesOn: Day }): string =>
  opensOn.slice(0, 4) === closesOn.slice(0, 4)
    ? spanText({ from: opensOn.slice(5), to: closesOn.slice(5) })
    : `${fullDay(opensOn)} to ${fullDay(closesOn)}`

/** "Round 1, March 1 to April 15". */
export const undatedText = (line: Undated): string => {
  if (line.kind === 'on_demand') return 'On demand'
  if (line.kind === 'waiting') return `Waiting list from ${fullDay(line.fromOn)}`
  return `${line.name}, ${windowText(line)}`
}

/** What a job does and when, for its row: the rule, or "Once on May 4, 2026". */
export const scheduleText = (
  line: { recurrence: Recurrence | null; onceOn: Day | null; undated?: Undated | null },
  businessSeason: readonly SeasonSpan[] = [],
): string =>
  line.recurrence
    ? recurrenceText(line.recurrence, businessSeason)
    : line.onceOn
      ? `Once on ${fullDay(line.onceOn)}`
      : line.undated
        ? undatedText(line.undated)
        : 'No schedule'
