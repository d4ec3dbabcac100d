import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type NewCall, type NewTask, type TaskChanges, tasksApi } from '../contract.ts'

export type TaskFilter = { show: 'open' | 'done'; mine?: boolean; customerId?: string }

export const tasksQuery = (filter: TaskFilter) =>
  infiniteQueryOptions({
    queryKey: ['tasks', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call(tasksApi.list, { query: { ...filter, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })

export const taskPeopleQuery = queryOptions({
  queryKey: ['tasks', 'people'],
  queryFn: ({ signal }) => call(tasksApi.people, {}, { signal }),
})

/** What shows tasks or calls is asked for again. */
const useRefresh = () => {
  const client = useQueryClient()
  return () => {
    for (const topic of ['tasks', 'dashboard', 'timeline']) void client.invalidateQueries({ queryKey: [topic] })
  }
}

export const useLogCall = (customerId: string) => {
  const onSuccess = useRefresh()
  return useIdempotentMutation({
    mutationFn: (body: z.input<typeof NewCall>, key) =>
      call(tasksApi.logCall, { params: { id: customerId }, body }, { idempotencyKey: key }),
    onSuccess,
  })
}

export const useRemoveCall = () => {
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: (id: string) => call(tasksApi.removeCall, { params: { id } }), onSuccess })
}

export const useSaveTask = () => {
  const onSuccess = useRefresh()
  const add = useIdempotentMutation({
    mutationFn: (body: z.input<typeof NewTask>, key) => call(tasksApi.create, { body }, { idempotencyKey: key }),
    onSuccess,
  })
  const update = useMutation({
    mutationFn: ({ id, ...body }: z.input<typeof TaskChanges> & { id: string }) =>
      call(tasksApi.update, { params: { id }, body }),
    onSuccess,
  })
  return { add, update }
}

export const useTaskDeed = () => {
  const onSettled = useRefresh()
  return useMutation({
    mutationFn: ({ id, deed }: { id: string; deed: 'finish' | 'reopen' | 'remove' }): Promise<unknown> =>
      call(tasksApi[deed] as typeof tasksApi.finish, { params: { id } }),
    onSettled,
  })
}
