import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { Day } from '../../../../shared/dates.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { toast } from '../../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { staffingApi } from '../contract.ts'

const topics = ['crews', 'visits', 'calendar'] as const

export const crewStaffQuery = (crewId: string, day: Day) =>
  queryOptions({
    queryKey: ['crews', 'staff', crewId, day],
    meta: { live: { topics } },
    queryFn: ({ signal }) => call(staffingApi.standIns, { params: { id: crewId }, query: { day } }, { signal }),
  })

export const stretchesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['crews', 'stretches', userId],
    queryFn: ({ signal }) => call(staffingApi.stretches, { params: { id: userId } }, { signal }),
  })

export type Asked = { crewId: string | null; from: Day; to: Day | null }

export const previewQuery = (userId: string, { crewId, from, to }: Asked) =>
  queryOptions({
    queryKey: ['crews', 'preview', userId, crewId, from, to],
    meta: { live: { topics } },
    queryFn: ({ signal }) =>
      call(
        staffingApi.preview,
        { params: { id: userId }, query: { from, ...(crewId ? { crewId } : {}), ...(to ? { to } : {}) } },
        { signal },
      ),
  })

const useReload = () => {
  const client = useQueryClient()
  return () => {
    for (const topic of ['crews', 'calendar', 'routes', 'dashboard'])
      void client.invalidateQueries({ queryKey: [topic] })
  }
}

type PutBody = CallInput<typeof staffingApi.put>['body']

/** Puts a person on a crew for some days; what was said has Undo. */
export const usePutOnCrew = (userId: string) => {
  const onSettled = useReload()
  const undo = useIdempotentMutation({
    onSettled,
    mutationFn: (changeId: string, key) =>
      call(staffingApi.undo, { params: { id: userId }, body: { changeId } }, { idempotencyKey: key }),
    onSuccess: () => toast.success('Undone: the crews are as they were'),
    onError: (error) => toast.error(error),
  })
  const put = useIdempotentMutation({
    onSettled,
    mutationFn: (body: PutBody, key) =>
      call(staffingApi.put, { params: { id: userId }, body }, { idempotencyKey: key }),
  })
  return { put, undo }
}

type Lent = { crewId: string; day: Day; userId: string }

/** One tap puts a person on a crew for a day, another one gives them back. */
export const useStandIn = () => {
  const onSettled = useReload()
  const end = useIdempotentMutation({
    onSettled,
    mutationFn: ({ crewId, ...body }: Lent & { changeId: string }, key) =>
      call(staffingApi.endStandIn, { params: { id: crewId }, body }, { idempotencyKey: key }),
    onSuccess: () => toast.success('Undone: everybody is where they were'),
    onError: (error) => toast.error(error),
  })
  const add = useIdempotentMutation({
    onSettled,
    mutationFn: ({ crewId, ...body }: Lent & { seenOn: string | null }, key) =>
      call(staffingApi.standIn, { params: { id: crewId }, body }, { idempotencyKey: key }),
    onError: (error) => toast.error(error),
  })
  return { add, end }
}
