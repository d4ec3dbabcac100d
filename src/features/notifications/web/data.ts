import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { toast } from '../../../ui/toast.tsx'
import { type Notification, notificationsApi } from '../contract.ts'

type Page = { notifications: Notification[]; unreadCount: number }

export const pollMs = 15_000
/** The waits before the second, third and fourth try. */
const retryMs = [1_000, 2_000, 4_000]

export const notificationsQuery = queryOptions({
  queryKey: ['notifications', 'list'],
  queryFn: ({ signal }): Promise<Page> =>
    call(notificationsApi.list, { query: { limit: 50, page: 1 } }, { signal, retries: 0 }),
  refetchInterval: pollMs,
  refetchIntervalInBackground: true,
  retry: retryMs.length,
  retryDelay: (failed) => retryMs[failed] ?? 4_000,
})

const withRead = (page: Page, ids: readonly string[] | null): Page => {
  const isMeant = (n: Notification) => !n.read && (ids === null || ids.includes(n._id))
  const count = page.notifications.filter(isMeant).length
  const readAt = new Date().toISOString()
  return {
    notifications: page.notifications.map((n) => (isMeant(n) ? { ...n, read: true, readAt } : n)),
    unreadCount: ids === null ? 0 : Math.max(0, page.unreadCount - count),
  }
}

/** Marks some, or with null all, as read: at once on the screen, undone when the server refuses. */
export const useMarkRead = () => {
  const client = useQueryClient()
  const key = notificationsQuery.queryKey
  return useMutation({
    mutationFn: (ids: readonly string[] | null) =>
      call(notificationsApi.markRead, { body: ids === null ? {} : { notificationIds: [...ids] } }),
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey: key })
      const before = client.getQueryData(key)
      if (before) client.setQueryData(key, withRead(before, ids))
      return { before }
    },
    onError: (_error, ids, context) => {
      if (context?.before) client.setQueryData(key, context.before)
      toast.error(ids === null ? 'Failed to mark all notifications as read' : 'Failed to mark notifications as read')
    },
    onSuccess: ({ unreadCount }) => {
      const now = client.getQueryData(key)
      if (now) client.setQueryData(key, { ...now, unreadCount })
    },
  })
}
