import type { Refusal } from '../../shared/can.ts'
import { roundHalfUp } from '../../shared/money.ts'
import type { VisitStatus } from '../visits/rules.ts'

/** What a visit costs beyond what its job says: said by the crew at the stop, by rules of the business, decided by the office where it wants to be asked. */

export const extraKinds = ['overgrown', 'sold'] as const

/**
 * `asked`: the customer is to answer; `refused` by the customer; `waiting`: the office is to decide; `added`: it stands on the visit as a line of its own; `booked`: it is a job of its own; `declined` by the office;
 * `withdrawn` by the crew.
 */
export const extraStates = ['asked', 'waiting', 'added', 'booked', 'declined', 'refused', 'withdrawn'] as const
export type ExtraState = (typeof extraStates)[number]

/** How much a lawn is overgrown, in the words of the business, and what that adds: percent of the mowing, or cents. */
export type OvergrownStep = { id: string; en: string; es: string; percent: number | null; cents: number | null }
export type OvergrownRule = {
  on: boolean
  /** The office decides before it stands on the visit. */
  asks: boolean
  steps: OvergrownStep[]
}

export const mostSteps = 5
export const longestStep = 60

/** What a business begins with; nothing is added before it is switched on. */
export const usualOvergrown: OvergrownRule = {
  on: false,
  asks: false,
  steps: [
    { id: 'tall', en: 'Tall grass', es: 'Pasto alto', percent: 50, cents: null },
    { id: 'very-tall', en: 'Very tall grass', es: 'Pasto muy alto', percent: 100, cents: null },
  ],
}

/** Cents that a step adds to mowing of so many cents; half cents go up. */
export const overgrownCents = (step: Pick<OvergrownStep, 'percent' | 'cents'>, mowingCents: number): number =>
  step.cents ?? roundHalfUp((mowingCents * (step.percent ?? 0)) / 100)

/** What a step adds, as it reads: "+50%", "+$20". */
export const stepText = ({ percent, cents }: Pick<OvergrownStep, 'percent' | 'cents'>): string =>
  cents === null ? `+${percent ?? 0}%` : `+$${(cents / 100).toFixed(cents % 100 === 0 ? 0 : 2)}`

/** What the line of a step is called on visits, invoices and pages. Without a step nobody knows how much it was. */
export const overgrownTitle = (step: Pick<OvergrownStep, 'en' | 'es'> | null): { title: string; titleEs: string } => ({
  title: step ? `Overgrown lawn: ${step.en.toLowerCase()}` : 'Overgrown lawn',
  titleEs: step?.es ? `Césped crecido: ${step.es.toLowerCase()}` : 'Césped crecido',
})

/** What is mowed of a visit, in cents: what an upcharge is a percentage of. Everything, where none of it is mowing. */
export const mowingCents = (lines: readonly { category: string; cents: number }[]): number => {
  const mowing = lines.filter(({ category }) => category === 'mow')
  return (mowing.length > 0 ? mowing : lines).reduce((sum, { cents }) => sum + cents, 0)
}

const closed: readonly VisitStatus[] = ['canceled', 'missed', 'unscheduled', 'skipped']

/**
 * What comes of an extra for a visit in some state. Work that the office has closed or billed meanwhile is a conflict that a person looks at; where
 * nobody has begun, nobody has seen the lawn.
 */
export const extraVerdict = (visit: {
  status: VisitStatus
  billed: boolean
}): { kind: 'apply' } | { kind: 'conflict' | 'refused'; reason: 'billed' | 'not_started' | VisitStatus } => {
  if (visit.billed) return { kind: 'conflict', reason: 'billed' }
  if (closed.includes(visit.status)) return { kind: 'conflict', reason: visit.status }
  if (visit.status === 'scheduled' || visit.status === 'en_route') return { kind: 'refused', reason: 'not_started' }
  return { kind: 'apply' }
}

/** Whether a crew can say of a stop that it costs more. */
export const takesExtras = (status: VisitStatus): boolean => extraVerdict({ status, billed: false }).kind === 'apply'

/** Why the crew cannot take an extra back any more, or null. */
export const withdrawRefusal = (extra: {
  state: ExtraState
  decided: boolean
  billed: boolean
}): 'already' | 'billed' | 'decided' | null => {
  if (extra.state === 'withdrawn') return 'already'
  if (extra.decided || !['asked', 'waiting', 'added'].includes(extra.state)) return 'decided'
  return extra.state === 'added' && extra.billed ? 'billed' : null
}

export const extraActions = ['add', 'reprice', 'decline', 'book'] as const
export type ExtraAction = (typeof extraActions)[number]

export type ExtraFacts = {
  state: ExtraState
  visit: { status: VisitStatus; billed: boolean; billable: boolean }
}

const onInvoice = 'The visit is on an invoice already. Void the invoice first. Nothing was changed.'
const isOver: Partial<Record<ExtraState, string>> = {
  refused: 'The customer said no. Nothing was changed.',
  booked: 'It is a job of its own already. Nothing was changed.',
  withdrawn: 'The crew took it back. Nothing was changed.',
}
const ended = (state: ExtraState): string | null => isOver[state] ?? null

/** Why the office cannot do something with an extra now, as a sentence; null where it can. */
export const extraRefusals: Record<ExtraAction, Refusal<ExtraFacts>> = {
  add: ({ state, visit }) =>
    ended(state) ??
    (state === 'added' ? 'It stands on the visit already. Nothing was changed.' : null) ??
    (visit.billed
      ? `${onInvoice.replace(' Nothing was changed.', '')} Or make it a job of its own. Nothing was changed.`
      : null) ??
    (visit.billable
      ? null
      : 'Nobody is billed for this visit by itself. Make it a job of its own, then it is invoiced. Nothing was changed.') ??
    (closed.includes(visit.status)
      ? 'This visit was not done. Bring it back first, or make it a job of its own. Nothing was changed.'
      : null),
  reprice: ({ state, visit }) =>
    ended(state) ??
    (state !== 'added' ? 'It does not stand on the visit. Nothing was changed.' : visit.billed ? onInvoice : null),
  decline: ({ state, visit }) =>
    ended(state) ??
    (state === 'declined' ? 'It was declined already. Nothing was changed.' : null) ??
    (state === 'added' && visit.billed ? onInvoice : null),
  book: ({ state, visit }) => ended(state) ?? (state === 'added' && visit.billed ? onInvoice : null),
}

export const extraStateLabel: Record<ExtraState, string> = {
  asked: 'Waits for the customer',
  waiting: 'Waits for you',
  added: 'On the visit',
  booked: 'A job of its own',
  declined: 'Declined',
  refused: 'The customer said no',
  withdrawn: 'Taken back by the crew',
}

/** What is wrong with a rule beyond its shape, for the form, or null. */
export const overgrownProblem = (rule: OvergrownRule): { path: string; message: string } | null => {
  if (rule.on && rule.steps.length === 0)
    return { path: 'overgrown.steps', message: 'Give at least one step, or switch it off.' }
  const at = rule.steps.findIndex(({ percent, cents }) => (percent === null) === (cents === null))
  if (at >= 0)
    return {
      path: `overgrown.steps.${at}.percent`,
      message: 'Say how much it adds: in percent or in dollars, not both.',
    }
  return new Set(rule.steps.map(({ id }) => id)).size < rule.steps.length
    ? { path: 'overgrown.steps', message: 'One step stands there twice.' }
    : null
}
