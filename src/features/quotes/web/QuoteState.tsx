import { Badge } from '../../../ui/Badge.tsx'
import { type QuoteStatus, statusLabel } from '../rules.ts'

const tones: Record<QuoteStatus, 'done' | 'now' | 'late' | 'wait' | 'neutral' | 'flag'> = {
  draft: 'neutral',
  sent: 'wait',
  viewed: 'now',
  changes_requested: 'flag',
  approved: 'done',
  declined: 'late',
  expired: 'late',
  converted: 'done',
  archived: 'neutral',
}

/** How a quote stands, as a badge. */
export const QuoteState = ({
  quote,
}: {
  quote: { status: QuoteStatus; isCrewDraft?: boolean; totalCents?: number }
}) => (
  <Badge tone={tones[quote.status]} dot>
    {quote.status === 'draft' && quote.isCrewDraft && quote.totalCents === 0 ? 'To price' : statusLabel[quote.status]}
  </Badge>
)
