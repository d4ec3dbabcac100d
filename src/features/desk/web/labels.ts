import { ApiError } from '../../../shared/client.ts'
import type { LeadSource, LeadStatus } from '../../prospects/rules.ts'
import type { TrackedMessage } from '../contract.ts'
import type { TemplateKey } from '../rules.ts'

export const statusNames: Readonly<Record<LeadStatus, string>> = {
  new: 'New',
  contacted: 'Contacted',
  qualified: 'Qualified',
  converted: 'Converted',
  closed: 'Closed',
}

export const sourceNames: Readonly<Record<LeadSource, string>> = {
  landing_page: 'Landing page',
  quote_builder_direct: 'Application',
  google_ads: 'Google Ads',
}

export const templateNames: Readonly<Record<TemplateKey, string>> = {
  initial_contact: 'Initial contact',
  follow_up_interested: 'Follow up, interested',
  follow_up_general: 'Follow up, general',
  special_deals: 'Special deals',
  meeting_reminder: 'Meeting reminder',
}

/** What a refusal says, or the words that stand in for it. */
export const messageOf = (error: unknown, otherwise = 'Please try again.'): string =>
  error instanceof Error && error.message ? error.message : otherwise

/** The same where only the server's own words count: without an answer there are none. */
export const serverMessage = (error: unknown, otherwise: string): string =>
  error instanceof ApiError && error.status > 0 && error.message ? error.message : otherwise

export const fetchFailure = (error: unknown): string =>
  error instanceof ApiError && error.status === 404
    ? 'Leads API not available yet. Backend needs to be updated.'
    : `Failed to fetch leads: ${messageOf(error)}`

/** An instant as the desk shows it: in the zone of whoever looks. */
export const instantLabel = (iso: string): string =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(iso))

export const dayLabel = (iso: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' }).format(new Date(iso))

/** A time of day, in the zone of whoever looks or in another one. */
export const clockLabel = (iso: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', ...(timeZone ? { timeZone } : {}) }).format(
    new Date(iso),
  )

/** The day on which an instant falls for whoever looks, as YYYY-MM-DD. */
export const dayOfInstant = (iso: string): string => new Intl.DateTimeFormat('en-CA').format(new Date(iso))

export const weekdayLabel = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

export type MessageBadge = { tone: 'done' | 'now' | 'late' | 'wait' | 'neutral'; label: string; at: string | null }

const times = (count: number | undefined): string => (count && count > 1 ? ` ${count} times` : '')

/** What became of a message of ours, the latest last. Mail that a server took is sent; it is delivered when we hear so. */
export const badgesOf = (message: TrackedMessage): MessageBadge[] => {
  if (message.direction === 'inbound') return []
  const plain = (tone: MessageBadge['tone'], label: string): MessageBadge => ({ tone, label, at: null })
  if (message.failed) return [plain('late', 'Failed')]
  if (message.state === 'suppressed') return [plain('late', 'Not sent')]
  if (message.waitsUntil) return [plain('wait', `Waits until ${instantLabel(message.waitsUntil)}`)]
  if (message.state === 'held') return [plain('wait', 'Waiting')]
  if (message.state === 'unknown') return [plain('wait', 'May have been sent')]
  if (message.state === 'pending') return [plain('wait', 'Pending')]
  return [
    message.delivered
      ? { tone: 'done', label: 'Delivered', at: message.deliveredAt }
      : { tone: 'neutral', label: 'Sent', at: message.sentAt },
    ...(message.opened
      ? [{ tone: 'now' as const, label: `Opened${times(message.openCount)}`, at: message.openedAt ?? null }]
      : []),
    ...(message.clicked
      ? [{ tone: 'now' as const, label: `Clicked${times(message.clickCount)}`, at: message.clickedAt ?? null }]
      : []),
    ...(message.read ? [plain('now', 'Read')] : []),
  ]
}
