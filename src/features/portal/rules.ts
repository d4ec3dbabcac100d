import type { Refusal } from '../../shared/can.ts'
import { addDays, type Day, instantAt } from '../../shared/dates.ts'
import { readPhone } from '../../shared/phone.ts'
import type { VisitStatus } from '../visits/rules.ts'

/** What customers may do by themselves, and until when. */
export type PortalRules = {
  enabled: boolean
  skipAllowed: boolean
  skipHours: number
  skipReason: string
  pauseAllowed: boolean
  pauseDays: number
  requestsAllowed: boolean
  serviceIds: string[]
}

/** How it is until a business says otherwise. */
export const usualRules: PortalRules = {
  enabled: true,
  skipAllowed: true,
  skipHours: 48,
  skipReason: 'customer_asked',
  pauseAllowed: true,
  pauseDays: 90,
  requestsAllowed: true,
  serviceIds: [],
}

/** How long a link signs in. */
export const linkMinutes = 20
/** How long a browser stays signed in. */
export const sessionDays = 30
/** A skip can be taken back so long, even where its visit is nearer than the rule allows. */
export const graceMinutes = 10
/** Photos that go with one message of a customer. */
export const mostMessagePhotos = 4
/** What they may weigh together; a browser with scripts makes them small before. */
export const mostMessagePhotosMegabytes = 24
export const photosFormBytes = mostMessagePhotosMegabytes * 1024 * 1024 + 64 * 1024
/** When a day begins where nobody has said when the crew comes. */
const dayBegins = 8 * 60

/** An e-mail address or a phone number as somebody typed it, or null. */
export const readAddress = (text: string): { channel: 'email' | 'sms'; address: string } | null => {
  const bare = text.trim()
  if (bare.length > 254) return null
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(bare)) return { channel: 'email', address: bare.toLowerCase() }
  const phone = readPhone(bare)
  return phone ? { channel: 'sms', address: phone } : null
}

type PlannedVisit = { status: VisitStatus; day: Day | null; windowStartMinute: number | null }

/** Until when a visit may be skipped, as an instant; null where it has no day. */
export const skipUntil = (
  visit: Pick<PlannedVisit, 'day' | 'windowStartMinute'>,
  skipHours: number,
  timeZone: string,
): string | null =>
  visit.day === null
    ? null
    : new Date(
        Date.parse(instantAt(visit.day, visit.windowStartMinute ?? dayBegins, timeZone)) - skipHours * 3_600_000,
      ).toISOString()

export type SkipVerdict = 'yes' | 'off' | 'late' | 'over'

/** Whether a customer may skip a visit now. */
export const skipVerdict = (
  visit: PlannedVisit,
  rules: Pick<PortalRules, 'skipAllowed' | 'skipHours'>,
  { now, timeZone }: { now: string; timeZone: string },
): SkipVerdict => {
  if (visit.status !== 'scheduled' || visit.day === null) return 'over'
  if (!rules.skipAllowed) return 'off'
  return now <= (skipUntil(visit, rules.skipHours, timeZone) ?? '') ? 'yes' : 'late'
}

/** Whether a customer may take their own skip back now. @param skippedAt when they skipped it in the portal; null where it was not them */
export const unskipVerdict = (
  visit: PlannedVisit,
  rules: Pick<PortalRules, 'skipHours'>,
  { now, timeZone, skippedAt }: { now: string; timeZone: string; skippedAt: string | null },
): boolean =>
  visit.status === 'skipped' &&
  skippedAt !== null &&
  (now <= (skipUntil(visit, rules.skipHours, timeZone) ?? '') ||
    Date.parse(now) - Date.parse(skippedAt) <= graceMinutes * 60_000)

/** The first and the last day on which a pause may end. */
export const pauseSpan = (today: Day, pauseDays: number): { first: Day; last: Day } => ({
  first: addDays(today, 7),
  last: addDays(today, pauseDays),
})

export type PauseVerdict = 'yes' | 'off' | 'near' | 'not_running'

/**
 * Whether a customer may pause a job now. A visit that is too near to be skipped is too near to be paused away.
 * @param next the next open visit of the job
 */
export const pauseVerdict = (
  job: { status: string },
  next: PlannedVisit | null,
  rules: Pick<PortalRules, 'pauseAllowed' | 'skipHours'>,
  at: { now: string; timeZone: string },
): PauseVerdict => {
  if (job.status !== 'active') return 'not_running'
  if (!rules.pauseAllowed) return 'off'
  if (next === null) return 'yes'
  return skipVerdict(next, { skipAllowed: true, skipHours: rules.skipHours }, at) === 'yes' ? 'yes' : 'near'
}

export const requestKinds = ['service', 'address', 'pause'] as const
export type RequestKind = (typeof requestKinds)[number]
export const requestStates = ['open', 'done', 'declined', 'withdrawn'] as const
export type RequestState = (typeof requestStates)[number]

export const requestActions = ['accept', 'decline'] as const
export type RequestAction = (typeof requestActions)[number]

const answered: Refusal<{ status: RequestState }> = ({ status }) =>
  status === 'open' ? null : 'Somebody has answered this already. Nothing was changed.'

/** Why a request refuses an answer. */
export const requestRefusals: Record<RequestAction, Refusal<{ status: RequestState }>> = {
  accept: answered,
  decline: answered,
}

/** Until so many requests of a customer are answered no more are taken. */
export const mostOpenRequests = 10
