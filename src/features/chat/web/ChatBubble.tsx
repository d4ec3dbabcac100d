import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dayOf, formatDay, formatTime } from '../../../shared/dates.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconMapPin } from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { LinkedText } from '../../messages/web/LinkedText.tsx'
import { VisitLink } from '../../visits/web/VisitLink.tsx'
import type { ChatMessage } from '../contract.ts'
import type { ThreadKind } from '../rules.ts'
import { readsQuery } from './data.ts'

const lateMinutes = 5

const when = (at: string, timeZone: string, today: string): string => {
  const day = dayOf(at, timeZone)
  return day === today ? formatTime(at, timeZone) : `${formatDay(day)}, ${formatTime(at, timeZone)}`
}

const Readers = ({ messageId, timeZone, today }: { messageId: string; timeZone: string; today: string }) => {
  const found = useQuery(readsQuery(messageId))
  if (found.isError && !found.data)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!found.data) return <PanelSkeleton />
  const { read, waiting } = found.data
  return (
    <div className="chat-readers">
      <h3>Read</h3>
      {read.length === 0 ? <p className="muted">Nobody yet.</p> : null}
      <ul>
        {read.map(({ name, at }) => (
          <li key={`${name} ${at}`}>
            <span>{name}</span> <span className="hint num">{when(at, timeZone, today)}</span>
          </li>
        ))}
      </ul>
      {waiting.length > 0 ? (
        <>
          <h3>Not read yet</h3>
          <ul>
            {waiting.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  )
}

type Props = { message: ChatMessage; kind: ThreadKind; timeZone: string; today: string }

const Receipt = ({ message, kind, timeZone, today }: Props) => {
  const [open, setOpen] = useState(false)
  const [first] = message.readBy
  const words = !first
    ? message.by.office
      ? 'Not read yet'
      : ''
    : message.readCount === 1
      ? `Read by ${first.name}, ${when(first.at, timeZone, today)}`
      : `Read by ${first.name} and ${message.readCount - 1} more`
  // One person's answer says all; of many one wants to know who.
  if (words === '') return null
  if (kind === 'person' && message.readCount <= 1) return <span className="bubble__state">{words}</span>
  return (
    <>
      <button type="button" className="chat-receipt" onClick={() => setOpen(true)}>
        {words}
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Who has read this">
        {open ? <Readers messageId={message.id} timeZone={timeZone} today={today} /> : null}
      </Dialog>
    </>
  )
}

/** One message: what the crews wrote at the left, the office at the right, with what it is about and who has read it. */
export const ChatBubble = (props: Props) => {
  const { message, timeZone, today } = props
  const late = Date.parse(message.arrivedAt) - Date.parse(message.at) > lateMinutes * 60_000
  return (
    <li className={`bubble${message.by.office ? ' is-mine' : ''}`}>
      <span className="chat-who">{message.by.name || 'Somebody who left'}</span>
      <div className="bubble__in">
        {message.visit ? (
          <span className="chat-about">
            <IconMapPin size={15} aria-hidden="true" />
            <VisitLink id={message.visit.id}>
              {message.visit.street}
              {message.visit.day ? `, ${formatDay(message.visit.day)}` : ''}
            </VisitLink>
          </span>
        ) : null}
        {message.text ? (
          <p>
            <LinkedText text={message.text} />
          </p>
        ) : null}
        {message.photos.length > 0 ? (
          <span className="chat-photos">
            {message.photos.map(({ id, url }, at) =>
              url ? (
                <a key={id} href={url} target="_blank" rel="noreferrer">
                  <img
                    src={url}
                    alt={`From ${message.by.name}, ${at + 1} of ${message.photos.length}`}
                    loading="lazy"
                  />
                </a>
              ) : (
                <span key={id} className="chat-photos__wait">
                  Photo on its way
                </span>
              ),
            )}
          </span>
        ) : null}
      </div>
      <div className="bubble__meta">
        <span className="num">{when(message.at, timeZone, today)}</span>
        {late ? <span>arrived {when(message.arrivedAt, timeZone, today)}</span> : null}
        <Receipt {...props} />
      </div>
    </li>
  )
}
