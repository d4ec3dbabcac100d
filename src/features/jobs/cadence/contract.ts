import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { paceGaps, type Recurrence as RecurrenceRule, type SeasonSpan } from './rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const MonthDay = z.string().refine((text) => /^\d\d-\d\d$/.test(text) && isDay(`2024-${text}`), 'A day like 03-01')
const Weekday = z.number().int().min(0).max(6)
const Interval = z.number().int().min(1, 'At least 1').max(365)
const SpanOfYear = z.object({ from: MonthDay, to: MonthDay })
const GapDays = z.number().int().min(1, 'At least one day').max(400)

/** A span without the turn of the year. */
const pieces = ({ from, to }: SeasonSpan): SeasonSpan[] =>
  from <= to
    ? [{ from, to }]
    : [
        { from, to: '12-31' },
        { from: '01-01', to },
      ]
const overlap = (a: SeasonSpan, b: SeasonSpan): boolean =>
  pieces(a).some((x) => pieces(b).some((y) => x.from <= y.to && y.from <= x.to))

/** A rule of recurrence; what contradicts itself is refused in words. */
export const Recurrence: z.ZodType<RecurrenceRule> = z
  .object({
    freq: z.enum(['day', 'week', 'month']),
    interval: Interval,
    weekdays: z.array(Weekday).max(7).default([]),
    nth: z
      .object({
        week: z
          .number()
          .int()
          .min(-1)
          .max(5)
          .refine((n) => n !== 0, 'First to fifth, or last'),
        weekday: Weekday,
      })
      .optional(),
    dayOfMonth: z.number().int().min(1).max(31).optional(),
    phaseOn: Day,
    season: z.array(SpanOfYear).max(6).optional(),
    end: z.union([z.object({ count: z.number().int().min(1).max(1000) }), z.object({ on: Day })]).optional(),
    holiday: z.enum(['skip', 'next', 'previous']),
    exceptions: z.array(Day).max(400).default([]),
    periods: z
      .array(SpanOfYear.extend({ interval: Interval }))
      .max(8)
      .optional(),
    tolerance: z.object({ before: z.number().int().min(0).max(60), after: z.number().int().min(0).max(60) }).optional(),
    minGapDays: GapDays.optional(),
    maxGapDays: GapDays.optional(),
    anchor: z.enum(['calendar', 'completion']).optional(),
  })
  .superRefine((rule, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const periods = rule.periods ?? []
    if (periods.some((one, at) => periods.slice(at + 1).some((other) => overlap(one, other))))
      refuse('periods', 'Two periods share days of the year. Let one end before the other begins.')
    if (rule.anchor === 'completion' && rule.nth)
      refuse('nth', 'Work that follows the last visit is not bound to a weekday of the month. Choose weeks or days.')
    if (rule.anchor === 'completion' && rule.end && 'count' in rule.end)
      refuse('end', 'Work that follows the last visit ends on a day. Say which.')
    const { shortest, longest } = paceGaps(rule)
    if (rule.minGapDays !== undefined && rule.minGapDays > shortest)
      refuse('minGapDays', `The schedule itself comes after ${shortest} days. The least gap cannot be longer.`)
    if (rule.maxGapDays !== undefined && rule.maxGapDays < longest)
      refuse(
        'maxGapDays',
        `The schedule itself leaves ${longest} days between two visits. The longest gap cannot be shorter.`,
      )
  })
