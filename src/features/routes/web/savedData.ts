import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { toast } from '../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { routesApi } from '../contract.ts'
import { type SavedRoute, savedRoutesApi } from '../saved/contract.ts'
import { planStep } from './data.ts'

export const weekdayRoutesQuery = queryOptions({
  queryKey: ['routes', 'templates'],
  meta: { live: { topics: ['routes', 'crews', 'jobs'], everyMs: 5_000 } },
  queryFn: ({ signal }) => call(savedRoutesApi.list, {}, { signal }),
})

export const differencesQuery = (id: string, day: Day) =>
  queryOptions({
    queryKey: ['routes', 'templates', id, day],
    meta: { live: { topics: ['routes', 'visits', 'crews', 'jobs'], everyMs: 1_000 } },
    queryFn: ({ signal }) => call(savedRoutesApi.differences, { params: { id }, query: { day } }, { signal }),
  })

export type SavedRouteFields = Pick<SavedRoute, 'name' | 'weekday' | 'crewId'> & { jobIds: string[] }

/** What is done with saved routes; what is undone by a toast is undone on the server. */
export const useSavedRoutes = () => {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['routes'] })
  const create = useIdempotentMutation({
    mutationFn: (body: { name: string; day: Day; crewId: string }, key) =>
      call(savedRoutesApi.create, { body }, { idempotencyKey: key }),
    onSuccess,
  })
  const update = useMutation({
    mutationFn: ({ id, ...body }: SavedRouteFields & { id: string; version: number }) =>
      call(savedRoutesApi.update, { params: { id }, body }),
    onSuccess,
  })
  const restore = useMutation({
    mutationFn: ({ id, version }: SavedRoute) => call(savedRoutesApi.restore, { params: { id }, body: { version } }),
    onSuccess,
    onError: toast.error,
  })
  const remove = useMutation({
    mutationFn: ({ id, version }: SavedRoute) => call(savedRoutesApi.remove, { params: { id }, body: { version } }),
    onSuccess: (gone) => {
      toast.undo(`${gone.name} is off the list`, () => restore.mutate(gone))
      return onSuccess()
    },
    onError: toast.error,
  })
  const undo = useMutation({
    ...planStep,
    mutationFn: (body: { day: Day; changeId: string }) => call(routesApi.undo, { body }),
    onSuccess,
    onError: toast.error,
  })
  const apply = useIdempotentMutation({
    ...planStep,
    mutationFn: ({ id, day }: { id: string; name: string; day: Day }, key) =>
      call(savedRoutesApi.apply, { params: { id }, body: { day } }, { idempotencyKey: key }),
    onSuccess: ({ changed, plan }, { id, name, day }) => {
      const changeId = plan.undo?.id
      if (changed && changeId)
        toast.undo(`${name} is on ${formatDay(day)}`, () => undo.mutate({ day, changeId }), `apply ${id} ${day}`)
      else toast.success('The day is already like that')
      return onSuccess()
    },
  })
  return { create, update, remove, apply }
}
