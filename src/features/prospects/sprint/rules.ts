import { addDays, dayOf, instantAt, minuteOfDay } from '../../../shared/dates.ts'

/** The Setup Sprint: 14 days from the first call, two calls of 20 minutes, homework between them. A step that is missed makes the onboarding fee due. */

export const sprintDays = 14

export const sprintStatuses = ['applied', 'queued', 'declined', 'admitted', 'running', 'finished', 'missed'] as const
export type SprintStatus = (typeof sprintStatuses)[number]

export const feeStatuses = ['none', 'due', 'confirmed', 'waived', 'paid'] as const
export type FeeStatus = (typeof feeStatuses)[number]

/** The steps in the order in which they are shown, as their checklist names them. */
export const sprintSteps = {
  call_1: 'Call 1, 20 minutes',
  services_and_prices: 'Your services and prices are in',
  customers_imported: 'Your customers are in',
  crews_invited: 'Your crew is invited',
  route_planned: 'The first route is planned and sent to the crew',
  invoice_sent: 'The first invoice is sent',
  profile_activated: 'Your profile has your real name, address and number',
  team_set_up: 'Your team is set up',
  call_2: 'Call 2, 20 minutes',
} as const
export type SprintStep = keyof typeof sprintSteps
export const stepNames = Object.keys(sprintSteps) as [SprintStep, ...SprintStep[]]

export type SprintFacts = {
  status: SprintStatus
  /** When call 1 begins; null until it is booked. */
  startedAt: string | null
  endsAt: string | null
  /** When call 2 begins, once it is booked. */
  call2At: string | null
  done: Readonly<Partial<Record<SprintStep, string | null>>>
}

/** The end of a Sprint: the same time of day 14 days after call 1, on the clock of a zone. */
export const sprintEnd = (call1At: string, timeZone: string): string =>
  instantAt(addDays(dayOf(call1At, timeZone), sprintDays), minuteOfDay(call1At, timeZone), timeZone)

/** When a step has to be done: homework and team by call 2, the calls by the end. Null before the Sprint has begun. */
export const stepDue = (step: SprintStep, facts: Pick<SprintFacts, 'endsAt' | 'call2At'>): string | null => {
  if (!facts.endsAt) return null
  const byEnd = step === 'call_1' || step === 'call_2' || !facts.call2At || facts.call2At > facts.endsAt
  return byEnd ? facts.endsAt : facts.call2At
}

export type StepState = 'done' | 'open' | 'missed'

/** Every step with its state at an instant. A step that was done late counts as missed: what was promised was the day. */
export const stepStates = (
  facts: SprintFacts,
  now: string,
): { step: SprintStep; dueAt: string | null; doneAt: string | null; state: StepState }[] =>
  stepNames.map((step) => {
    const dueAt = stepDue(step, facts)
    const doneAt = facts.done[step] ?? null
    const isCall = step === 'call_1' || step === 'call_2'
    // A call is marked afterwards; only homework can be late.
    const late = dueAt !== null && (doneAt === null ? now > dueAt : !isCall && doneAt > dueAt)
    return { step, dueAt, doneAt, state: late ? 'missed' : doneAt ? 'done' : 'open' }
  })

/** Where a Sprint stands at an instant; what is over stays over. */
export const nextStatus = (facts: SprintFacts, now: string): SprintStatus => {
  if (facts.status !== 'admitted' && facts.status !== 'running') return facts.status
  if (!facts.startedAt || now < facts.startedAt) return 'admitted'
  const states = stepStates(facts, now).map(({ state }) => state)
  if (states.includes('missed')) return 'missed'
  return states.every((state) => state === 'done') ? 'finished' : 'running'
}

/** Which answers to an application may follow which. Once admitted, the place is used. */
export const mayDecide = (from: SprintStatus, to: 'admitted' | 'queued' | 'declined'): boolean =>
  ['applied', 'queued', 'declined'].includes(from) && from !== to

/** Places that are left this month. */
export const placesLeft = (limit: number, used: number): number => Math.max(0, limit - used)

/** The month of an instant in a zone, "2026-06". */
export const monthOf = (now: Date, timeZone: string): string => dayOf(now, timeZone).slice(0, 7)

/** How long the end of a Sprint still stands on the dashboard once nothing is open. */
const noticeDays = 7

/**
 * What a business hears of its Sprint: the checklist while it lasts, how it ended for a week more, and an open fee until it is settled.
 * Null when there is nothing to show.
 * @param fee the amount as it stands on screen
 */
export const sprintNotice = (
  sprint: { status: SprintStatus; feeStatus: FeeStatus; endsAt: string | null },
  now: string,
  fee: string,
): { tone: 'info' | 'warn' | 'done'; title: string; message: string } | null => {
  if (sprint.status === 'admitted' || sprint.status === 'running') return { tone: 'info', title: '', message: '' }
  const until = Date.parse(sprint.endsAt ?? '') + noticeDays * 86_400_000
  const isFresh = Date.parse(now) < until
  if (sprint.status === 'finished')
    return isFresh
      ? { tone: 'done', title: 'Every step is done.', message: 'You are set up. There is no onboarding fee.' }
      : null
  if (sprint.status !== 'missed') return null
  const title = 'A step was missed.'
  if (sprint.feeStatus === 'paid' || sprint.feeStatus === 'waived')
    return isFresh ? { tone: 'info', title, message: `The onboarding fee of ${fee} is ${sprint.feeStatus}.` } : null
  const message =
    sprint.feeStatus === 'confirmed'
      ? `The onboarding fee of ${fee} is to be paid. The link is on your Setup Sprint page, which we mailed to you.`
      : `The onboarding fee is ${fee}. We look at what happened and write to you before anything is to be paid.`
  return { tone: 'warn', title, message }
}
