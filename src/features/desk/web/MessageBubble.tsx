import { useState } from 'react'
import { Badge } from '../../../ui/Badge.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconTrash } from '../../../ui/icons.ts'
import { MessageFiles } from '../../messages/web/MessageFiles.tsx'
import { MessagePhotos } from '../../messages/web/MessagePhotos.tsx'
import type { TrackedMessage } from '../contract.ts'
import { useRemoveMessage } from './data.ts'
import { badgesOf, instantLabel, serverMessage } from './labels.ts'
import { useNotify } from './notice.ts'

/** What became of a message of ours, with the time on hover. */
export const MessageBadges = ({ message }: { message: TrackedMessage }) => (
  <>
    {badgesOf(message).map((badge) => (
      <Badge key={badge.label} tone={badge.tone}>
        <span title={badge.at ? instantLabel(badge.at) : undefined}>{badge.label}</span>
      </Badge>
    ))}
  </>
)

/** One message: theirs at the left, ours at the right. The bin shows under the pointer, by keyboard and on touch. */
export const MessageBubble = ({
  leadId,
  channel,
  message,
}: {
  leadId: string
  channel: 'email' | 'sms'
  message: TrackedMessage
}) => {
  const [asking, setAsking] = useState(false)
  const remove = useRemoveMessage()
  const notify = useNotify()
  const mine = message.direction === 'outbound'
  const drop = async () => {
    try {
      await remove.mutateAsync({ leadId, messageId: message._id, messageType: channel })
      notify('done', `${channel === 'email' ? 'EMAIL' : 'SMS'} message deleted successfully`)
    } catch (error) {
      notify('error', `Failed to delete message: ${serverMessage(error, 'Please try again')}`)
    }
  }
  return (
    <li className={`desk-bubble ${mine ? 'is-mine' : 'is-theirs'}`} aria-label={mine ? 'Sent' : 'Received'}>
      <div className="desk-bubble__in">
        {message.subject ? <b>{message.subject}</b> : null}
        <p>{message.message}</p>
        <MessagePhotos photos={message.photos} />
        <MessageFiles files={message.files} />
        {message.notKept ? <p className="hint">{message.notKept}</p> : null}
        <IconButton
          className="desk-bubble__bin"
          size="s"
          label="Delete message"
          icon={<IconTrash />}
          tooltip={false}
          onClick={() => setAsking(true)}
        />
      </div>
      <div className="desk-bubble__meta">
        <span className="num">{instantLabel(message.sentAt)}</span>
        {message.otherAddress ? <span>from {message.otherAddress}</span> : null}
        <MessageBadges message={message} />
        {message.reason ? <span>{message.reason}</span> : null}
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Delete this message?"
        confirmLabel="Delete"
        danger
        onConfirm={drop}
      >
        It leaves the conversation and the figures. What was sent has arrived all the same.
      </ConfirmDialog>
    </li>
  )
}
