import { z } from 'zod'
import { unescapeCell } from '../../../shared/csv.ts'
import { addDays, type Day, isDay } from '../../../shared/dates.ts'
import { formatCents, parseDollars } from '../../../shared/money.ts'
import { JobDraft } from '../../jobs/contract.ts'
import type { Recurrence } from '../../jobs/rules.ts'
import type { Undated } from '../../jobs/undated/rules.ts'
import { withPoint } from '../rows/rules.ts'
import { balanceFields, type ImportField, jobFields, type Mapping } from '../rules.ts'

/** Work and money of a row: a job with how often it comes back, and what the customer owes. */

export type WorkProblem = { field: ImportField; message: string }

export type ImportedLine = {
  service: string
  description: string
  quantity: number
  /** Null: by the price rule of the service. */
  priceCents: number | null
  minutes: number | null
  recurrence: Recurrence | null
  onceOn: Day | null
  undated: Undated | null
}
export type ImportedJob = {
  title: string
  instructions: string
  poNumber: string
  billing: 'per_visit' | 'flat' | 'none'
  startOn: Day
  endOn: Day | null
  status: 'active' | 'draft' | 'paused'
  pausedUntil: Day | null
  lines: ImportedLine[]
}
export type Work = {
  job: ImportedJob | null
  /** More than zero: owed. */
  balanceCents: number
  balanceOn: Day | null
  /** What could not be understood, for a person. */
  problems: WorkProblem[]
}

const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const weekdayWord = /\b(sun|mon|tue|wed|thu|fri|sat)(?:day|sday|nesday|rsday|urday|s|r|rs|n|nes)?s?\b\.?/gi
const ordinals: Record<string, number> = {
  first: 1,
  '1st': 1,
  second: 2,
  '2nd': 2,
  third: 3,
  '3rd': 3,
  fourth: 4,
  '4th': 4,
  last: -1,
}

const weekdaysOf = (text: string): number[] => [
  ...new Set([...text.matchAll(weekdayWord)].map((m) => weekdayNames.indexOf((m[1] ?? '').toLowerCase() as 'sun'))),
]

/** A day as spreadsheets and other programs write it: 2026-03-02, 3/2/2026, Mar 2, 2026, with or without a time; null for anything else. */
export const readDay = (text: string): Day | null => {
  const plain = text.trim().replace(/^(sun|mon|tue|wed|thu|fri|sat)\w*\.?,?\s+/i, '')
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(plain)
  const us = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:[ ,].*)?$/.exec(plain)
  const named = /^([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?:[ ,].*)?$/.exec(plain)
  const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
  const [year, month, day] = iso
    ? [iso[1], iso[2], iso[3]]
    : us
      ? [us[3]?.length === 2 ? `20${us[3]}` : us[3], us[1], us[2]]
      : named
        ? [named[3], String(months.indexOf((named[1] ?? '').toLowerCase()) + 1), named[2]]
        : []
  const found = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return isDay(found) ? found : null
}

export type Cadence =
  | { kind: 'once' }
  | { kind: 'on_demand' }
  | {
      kind: 'rule'
      freq: Recurrence['freq']
      interval: number
      weekdays: number[]
      nth?: Recurrence['nth']
      dayOfMonth?: number
    }

const numbers: Record<string, number> = { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, eight: 8, other: 2 }
const countOf = (word: string | undefined): number => Number(word) || numbers[(word ?? '').toLowerCase()] || 0

/**
 * How often work comes back, in the words of other programs; null when they say something else than we can be sure of.
 * @param days a column of weekdays, where the file has one
 */
