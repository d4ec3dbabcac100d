import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { stepStates, type Undated as UndatedRule } from './rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')

const Step = z.object({
  kind: z.literal('step'),
  name: z.string().trim().min(1, 'A name is needed').max(80),
  opensOn: Day,
  closesOn: Day,
  minGapDays: z.number().int().min(0).max(400).default(0),
  /** The office decided to do it although its window is past. */
  late: z.boolean().optional(),
})
const Waiting = z.object({ kind: z.literal('waiting'), fromOn: Day, warnOn: Day.nullable().default(null) })
const OnDemand = z.object({ kind: z.literal('on_demand') })

/** What a line has instead of days; what contradicts itself is refused in words. */
export const Undated: z.ZodType<UndatedRule> = z
  .discriminatedUnion('kind', [Step, Waiting, OnDemand])
  .superRefine((line, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (line.kind === 'step' && line.closesOn < line.opensOn) refuse('closesOn', 'The window closes before it opens.')
    if (line.kind === 'waiting' && line.warnOn !== null && line.warnOn < line.fromOn)
      refuse('warnOn', 'The warning comes before the start.')
  })

/** Where work without a day stands now. */
export const LineStanding = z.object({
  state: z.enum(stepStates),
  /** From when it can be done; of a round that waits for the one before it the earliest day known. */
  opensOn: z.string().nullable(),
  /** The last day of its window, or the one on which waiting work is warned of. */
  closesOn: z.string().nullable(),
  daysLate: z.number().int(),
  visitId: z.uuid().nullable(),
  day: z.string().nullable(),
})
