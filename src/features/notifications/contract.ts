import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

export const notificationTypes = ['sms', 'email', 'job', 'invoice', 'quote', 'system', 'other'] as const

export const Notification = z.object({
  _id: z.uuid(),
  type: z.enum(notificationTypes),
  title: z.string(),
  content: z.string(),
  read: z.boolean(),
  readAt: z.string().nullable(),
  createdAt: z.string().nullable(),
  customerId: z.union([z.object({ _id: z.uuid(), name: z.string() }), z.uuid()]).nullable(),
  /** The screen that it is about, or null. */
  path: z.string().nullable(),
})
export type Notification = z.output<typeof Notification>

/** What waits behind an item of the sidebar; 0 shows nothing. */
export const NavCounts = z.object({
  /** Invoices past their due day. */
  invoices: z.number().int(),
  /** Leads that nobody has answered yet. */
  leads: z.number().int(),
  /** Conversations with customers and unknown numbers that wait for us: what the inbox says of itself. */
  customerMessages: z.number().int(),
  /** Unread messages of the crews. */
  communications: z.number().int(),
  /** Weeks that wait for approval. */
  timesheets: z.number().int(),
})
export type NavCounts = z.output<typeof NavCounts>

export const notificationsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/notifications',
    access: 'member',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(50),
      page: z.coerce.number().int().min(1).default(1),
    }),
    response: z.object({ notifications: z.array(Notification), unreadCount: z.number().int() }),
    summary: 'Newest first, for the person who asks',
  }),
  markRead: endpoint({
    method: 'POST',
    path: '/api/notifications/mark-read',
    access: 'member',
    body: z.object({ notificationIds: z.union([z.uuid(), z.array(z.uuid()).max(500)]).optional() }),
    response: z.object({ updated: z.number().int(), unreadCount: z.number().int() }),
    summary: 'Marks one, some, or without ids all as read',
  }),
  navCounts: endpoint({
    method: 'GET',
    path: '/api/nav-counts',
    access: 'office',
    response: NavCounts,
    summary: 'What waits behind the items of the sidebar',
  }),
}
