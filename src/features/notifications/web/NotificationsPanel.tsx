import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../shared/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import {
  IconBell,
  IconClipboardList,
  IconFileInvoice,
  IconFileText,
  IconMail,
  IconMessage,
  IconSettings,
} from '../../../ui/icons.ts'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import type { Notification } from '../contract.ts'
import { notificationsQuery, useMarkRead } from './data.ts'
import { askForDesktop, canAskForDesktop } from './desktop.ts'
import { customerName, targetOf } from './fresh.ts'

const icons = {
  sms: IconMessage,
  email: IconMail,
  job: IconClipboardList,
  invoice: IconFileInvoice,
  quote: IconFileText,
  system: IconSettings,
  other: IconBell,
}

const Item = ({
  notification,
  onOpen,
}: {
  notification: Notification
  onOpen: (notification: Notification) => void
}) => {
  const Icon = icons[notification.type]
  const about = customerName(notification)
  const at = notification.createdAt && !Number.isNaN(Date.parse(notification.createdAt)) ? notification.createdAt : null
  return (
    <li>
      <button
        type="button"
        className={`notifications__item${notification.read ? '' : ' is-unread'}`}
        onClick={() => onOpen(notification)}
      >
        <span className="notifications__icon" aria-hidden="true">
          <Icon size={18} stroke={1.8} />
        </span>
        <span className="notifications__words">
          <b>{notification.title}</b>
          {notification.content ? <span className="notifications__content">{notification.content}</span> : null}
          <span className="hint">
            {about ? `${about} · ` : null}
            {at ? <RelativeTime at={at} /> : 'Unknown time'}
          </span>
        </span>
        {notification.read ? null : <span className="notifications__dot" role="img" aria-label="Unread" />}
      </button>
    </li>
  )
}

const Waiting = () => (
  <div className="notifications__wait" role="status" aria-label="Loading">
    {[0, 1, 2].map((row) => (
      <div key={row}>
        <Skeleton width="55%" />
        <Skeleton width="85%" />
      </div>
    ))}
  </div>
)

export const NotificationsPanel = ({ id, onLeave }: { id: string; onLeave: () => void }) => {
  const { data, isError, isFetching, refetch } = useQuery(notificationsQuery)
  const markRead = useMarkRead()
  const navigate = useNavigate()
  const [mayAsk, setMayAsk] = useState(canAskForDesktop)

  const open = (notification: Notification) => {
    if (!notification.read) markRead.mutate([notification._id])
    const target = targetOf(notification)
    if (!target) return
    onLeave()
    void navigate(target)
  }

  return (
    <section id={id} className="notifications__panel" aria-label="Notifications">
      <header className="notifications__head">
        <h2>Notifications</h2>
        <span className="notifications__acts">
          {data && data.unreadCount > 0 ? (
            <Button size="s" kind="quiet" onClick={() => markRead.mutate(null)}>
              Mark all as read
            </Button>
          ) : null}
          <Button
            size="s"
            kind="quiet"
            className="ui-icon-button"
            aria-label="What you hear of"
            title="What you hear of"
            onClick={() => {
              onLeave()
              void navigate(`${paths.profile}?section=you#news`)
            }}
          >
            <IconSettings size={18} stroke={1.8} />
          </Button>
        </span>
      </header>
      {isError && !data ? (
        <div className="notifications__failed" role="alert">
          <p>Failed to load notifications</p>
          <Button size="s" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : data === undefined ? (
        <Waiting />
      ) : data.notifications.length === 0 ? (
        <EmptyState compact title="No notifications yet">
          Replies of customers, payments and what the crews report will stand here.
        </EmptyState>
      ) : (
        <ul className="notifications__list">
          {data.notifications.map((notification) => (
            <Item key={notification._id} notification={notification} onOpen={open} />
          ))}
        </ul>
      )}
      {mayAsk ? (
        <footer className="notifications__foot">
          <span className="hint">Also when this tab is in the background</span>
          <Button size="s" onClick={() => void askForDesktop().then(() => setMayAsk(false))}>
            Show on desktop
          </Button>
        </footer>
      ) : null}
    </section>
  )
}
