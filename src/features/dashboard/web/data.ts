import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { formatDay } from '../../../shared/dates.ts'
import { toast } from '../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { messagesApi } from '../../messages/contract.ts'
import { tasksApi } from '../../tasks/contract.ts'
import { type Visit, visitsApi } from '../../visits/contract.ts'
import { useVisitDeed } from '../../visits/web/data.ts'
import { dashboardApi, type Need } from '../contract.ts'

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => call(dashboardApi.get, {}, { signal }),
  // It shows the whole business: many crews at work are one request now and then, not one a tap.
  meta: {
    live: {
      topics: [
        'visits',
        'routes',
        'invoices',
        'payments',
        'messages',
        'jobs',
        'customers',
        'crews',
        'services',
        'timeclock',
        'equipment',
        'leads',
        'tasks',
      ],
      everyMs: 5_000,
    },
  },
  // The hands of the clock move even when nobody touches anything.
  refetchInterval: 60_000,
})

/** All of what needs a person, for who asks for more than the first. */
export const allNeedsQuery = queryOptions({
  queryKey: [...dashboardQuery.queryKey, 'needs'],
  queryFn: async ({ signal }) => (await call(dashboardApi.needs, {}, { signal })).items,
  meta: dashboardQuery.meta,
})

const resolve = async (need: Need): Promise<{ done: string; made?: Visit; finished?: string }> => {
  const { action } = need
  if (action.kind === 'rebook') {
    const made = await call(visitsApi.rebook, { params: { visitId: action.visitId }, body: { day: action.day } })
    return { done: `Rebooked for ${formatDay(action.day)}`, made }
  }
  if (action.kind === 'resend') {
    await call(messagesApi.resend, { params: { id: action.messageId } })
    return { done: 'Sent again' }
  }
  if (action.kind === 'finish') {
    await call(tasksApi.finish, { params: { id: action.taskId } })
    return { done: `Done: ${need.title}`, finished: action.taskId }
  }
  return { done: '' }
}

/** Nothing is to be done about what did not arrive: its row goes. */
export const useDismissNeed = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (messageId: string, key) =>
      call(messagesApi.dismiss, { params: { id: messageId } }, { idempotencyKey: key }),
    onSuccess: () => toast.success('It is not asked about any more'),
    onError: (error) => toast.error(error),
    onSettled: () => client.invalidateQueries({ queryKey: dashboardQuery.queryKey }),
  })
}

/** Does the one click that a row of "Needs you" offers; a reminder is asked about first, by the question of the invoice. */
export const useResolveNeed = () => {
  const client = useQueryClient()
  const undo = useVisitDeed()
  return useMutation({
    mutationFn: resolve,
    onSuccess: ({ done, made, finished }) => {
      if (finished)
        toast.undo(done, () =>
          call(tasksApi.reopen, { params: { id: finished } })
            .then(() => client.invalidateQueries({ queryKey: dashboardQuery.queryKey }))
            .catch(toast.error),
        )
      else if (made)
        toast.undo(done, () => undo.mutateAsync({ deed: 'undo', visit: made, body: {} }).catch(toast.error))
      else toast.success(done)
    },
    onError: (error) => toast.error(error),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: dashboardQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['tasks'] }),
      ]),
  })
}
