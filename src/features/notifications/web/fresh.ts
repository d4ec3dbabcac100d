import { linkTo } from '../../../shared/links.ts'
import type { Notification } from '../contract.ts'

/** Unread ones that were not there at the last look. The first look only remembers: what waited already makes no sound. */
export const freshOnes = (seen: ReadonlySet<string> | null, notifications: readonly Notification[]): Notification[] =>
  seen === null ? [] : notifications.filter((n) => !n.read && !seen.has(n._id))

export const isMessage = (notification: Pick<Notification, 'type'>): boolean =>
  notification.type === 'sms' || notification.type === 'email'

/** Whom it is about, when the server says so. */
export const customerName = ({ customerId }: Pick<Notification, 'customerId'>): string | null =>
  typeof customerId === 'object' && customerId !== null ? customerId.name : null

/** Where a click leads: what the server says, else the customer's messages, else nowhere. */
export const targetOf = (notification: Notification): string | null => {
  if (notification.path) return notification.path
  const { customerId } = notification
  if (!customerId) return null
  const id = typeof customerId === 'string' ? customerId : customerId._id
  return isMessage(notification) ? linkTo.thread(id) : linkTo.customer(id)
}
