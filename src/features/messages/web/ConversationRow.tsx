import { dayOf } from '../../../shared/dates.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { IconCircleCheck, IconClock, IconMail, IconMessage, IconNote, IconUser } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { useUser } from '../../accounts/web/session.ts'
import type { Conversation } from '../contract.ts'
import { untilLabel } from '../conversations/web/ConversationBar.tsx'
import { addressLabel, channelLabel, whenLabel } from './labels.ts'

/** A conversation in the list: who it is with, what its newest words are, whose it is. */
export const ConversationRow = ({ row, on, href }: { row: Conversation; on: boolean; href: string }) => {
  const user = useUser()
  const { timeZone } = user.business
  const Icon = row.last.channel === 'email' ? IconMail : row.last.channel === 'note' ? IconNote : IconMessage
  const failed = ['failed', 'suppressed', 'unknown'].includes(row.last.status)
  return (
    <li>
      <LinkTo
        href={href}
        className={`talk${row.unreadCount > 0 ? ' is-unread' : ''}`}
        aria-current={on ? 'true' : undefined}
      >
        <span className="talk__head">
          <b>{row.customer?.name ?? addressLabel(row.address)}</b>
          <span className="hint num">
            {whenLabel(row.last.createdAt, dayOf(new Date(), timeZone), dayOf(row.last.createdAt, timeZone), timeZone)}
          </span>
        </span>
        <span className="talk__last">
          <Icon size={15} role="img" aria-label={channelLabel(row.last.channel)} />
          <span className="talk__words">
            {row.last.channel === 'note' ? 'Note: ' : row.last.direction === 'outbound' ? 'You: ' : ''}
            {row.last.text}
          </span>
          {row.unreadCount > 0 ? (
            <span className="talk__new num">
              {row.unreadCount}
              <span className="ui-hidden"> new</span>
            </span>
          ) : failed && row.state === 'open' ? (
            <Badge tone="late" dot={false}>
              not sent
            </Badge>
          ) : null}
        </span>
        {row.assignee || row.state !== 'open' ? (
          <span className="talk__marks">
            {row.assignee ? (
              <span>
                <IconUser size={14} aria-hidden="true" />
                {row.assignee.id === user._id ? 'You' : row.assignee.name}
              </span>
            ) : null}
            {row.state === 'snoozed' ? (
              <span>
                <IconClock size={14} aria-hidden="true" />
                Until {untilLabel(row.snoozedUntil ?? '', timeZone)}
              </span>
            ) : row.state === 'done' ? (
              <span>
                <IconCircleCheck size={14} aria-hidden="true" />
                Done
              </span>
            ) : null}
          </span>
        ) : null}
      </LinkTo>
    </li>
  )
}
