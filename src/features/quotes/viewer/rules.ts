import type { Day } from '../../../shared/dates.ts'
import type { QuoteStatus } from '../rules.ts'

/** How a page of a quote stands for who opens its link. */
export type PageState =
  | 'open'
  /** A newer version was sent. */
  | 'newer'
  /** The office works on a newer one. */
  | 'revising'
  | 'changes'
  | 'approved'
  | 'declined'
  | 'expired'
  /** Put away: the link says so and shows nothing. */
  | 'closed'

/**
 * How the page of a version stands. What was signed is shown on every link, so that nobody signs beside it; an older version never takes an answer.
 * @param own the version behind the link; `latest` the one that was sent last; `current` the one that the office has
 */
export const pageState = (quote: {
  status: QuoteStatus
  own: number
  latest: number
  current: number
  validUntil: Day | null
  today: Day
}): PageState => {
  const { status, own, latest, current } = quote
  if (status === 'archived') return 'closed'
  if (status === 'approved' || status === 'converted') return 'approved'
  if (own < latest) return 'newer'
  if (status === 'draft' || current > latest) return 'revising'
  if (status === 'changes_requested') return 'changes'
  if (status === 'declined') return 'declined'
  if (status === 'expired' || (quote.validUntil !== null && quote.validUntil < quote.today)) return 'expired'
  return 'open'
}

/** Whether a fetch comes from a program that looks at links before people do. A person is believed by what the page's script sees as well. */
export const isMachine = (userAgent: string): boolean =>
  userAgent.trim() === '' ||
  /bot|crawl|spider|preview|scanner|proofpoint|barracuda|mimecast|safelinks|slurp|facebookexternalhit|whatsapp|curl|wget|python|headlesschrome.*scan/i.test(
    userAgent,
  )
