import { Badge } from '../../../ui/Badge.tsx'
import type { Lead } from '../contract.ts'

/** What nobody at the desk has looked at yet. */
export const UnreadMark = ({ of }: { of: Lead['unread'] }) =>
  of === null ? null : <Badge tone="now">{of === 'lead' ? 'Unread' : 'Answered'}</Badge>
