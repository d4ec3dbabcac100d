import type { Refusal } from '../../shared/can.ts'

/** What customers say of visits, and what the business may do about it: answer it, and hide it for few and stated reasons. */

/** So long the link takes a first answer, and so long an answer can be changed. */
export const answerDays = 30
export const changeDays = 14
/** Up to as many stars somebody of the office should call. */
export const lowStars = 3
export const longestWords = 2000
/** A visit that was done longer ago is not asked about any more, beyond the delay. */
export const askWithinHours = 72
/** A visit that a phone says late is asked about as long as its day is not further back. */
export const oldestDays = 14

export const hideReasons = ['abuse', 'personal_data', 'not_a_customer'] as const
export type HideReason = (typeof hideReasons)[number]
export const hideReasonLabel: Record<HideReason, string> = {
  abuse: 'Abuse: threats, slurs, obscene words',
  personal_data: 'Personal data: an address, a phone number, a full name',
  not_a_customer: 'Not from the customer: the link was in other hands',
}

export const reviewFilters = ['all', 'low', 'unanswered', 'private', 'hidden'] as const
export type ReviewFilter = (typeof reviewFilters)[number]
export const reviewFilterLabel: Record<ReviewFilter, string> = {
  all: 'All',
  low: '3 stars or fewer',
  unanswered: 'Without a reply',
  private: 'Only for you',
  hidden: 'Hidden',
}

export type ReviewState = {
  stars: number
  published: boolean
  handledAt: string | null
  repliedAt: string | null
  hiddenAt: string | null
  /** Stars or words were changed after it was hidden, and the owner has not looked again. */
  hiddenChangedAt: string | null
}

/** It stands on the public page: its customer wants it there, and the owner did not hide it. */
export const isOnPage = ({ published, hiddenAt }: Pick<ReviewState, 'published' | 'hiddenAt'>): boolean =>
  published && hiddenAt === null

export const reviewActions = ['reply', 'editReply', 'withdrawReply', 'handle', 'hide', 'show', 'keepHidden'] as const
export type ReviewAction = (typeof reviewActions)[number]

export const reviewRefusals: Record<ReviewAction, Refusal<ReviewState>> = {
  reply: ({ repliedAt, published }) =>
    repliedAt !== null
      ? 'There is a reply already, and each review takes one. Nothing was changed.'
      : published
        ? null
        : 'Only you can read this review, so a public reply has no place. Call or write to the customer instead.',
  editReply: ({ repliedAt }) => (repliedAt === null ? 'There is no reply to change. Nothing was changed.' : null),
  withdrawReply: ({ repliedAt }) =>
    repliedAt === null ? 'There is no reply to take back. Nothing was changed.' : null,
  handle: ({ stars, handledAt }) =>
    stars > lowStars
      ? 'Nothing waits for you here.'
      : handledAt === null
        ? null
        : 'Somebody has taken care of it already. Nothing was changed.',
  hide: ({ published, hiddenAt }) =>
    hiddenAt !== null
      ? 'It is hidden already. Nothing was changed.'
      : published
        ? null
        : 'It is not on your page: its customer wrote it for you only.',
  show: ({ hiddenAt }) => (hiddenAt === null ? 'It is not hidden. Nothing was changed.' : null),
  keepHidden: ({ hiddenChangedAt }) =>
    hiddenChangedAt === null ? 'It was not changed since it was hidden. Nothing was changed.' : null,
}

/** How many reviews there are of 1 to 5 stars. */
export type StarCounts = readonly [number, number, number, number, number]

/**
 * The average with one digit, cut and never rounded up: 4.96 is 4.9, and 5.0 stands only where every review has five stars.
 * Null without a review.
 */
export const averageOf = (counts: StarCounts): number | null => {
  const count = counts.reduce((sum, one) => sum + one, 0)
  if (count === 0) return null
  const stars = counts.reduce((sum, one, at) => sum + one * (at + 1), 0)
  return Math.floor((stars * 10) / count) / 10
}

/** The reply was written to other words or stars than those that stand now. */
export const isRepliedBefore = ({
  repliedAt,
  changedAt,
}: {
  repliedAt: string | null
  changedAt: string | null
}): boolean => repliedAt !== null && changedAt !== null && Date.parse(changedAt) > Date.parse(repliedAt)

/** What people type, without what no keyboard writes: control characters, and marks that turn the direction of what stands around. */
export const plainWords = (typed: string): string =>
  typed
    // a browser sends a new line as two characters
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim()

const afterName = /^(jr|sr|i{1,3}|iv|v|md|phd|esq|cpa|llc|llp|inc|co|corp|ltd)$/i
const beforeName = /^(mr|mrs|ms|miss|mx|dr|prof|rev|sr|sra|srta)$/i
const bare = (word: string): string => word.replace(/\./g, '')

/**
 * First name and initial: all that the public page tells of who wrote. "Rosa & Jim Marsh" and "Marsh, Rosa" are "Rosa M."; "Mrs. Marsh", whose first
 * name nobody knows, is "Mrs. M.".
 */
export const authorOf = (name: string): string => {
  const sides = name
    .split(',')
    .map((side) => side.trim())
    .filter((side) => side !== '' && !afterName.test(bare(side)))
  // a list of customers often has the family's name first
  const ordered = sides.length > 1 ? [...sides.slice(1), sides[0] ?? ''] : sides
  const all = ordered.join(' ').split(/\s+/).filter(Boolean)
  const ended = all.length > 1 && afterName.test(bare(all.at(-1) ?? '')) ? all.slice(0, -1) : all
  const named = ended.filter((word) => !beforeName.test(bare(word)))
  const parts = named.length > 1 ? named : ended
  const [first = ''] = parts
  const last = parts.length > 1 ? parts.at(-1) : ''
  const initial = /\p{L}/u.exec(last ?? '')?.[0]
  return initial ? `${first} ${initial.toUpperCase()}.` : first
}

/** Until when an answer can be changed. */
export const changeUntil = (answeredAt: string): string =>
  new Date(Date.parse(answeredAt) + changeDays * 86_400_000).toISOString()

/** What the page of an ask takes now. */
export const pageState = (
  ask: { expiresAt: string; recalledAt: string | null },
  answeredAt: string | null,
  nowMs: number,
): 'open' | 'changeable' | 'settled' | 'closed' => {
  if (answeredAt !== null) return Date.parse(changeUntil(answeredAt)) > nowMs ? 'changeable' : 'settled'
  return ask.recalledAt === null && Date.parse(ask.expiresAt) > nowMs ? 'open' : 'closed'
}
