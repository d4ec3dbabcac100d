import type { Refusal } from '../../../shared/can.ts'
import { addMonths, type Day } from '../../../shared/dates.ts'
import { lineCents, roundHalfUp } from '../../../shared/money.ts'
import type { SeasonLine } from '../../jobs/seasons/rules.ts'
import type { MessageStatus } from '../../messages/rules.ts'
import type { QuoteStatus } from '../rules.ts'

/** The next season of many customers at once: prices, answers and what may be done. Pure. */

export const runStatuses = ['collecting', 'draft', 'sending', 'sent', 'withdrawing', 'withdrawn'] as const
export type RunStatus = (typeof runStatuses)[number]

/** `ask`: only a yes renews. `auto`: it renews after the last day to answer, unless they say no. */
export const runModes = ['ask', 'auto'] as const
export type RunMode = (typeof runModes)[number]

/** Cents to round a price to: the cent, the dollar, five dollars. */
export const roundings = [1, 100, 500] as const

/** Percent in hundredths, or cents a visit. */
export type Raise = { kind: 'none' | 'percent' | 'amount'; value: number; roundTo: number }

/** A line of one renewal: what it costs today and then. `typed`: somebody set that price by hand. */
export type RenewalLine = SeasonLine & { id: string; cents: number; typed: boolean }

/**
 * What a price is after a raise, rounded to the nearest step. Rounding alone never makes a raised price lower, nor a lowered one higher.
 * @param cents of one unit today
 */
export const raisedCents = (cents: number, { kind, value, roundTo }: Raise): number => {
  if (kind === 'none' || value === 0) return cents
  const exact = kind === 'percent' ? (cents * (10_000 + value)) / 10_000 : cents + value
  const rounded = Math.max(0, roundHalfUp(exact / roundTo) * roundTo)
  return value > 0 ? Math.max(cents, rounded) : Math.min(cents, rounded)
}

/** Lines at the prices of a raise; what was typed by hand stays. A round that is new costs what the book says. */
export const priceRenewal = <L extends Omit<RenewalLine, 'cents'> & { cents?: number }>(
  lines: readonly L[],
  raise: Raise,
): (L & { cents: number })[] =>
  lines.map((line) => ({
    ...line,
    cents:
      line.typed && line.cents !== undefined
        ? line.cents
        : line.jobLineId === null
          ? line.wasCents
          : raisedCents(line.wasCents, raise),
  }))

/** What a season comes to before tax, at the prices of today and at the new ones. */
export const renewalSums = (
  lines: readonly Pick<RenewalLine, 'quantity' | 'visits' | 'wasCents' | 'cents'>[],
): { beforeCents: number; afterCents: number } => ({
  beforeCents: lines.reduce((sum, line) => sum + lineCents(line.quantity, line.wasCents) * line.visits, 0),
  afterCents: lines.reduce((sum, line) => sum + lineCents(line.quantity, line.cents) * line.visits, 0),
})

/** How a renewal stands, by its own state and that of the quote that it was sent as. */
export const answers = [
  'open',
  'excluded',
  'failed',
  'waiting',
  'changes',
  'to_pay',
  'accepted',
  'declined',
  'undelivered',
  'no_answer',
  'withdrawn',
] as const
export type Answer = (typeof answers)[number]

export const answerOf = (
  state: 'open' | 'excluded' | 'sent' | 'failed' | 'withdrawn',
  status: QuoteStatus | null,
  undelivered = false,
): Answer => {
  if (state !== 'sent') return state
  switch (status) {
    case 'converted':
      return 'accepted'
    // signed; its season is booked once the money for it is there
    case 'approved':
      return 'to_pay'
    case 'declined':
      return 'declined'
    case 'expired':
      return undelivered ? 'undelivered' : 'no_answer'
    case 'changes_requested':
    case 'draft':
      return 'changes'
    case 'archived':
      return 'withdrawn'
    default:
      return 'waiting'
  }
}

export const answerLabel: Record<Answer, string> = {
  open: 'To be sent',
  excluded: 'Left out',
  failed: 'Not sent',
  waiting: 'Waiting',
  changes: 'Wants changes',
  to_pay: 'Signed, not booked',
  accepted: 'Renewed',
  declined: 'Said no',
  undelivered: 'Not delivered',
  no_answer: 'No answer',
  withdrawn: 'Taken back',
}

/** What is known of one notice: how far it came, and why no further. */
export type Notice = { channel: 'email' | 'sms'; status: MessageStatus; reason: string | null }

/** Whether any of the notices reached somebody: it left and nothing came back. What may or may not have left did not. */
export const hasArrived = (notices: readonly Pick<Notice, 'status'>[]): boolean =>
  notices.some(({ status }) => status === 'sent' || status === 'delivered')

/** Why a season was not renewed by itself although nobody said no, for the office. @param notices that did not arrive, the newest first */
export const undeliveredWords = (notices: readonly Notice[]): string => {
  const said = new Map(
    notices.toReversed().map(({ channel, status, reason }) => {
      const way = channel === 'sms' ? 'text' : 'e-mail'
      const why =
        reason ||
        (status === 'failed' ? 'was refused' : status === 'unknown' ? 'may not have arrived' : 'had not left yet')
      return [channel, `${way}: ${why}`] as const
    }),
  )
  const why = said.size === 0 ? 'none was sent' : [...said.values()].join('; ')
  return `The notice did not arrive (${why}), so the season was not renewed. Send a new version of the quote, or call them.`.slice(
    0,
    500,
  )
}

export const runActions = ['update', 'send', 'retry', 'withdraw'] as const
export type RunAction = (typeof runActions)[number]

export type RunFacts = { name: string; status: RunStatus; failed: number; unanswered: number }

const busy: Partial<Record<RunStatus, string>> = {
  collecting: 'is still being put together',
  sending: 'is being sent',
  withdrawing: 'is being taken back',
  withdrawn: 'was taken back',
  sent: 'was sent',
}
const not = ({ name, status }: RunFacts, what: string): string =>
  `${name} ${busy[status] ?? 'is a draft'}, so it cannot be ${what}. Nothing was changed.`

/** Why a run's state refuses an action. */
export const runRefusals: Record<RunAction, Refusal<RunFacts>> = {
  update: (facts) => (facts.status === 'draft' ? null : not(facts, 'changed')),
  send: (facts) => (facts.status === 'draft' ? null : not(facts, 'sent')),
  retry: (facts) =>
    facts.status !== 'sent'
      ? not(facts, 'tried again')
      : facts.failed === 0
        ? `Everything of ${facts.name} was sent. Nothing was changed.`
        : null,
  withdraw: (facts) =>
    facts.status === 'collecting' || facts.status === 'draft' || facts.status === 'sending'
      ? null
      : facts.status !== 'sent'
        ? not(facts, 'taken back')
        : facts.unanswered === 0
          ? `Everybody of ${facts.name} has answered, so there is nothing to take back. Nothing was changed.`
          : null,
}

/** The season that is offered first: that of the business, next time it begins. @param season `MM-DD` of its first and last day */
export const usualSeason = (season: { start: string; end: string }, today: Day): { startsOn: Day; endsOn: Day } => {
  const year = Number(today.slice(0, 4))
  const day = (of: number, monthDay: string) => `${of}-${monthDay === '02-29' ? '03-01' : monthDay}`
  const startsOn = day(year, season.start) > today ? day(year, season.start) : day(year + 1, season.start)
  const ends = day(Number(startsOn.slice(0, 4)), season.end)
  return { startsOn, endsOn: ends > startsOn ? ends : addMonths(ends, 12) }
}
