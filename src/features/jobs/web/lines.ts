import type { ApiError } from '#src/shared/client.ts'
import type { Day } from '#src/shared/dates.ts'
import { lineCents } from '#src/shared/money.ts'
import type { ServiceRecord } from '../../services/contract.ts'
import { measureOf, type Sizes } from '../../services/measures/rules.ts'
import { budgetMinutesFor, type Price, priceFor } from '../../services/rules.ts'
import type { JobRecord } from '../contract.ts'
import { frequencyOf } from '../rules.ts'
import type { JobBody } from './data.ts'
import type { Schedule } from './schedule.ts'

/** A line while it is typed. Null in price or minutes means: as the rule says. */
export type LineForm = {
  key: string
  id?: string
  serviceId: string
  description: string
  quantity: number
  /** What stands in the quantity is none: no sum is known until it is put right. */
  unreadQuantity?: boolean
  priceCents: number | null
  /** What stands in the price cannot be read: no price is known until it is put right. */
  unreadPrice?: boolean
  minutes: number | null
  /** Null follows the schedule of the job. */
  schedule: Schedule | null
  /** What a line that exists will cost from a day on, and whether that is let go. */
  nextPrice?: { cents: number; on: Day; before: number | null } | null
  dropsNextPrice?: boolean
  /** From where the rule of a line that exists counts its weeks. */
  phaseOn?: Day
}

/** What prices depend on of a property. */
export type Lawn = Sizes & { difficulty: number }

export const newLine = (serviceId: string): LineForm => ({
  key: crypto.randomUUID(),
  serviceId,
  description: '',
  quantity: 1,
  priceCents: null,
  minutes: null,
  schedule: null,
})

export type LineNumbers = {
  rule: Price
  ruleMinutes: number
  unitCents: number | null
  totalCents: number | null
  minutes: number
}

/** Price and time of a line as they stand in the form. */
export const numbersOf = (
  line: LineForm,
  service: ServiceRecord | undefined,
  lawn: Lawn | null,
  schedule: Schedule,
): LineNumbers => {
  if (!service || !lawn)
    return {
      rule: { cents: null, reason: lawn ? 'choose a service' : 'choose a property' },
      ruleMinutes: 0,
      unitCents: line.priceCents,
      totalCents: line.priceCents === null ? null : lineCents(line.quantity, line.priceCents),
      minutes: line.minutes ?? 0,
    }
  const facts = { ...measureOf(service, lawn), difficulty: lawn.difficulty }
  const rule: Price = service.priceRule
    ? priceFor(service.priceRule, { ...facts, frequency: frequencyOf((line.schedule ?? schedule).recurrence) })
    : { cents: null, reason: 'is worked out when the job is saved' }
  const ruleMinutes = budgetMinutesFor(service, { ...facts, quantity: line.quantity })
  const unitCents = line.unreadPrice || line.unreadQuantity ? null : (line.priceCents ?? rule.cents)
  return {
    rule,
    ruleMinutes,
    unitCents,
    totalCents: unitCents === null ? null : lineCents(line.quantity, unitCents),
    minutes: line.minutes ?? ruleMinutes,
  }
}

/** The lines as they are sent. Where the rule prices a new line, or the price is hidden, the server works out price and time. */
export const linesToSend = (
  lines: readonly LineForm[],
  schedule: Schedule,
  explicit?: (line: LineForm) => LineNumbers,
): JobBody['lines'] =>
  lines.map((line) => {
    const { recurrence, onceOn, undated } = line.schedule ?? schedule
    const numbers = explicit?.(line)
    const unitPriceCents = line.priceCents ?? numbers?.unitCents ?? undefined
    const budgetMinutes = line.minutes ?? (numbers?.unitCents === null ? undefined : numbers?.minutes)
    return {
      ...(line.id ? { id: line.id } : {}),
      serviceId: line.serviceId,
      description: line.description,
      quantity: line.quantity,
      recurrence: undated ? null : recurrence,
      onceOn: recurrence || undated ? null : onceOn,
      ...(undated ? { undated } : {}),
      ...(line.phaseOn && recurrence && recurrence.phaseOn !== line.phaseOn ? { movesPhase: true } : {}),
      ...(line.dropsNextPrice ? { dropsNextPrice: true } : {}),
      ...(unitPriceCents === undefined ? {} : { unitPriceCents }),
      ...(budgetMinutes === undefined ? {} : { budgetMinutes }),
    }
  })

/** The form of a job that exists: the schedule of its first line is the job's, lines with another have their own. */
export const formOf = (job: JobRecord): { lines: LineForm[]; schedule: Schedule } => {
  const scheduleOf = (line: JobRecord['lines'][number] | undefined): Schedule => ({
    recurrence: line?.recurrence ?? null,
    onceOn: line?.onceOn ?? null,
    undated: line?.undated ?? null,
    startOn: job.startOn,
    endOn: job.endOn,
  })
  // Rounds have windows of their own, which no other service of the job follows.
  const schedule = scheduleOf(job.lines.find((line) => line.undated?.kind !== 'step'))
  const same = (line: JobRecord['lines'][number]) =>
    line.undated?.kind !== 'step' &&
    JSON.stringify([line.recurrence, line.onceOn, line.undated]) ===
      JSON.stringify([schedule.recurrence, schedule.onceOn, schedule.undated ?? null])
  return {
    schedule,
    lines: job.lines.map((line) => ({
      key: line.id,
      id: line.id,
      serviceId: line.serviceId,
      description: line.description,
      quantity: line.quantity,
      priceCents: line.unitPriceCents,
      minutes: line.budgetMinutes,
      nextPrice: line.nextPrice && { ...line.nextPrice, before: line.unitPriceCents },
      schedule: same(line) ? null : scheduleOf(line),
      ...(line.recurrence ? { phaseOn: line.recurrence.phaseOn } : {}),
    })),
  }
}

/** What the server refused: at the lines it named, or as one sentence for the form when it named none. */
export const problemsOf = (error: ApiError): { byLine: Record<number, string>; problem: string | null } => {
  const byLine: Record<number, string> = {}
  for (const one of error.errors) {
    const index = /^lines\.(\d+)/.exec(one.path)?.[1]
    if (index !== undefined) byLine[Number(index)] = one.message
  }
  return { byLine, problem: Object.keys(byLine).length > 0 ? null : (error.errors[0]?.message ?? error.message) }
}
