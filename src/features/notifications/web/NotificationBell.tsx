import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { IconBell } from '../../../ui/icons.ts'
import { armChime, chime } from './chime.ts'
import { notificationsQuery } from './data.ts'
import { showOnDesktop } from './desktop.ts'
import { freshOnes, isMessage } from './fresh.ts'
import { NotificationsPanel } from './NotificationsPanel.tsx'
import './notifications.css'

/** Watches for new ones: a sound for a message, a desktop notification when nobody looks at this tab. */
const useNews = (): { unread: number } => {
  const { data } = useQuery(notificationsQuery)
  const seen = useRef<Set<string> | null>(null)
  useEffect(armChime, [])
  useEffect(() => {
    if (!data) return
    const fresh = freshOnes(seen.current, data.notifications)
    seen.current = new Set([...(seen.current ?? []), ...data.notifications.map((n) => n._id)])
    if (fresh.some(isMessage)) chime()
    if (document.hidden) for (const notification of fresh.slice(0, 3)) showOnDesktop(notification)
  }, [data])
  return { unread: data?.unreadCount ?? 0 }
}

/** The bell of the top bar with its panel. */
export const NotificationBell = () => {
  const { unread } = useNews()
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const panelId = useId()

  useEffect(() => {
    if (!open) return
    const onPointer = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [open])

  const badge = unread > 9 ? '9+' : String(unread)
  return (
    <div className="notifications" ref={root}>
      <button
        ref={button}
        type="button"
        className="notifications__bell"
        aria-label={unread === 0 ? 'Notifications' : `Notifications, ${badge} unread`}
        aria-expanded={open}
        aria-controls={panelId}
        onClick={() => setOpen(!open)}
      >
        <IconBell size={20} stroke={1.8} aria-hidden="true" />
        {unread > 0 ? (
          <span className="notifications__badge num" aria-hidden="true">
            {badge}
          </span>
        ) : null}
      </button>
      {open ? <NotificationsPanel id={panelId} onLeave={() => setOpen(false)} /> : null}
    </div>
  )
}
