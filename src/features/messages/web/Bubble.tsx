import { useState } from 'react'
import { dayOf } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { IconMail, IconRefresh } from '../../../ui/icons.ts'
import { toast } from '../../../ui/toast.tsx'
import type { Message } from '../contract.ts'
import { KeepPhoto } from '../kept/web/KeepPhoto.tsx'
import { statusOf } from '../rules.ts'
import { StopQuestion } from '../stop/web/StopQuestion.tsx'
import { useResend } from './data.ts'
import { LinkedText } from './LinkedText.tsx'
import { whenLabel } from './labels.ts'
import { MailView } from './MailView.tsx'
import { MessageFiles } from './MessageFiles.tsx'
import { MessagePhotos } from './MessagePhotos.tsx'

/** One message of a conversation: theirs at the left, ours at the right, with what became of it. */
export const Bubble = ({
  message,
  timeZone,
  asked = false,
}: {
  message: Message
  timeZone: string
  /** What waits for an answer. */
  asked?: boolean
}) => {
  const [open, setOpen] = useState(false)
  const resend = useResend()
  const mine = message.direction === 'outbound'
  const status = statusOf(message, timeZone)
  const mail = message.channel === 'email'
  return (
    <li
      className={`bubble${mine ? ' is-mine' : ''}${mail ? ' is-mail' : ''} is-${status.tone}`}
      data-asked={asked || undefined}
    >
      <div className="bubble__in">
        {mail ? (
          <button type="button" className="bubble__mail" onClick={() => setOpen(true)}>
            <IconMail size={17} aria-hidden="true" />
            <span>
              <b>{message.subject || 'E-mail'}</b>
              <span className="bubble__snip">{message.text.replace(/\s+/g, ' ')}</span>
            </span>
          </button>
        ) : (
          <p>
            <LinkedText text={message.text} />
          </p>
        )}
        <MessagePhotos
          photos={message.photos}
          mine={mine}
          below={
            mine || !message.customer
              ? undefined
              : (photo, label) => <KeepPhoto messageId={message.id} photo={photo} label={label} />
          }
        />
        <MessageFiles files={message.files} />
        {message.notKept ? <p className="bubble__lost">{message.notKept}</p> : null}
      </div>
      <div className="bubble__meta">
        <span className="num">
          {whenLabel(message.createdAt, dayOf(new Date(), timeZone), dayOf(message.createdAt, timeZone), timeZone)}
        </span>
        {mine ? <span className="bubble__state">{status.label}</span> : null}
        {message.stopDoubt === 'stop' ? <span>Read as STOP</span> : null}
        {message.stopDoubt === 'fine' ? <span>Not a STOP</span> : null}
        {message.channel === 'portal' ? <span>in the portal</span> : null}
        {mail ? null : message.segments > 1 ? <span>{message.segments} segments</span> : null}
        {message.reason && status.tone !== 'good' ? <span>{message.reason}</span> : null}
        {message.can.resend ? (
          <Button
            size="s"
            kind="quiet"
            icon={<IconRefresh />}
            loading={resend.isPending}
            onClick={() =>
              resend.mutate(message.id, { onSuccess: () => toast.success('On its way again'), onError: toast.error })
            }
          >
            Send again
          </Button>
        ) : null}
      </div>
      {message.stopDoubt === 'open' ? <StopQuestion id={message.id} /> : null}
      {mail ? (
        <Dialog open={open} onClose={() => setOpen(false)} title={message.subject || 'E-mail'} size="l">
          <p className="hint bubble__to">
            {mine ? `To ${message.address}` : `From ${message.address}`} · {status.label}
          </p>
          {open ? <MailView id={message.id} /> : null}
        </Dialog>
      ) : null}
    </li>
  )
}
