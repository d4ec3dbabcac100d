import { Badge } from '../../../ui/Badge.tsx'
import { type CampaignStatus, statusLabels } from '../rules.ts'

const tones = {
  draft: 'neutral',
  scheduled: 'wait',
  running: 'now',
  paused: 'flag',
  finished: 'done',
  canceled: 'neutral',
} as const

/** Where a campaign is, in a word. */
export const StatusBadge = ({ status }: { status: CampaignStatus }) => (
  <Badge tone={tones[status]}>{statusLabels[status]}</Badge>
)