export const readCadence = (text: string, days = ''): Cadence | null => {
  const words = text.toLowerCase().replace(/[–—]/g, '-').trim()
  const weekdays = weekdaysOf(`${words} ${days}`)
  if (days.trim() !== '' && weekdaysOf(days).length === 0) return null
  if (
    /^(once|one[- ]?(time|off)( job)?|single( visit)?|does not repeat|never|no repeat|1x|non[- ]recurring)$/.test(words)
  )
    return { kind: 'once' }
  if (/^(as needed|on[- ]demand|on[- ]call|call first|when called|will call)$/.test(words)) return { kind: 'on_demand' }
  const rule = (
    freq: Recurrence['freq'],
    interval: number,
    more: Partial<Extract<Cadence, { kind: 'rule' }>> = {},
  ): Cadence => ({ kind: 'rule', freq, interval, weekdays: freq === 'week' ? weekdays : [], ...more })
  const rest = words
    .replace(weekdayWord, ' ')
    .replace(/\b(on|and|of the|the|repeats?|recurring|visits?|service|in season|day)\b|[,;&()/:]/g, ' ')
    .replace(/\s-+(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const twice = /^(twice|2x|two times|2 times) (a |per |\/ ?)?week(ly)?$|^2x? ?\/? ?week(ly)?$/.exec(rest)
  if (twice) return weekdays.length === 2 ? rule('week', 1) : null
  if (/^(daily|every)$/.test(rest) && /day/.test(words) && weekdays.length === 0) return rule('day', 1)
  if (
    /^(weekly|every week|each week|1x ?\/? ?week|once a week|once per week|w|wk|wkly|7 days|every 7 days|every)$/.test(
      rest,
    )
  )
    return rest === 'every' && weekdays.length === 0 ? null : rule('week', 1)
  if (/^(bi-?weekly|bi weekly|every other week|fortnightly|eow|bw|every other|14 days|every 14 days)$/.test(rest))
    return rule('week', 2)
  const every = /^(?:every )?(\d+|one|two|three|four|five|six|eight|other) ?(day|week|wk|month|mo|year)s?(?:ly)?$/.exec(
    rest,
  )
  // "every 10 day" loses its "day" above
  const bare = /^every (\d+)s?$/.exec(rest)
  if (bare && /\bdays?\b/.test(words)) return rule('day', Number(bare[1]))
  if (every) {
    const count = countOf(every[1])
    if (count < 1 || count > 60) return null
    const unit = every[2] ?? ''
    if (unit.startsWith('w')) return rule('week', count)
    if (unit === 'day') return count % 7 === 0 ? rule('week', count / 7) : rule('day', count)
    return monthly(words, weekdays, unit === 'year' ? count * 12 : count, rule)
  }
  const months: [RegExp, number][] = [
    [/^(monthly|every month|each month|once a month|once per month|m)\b/, 1],
    [/^(bi-?monthly|every other month)$/, 2],
    [/^quarterly$/, 3],
    [/^(semi-?annual(ly)?|twice a year)$/, 6],
    [/^(annual(ly)?|yearly|every year|once a year)$/, 12],
  ]
  const found = months.find(([test]) => test.test(rest))
  return found ? monthly(words, weekdays, found[1], rule) : null
}

const monthly = (
  words: string,
  weekdays: number[],
  interval: number,
  rule: (freq: Recurrence['freq'], interval: number, more?: Partial<Extract<Cadence, { kind: 'rule' }>>) => Cadence,
): Cadence | null => {
  const ordinal = /\b(first|1st|second|2nd|third|3rd|fourth|4th|last)\b/.exec(words)?.[1]
  const [weekday] = weekdays
  if (weekday !== undefined)
    return ordinal && weekdays.length === 1
      ? rule('month', interval, { nth: { week: ordinals[ordinal] ?? 1, weekday } })
      : null
  if (ordinal === 'last') return rule('month', interval, { dayOfMonth: 31 })
  const day = /\b(\d{1,2})(?:st|nd|rd|th)\b/.exec(words)?.[1]
  return day && Number(day) > 0 && Number(day) < 32
    ? rule('month', interval, { dayOfMonth: Number(day) })
    : rule('month', interval)
}

const weekdayOf = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay()
const nextWeekday = (from: Day, weekdays: readonly number[]): Day => {
  for (let i = 0; i < 7; i++) if (weekdays.includes(weekdayOf(addDays(from, i)))) return addDays(from, i)
  return from
}

const Detail = JobDraft.pick({
  title: true,
  instructions: true,
  poNumber: true,
  billing: true,
  startOn: true,
  endOn: true,
}).extend({
  status: z.enum(['active', 'draft', 'paused']),
  pausedUntil: z.string().refine(isDay).nullable(),
  lines: z
    .array(
      z.object({
        service: z.string().trim().min(1).max(120),
        description: z.string().max(500),
        quantity: z.number().positive().max(100_000),
        priceCents: z.number().int().min(0).max(100_000_000),
        minutes: z.number().int().min(0).max(10_000),
        recurrence: z.unknown(),
        onceOn: z.string().nullable(),
        undated: z.unknown(),
      }),
    )
    .min(1)
    .max(20),
})

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const ownJob = (text: string): ImportedJob | null => {
  const found = Detail.safeParse(parsed(text))
  if (!found.success) return null
  const draft = JobDraft.shape.lines.safeParse(
    found.data.lines.map((line) => ({
      serviceId: '00000000-0000-4000-8000-000000000000',
      recurrence: line.recurrence ?? null,
      onceOn: line.onceOn,
      undated: line.undated ?? null,
    })),
  )
  if (!draft.success) return null
  return {
    ...found.data,
    lines: found.data.lines.map((line, at) => ({
      ...line,
      recurrence: draft.data[at]?.recurrence ?? null,
      undated: draft.data[at]?.undated ?? null,
      onceOn: line.onceOn,
    })),
  }
}

/** @param today in the business's zone; work that is booked begins there at the earliest */
export const readWork = (cells: readonly string[], mapping: Mapping, today: Day): Work => {
  const problems: WorkProblem[] = []
  const one = (field: ImportField): string => {
    for (const [i, f] of mapping.entries()) {
      const text = f === field ? unescapeCell((cells[i] ?? '').trim()).normalize('NFC') : ''
      if (text !== '' && !/^(n\/?a|none|null|-+)$/i.test(text)) return text
    }
    return ''
  }
  const refuse = (field: ImportField, message: string) => {
    problems.push({ field, message })
    return null
  }
  const job = one('jobDetails')
    ? (ownJob(one('jobDetails')) ?? refuse('jobDetails', 'The job cannot be read. It was changed since the export.'))
    : readJob(one, today, refuse)
  const { balanceCents, balanceOn } = readBalance(one, today, refuse)
  return { job, balanceCents, balanceOn, problems }
}

const readBalance = (
  one: (field: ImportField) => string,
  today: Day,
  refuse: (field: ImportField, message: string) => null,
): { balanceCents: number; balanceOn: Day | null } => {
  const none = { balanceCents: 0, balanceOn: null }
  const raw = one('openBalance')
  if (raw === '') return none
  const inBrackets = /^\((.*)\)$/.exec(raw)
  const cents = parseDollars(
    withPoint(inBrackets?.[1] ?? raw)
      .replace(/\s*(usd|cr|dr)\.?$/i, '')
      .replace(/^-\s*\$/, '-$')
      .replace(/^\$\s*-/, '-'),
  )
  const isCredit = inBrackets !== null || /\bcr\.?$/i.test(raw)
  if (cents === null || Math.abs(cents) > 100_000_000) {
    refuse('openBalance', `Open balance "${raw}" is not an amount of dollars.`)
    return none
  }
  if (cents < 0 || (isCredit && cents !== 0)) {
    refuse(
      'openBalance',
      `They have a credit of ${formatCents(Math.abs(cents))}. Record it as a payment, so that it can be used on an invoice.`,
    )
    return none
  }
  const on = one('balanceOn')
  const day = on === '' ? null : readDay(on)
  if (cents > 0 && on !== '' && (day === null || day > today))
    refuse('balanceOn', `"${on}" is not a day up to today; the balance is as of today.`)
  return { balanceCents: cents, balanceOn: day !== null && day <= today ? day : null }
}

const readJob = (
  one: (field: ImportField) => string,
  today: Day,
  refuse: (field: ImportField, message: string) => null,
): ImportedJob | null => {
  const service = one('jobService')
  const [frequency, days] = [one('jobFrequency'), one('jobDay')]
  if (service === '') {
    // a price or a day alone books nothing, and is not lost in silence
    const alone = (['jobFrequency', 'jobStart', 'jobPrice'] as const).find((field) => one(field) !== '')
    return alone && frequency !== '' ? refuse('jobService', 'The job has no service, so nothing was booked.') : null
  }
  if (service.length > 120)
    return refuse('jobService', 'The name of the service is longer than 120 characters. Nothing was booked.')
  const start = one('jobStart')
  const startOn = start === '' ? null : readDay(start)
  if (start !== '' && startOn === null)
    return refuse('jobStart', `First day "${start}" is not a day like 3/2/2026. The job was not booked.`)
  const end = one('jobEnd')
  const endOn = end === '' ? null : readDay(end)
  if (end !== '' && endOn === null)
    return refuse('jobEnd', `Last day "${end}" is not a day like 11/30/2026. The job was not booked.`)
  if (endOn !== null && (endOn < today || (startOn !== null && endOn < startOn)))
    return refuse('jobEnd', `The job "${service}" ended on ${end}. It was not booked.`)
  if (frequency === '' && days === '')
    return refuse('jobFrequency', `How often "${service}" comes back is not said. The job was not booked.`)
  const cadence = frequency === '' ? null : readCadence(frequency, days)
  if (cadence === null)
    return refuse(
      'jobFrequency',
      `"${[frequency, days].filter(Boolean).join(', ')}" does not say how often for sure. Book "${service}" by hand.`,
    )
  const price = one('jobPrice')
  const priceCents =
    price === '' ? null : parseDollars(withPoint(price).replace(/\s*(\/|per )\s*(visit|cut|service|month|mo)\.?$/i, ''))
  if (price !== '' && (priceCents === null || priceCents < 0 || priceCents > 100_000_000))
    return refuse('jobPrice', `Price "${price}" is not an amount of dollars. The job was not booked.`)
  const minutes = one('jobMinutes') === '' ? null : Math.round(Number(one('jobMinutes')))
  const line = {
    service,
    description: '',
    quantity: 1,
    priceCents,
    minutes: minutes !== null && minutes >= 0 && minutes <= 10_000 ? minutes : null,
    recurrence: null,
    onceOn: null,
    undated: null,
  }
  const job = {
    title: '',
    instructions: one('jobNotes').slice(0, 4000),
    poNumber: '',
    billing: 'per_visit' as const,
    startOn: startOn ?? today,
    endOn,
    status: 'active' as const,
    pausedUntil: null,
  }
  if (cadence.kind === 'on_demand') return { ...job, lines: [{ ...line, undated: { kind: 'on_demand' } }] }
  if (cadence.kind === 'once')
    return startOn === null || startOn < today
      ? refuse(
          'jobStart',
          startOn === null
            ? `The day of "${service}" is not said. The job was not booked.`
            : `The day of "${service}", ${start}, is past. The job was not booked.`,
        )
      : { ...job, lines: [{ ...line, onceOn: startOn }] }
  const { kind, ...rule } = cadence
  const needsStart =
    rule.interval > 1 ||
    (rule.freq === 'month' && !rule.nth && !rule.dayOfMonth) ||
    (rule.freq === 'week' && rule.weekdays.length === 0)
  if (startOn === null && needsStart)
    return refuse(
      'jobStart',
      `"${frequency}" needs a first day to count from. Book "${service}" by hand, or add the day to the file.`,
    )
  const from = startOn ?? (rule.freq === 'week' ? nextWeekday(today, rule.weekdays) : today)
  const recurrence: Recurrence = { ...rule, phaseOn: from, holiday: 'next', exceptions: [] }
  return { ...job, startOn: from, lines: [{ ...line, recurrence }] }
}

/** Whether a mapping brings work or what is owed. */
export const bringsWork = (mapping: Mapping): { jobs: boolean; balances: boolean } => ({
  jobs: mapping.some((field) => field !== null && (jobFields.has(field as ImportField) || field === 'jobDetails')),
  balances: mapping.some((field) => field !== null && balanceFields.has(field as ImportField)),
})
