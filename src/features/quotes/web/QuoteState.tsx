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

/** A crew noted it on site; somebody of the office looks at its prices before it goes out. */
const isNoted = ({ status, isCrewDraft }: { status: QuoteStatus; isCrewDraft?: boolean }): boolean =>
  status === 'draft' && isCrewDraft === true

/** How a quote stands, as a badge. */
export const QuoteState = ({
  quote,
}: {
  quote: { status: QuoteStatus; isCrewDraft?: boolean; totalCents?: number }
}) => (
  <Badge tone={isNoted(quote) ? 'now' : tones[quote.status]} dot>
    {isNoted(quote)
      ? quote.totalCents === 0
        ? 'From the crew, no price'
        : 'From the crew'
      : statusLabel[quote.status]}
  </Badge>
)
