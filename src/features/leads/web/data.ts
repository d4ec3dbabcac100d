import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { ApiError, call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import type { CustomerDuplicate } from '../../customers/contract.ts'
import type { MessageInput } from '../../messages/web/data.ts'
import {
  type Board,
  businessLeadsApi,
  type LeadDuplicates,
  type LeadFilter,
  type LeadItem,
  type LeadRecord,
} from '../contract.ts'
import type { LostReason, Stage } from '../rules.ts'

export type Filter = Omit<z.input<typeof LeadFilter>, 'stage'>
/** How many of each column are shown. */
export type Lengths = Partial<Record<Stage, number>>

export const boardQuery = (filter: Filter, lengths: Lengths) =>
  queryOptions({
    queryKey: ['leads', 'board', filter, lengths],
    queryFn: ({ signal }) => call(businessLeadsApi.board, { query: { ...filter, ...lengths } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const leadsQuery = (
  filter: Filter & { stage?: Stage | undefined; sort: 'created' | 'name' | 'next'; order: 'asc' | 'desc' },
) =>
  infiniteQueryOptions({
    queryKey: ['leads', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        businessLeadsApi.list,
        { query: { ...filter, limit: 50, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })

export const countsQuery = queryOptions({
  queryKey: ['leads', 'counts'],
  queryFn: ({ signal }) => call(businessLeadsApi.counts, {}, { signal }),
})

export const peopleQuery = queryOptions({
  queryKey: ['leads', 'people'],
  queryFn: async ({ signal }) => (await call(businessLeadsApi.people, {}, { signal })).items,
  staleTime: 300_000,
})

export const leadQuery = (id: string) =>
  queryOptions({
    queryKey: ['leads', 'one', id],
    queryFn: ({ signal }) => call(businessLeadsApi.get, { params: { id } }, { signal }),
  })

export const timelineQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['leads', 'timeline', id],
    queryFn: ({ pageParam, signal }) =>
      call(
        businessLeadsApi.timeline,
        { params: { id }, query: { limit: 30, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    // An answer that comes in, a text that has arrived: messages tell of it.
    meta: { live: { topics: ['leads', 'messages'] } },
  })

export const duplicatesQuery = (probe: { phone: string; email: string; street: string; city: string; zip: string }) =>
  queryOptions({
    queryKey: ['leads', 'duplicates', probe],
    queryFn: ({ signal }) => call(businessLeadsApi.duplicates, { query: probe }, { signal }),
    enabled: Boolean(probe.phone || probe.email || probe.street),
    placeholderData: keepPreviousData,
  })

/** The whole new record stands where it is shown before the lists are asked again. */
const useTold = () => {
  const client = useQueryClient()
  return (lead: LeadRecord) => {
    client.setQueryData(leadQuery(lead.id).queryKey, lead)
    for (const key of [['leads'], ['dashboard'], ['notifications'], ['nav-counts']])
      void client.invalidateQueries({ queryKey: key })
  }
}

export const useCreateLead = () => {
  const told = useTold()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof businessLeadsApi.create>['body'], key) =>
      call(businessLeadsApi.create, { body }, { idempotencyKey: key }),
    onSuccess: told,
  })
}

export const useUpdateLead = (id: string) => {
  const told = useTold()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof businessLeadsApi.update>['body'], key) =>
      call(businessLeadsApi.update, { params: { id }, body }, { idempotencyKey: key }),
    onSuccess: told,
  })
}

export type Move = { lead: LeadItem; stage: Stage; lost?: { reason: LostReason; note: string } }

const moved = (board: Board | undefined, { lead, stage }: Move): Board | undefined =>
  board && {
    columns: board.columns.map((column) => {
      const had = column.items.some(({ id }) => id === lead.id)
      const items = column.items.filter(({ id }) => id !== lead.id)
      if (column.stage === stage)
        return { ...column, items: [{ ...lead, stage }, ...items], count: had ? column.count : plus(column.count, 1) }
      return had ? { ...column, items, count: plus(column.count, -1) } : column
    }),
  }
const plus = (count: number | null, by: number): number | null => (count === null ? null : count + by)

/** Moves at once on the screen, and back where the server says no. */
export const useMoveLead = () => {
  const client = useQueryClient()
  const told = useTold()
  return useIdempotentMutation({
    mutationFn: ({ lead, stage, lost }: Move, key) =>
      call(
        businessLeadsApi.move,
        { params: { id: lead.id }, body: { stage, version: lead.version, ...(lost ? { lost } : {}) } },
        { idempotencyKey: key },
      ),
    onMutate: async (move) => {
      await client.cancelQueries({ queryKey: ['leads', 'board'] })
      client.setQueriesData<Board>({ queryKey: ['leads', 'board'] }, (board) => moved(board, move))
    },
    onSuccess: told,
    onError: () => client.invalidateQueries({ queryKey: ['leads'] }),
  })
}

export const useNote = (id: string) => {
  const told = useTold()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof businessLeadsApi.note>['body'], key) =>
      call(businessLeadsApi.note, { params: { id }, body }, { idempotencyKey: key }),
    onSuccess: told,
  })
}

export const useWriteLead = (id: string) => {
  const told = useTold()
  return useIdempotentMutation({
    mutationFn: ({ channel, subject, text }: MessageInput, key) =>
      channel === 'sms'
        ? call(businessLeadsApi.sendText, { params: { id }, body: { text } }, { idempotencyKey: key })
        : call(businessLeadsApi.sendEmail, { params: { id }, body: { subject, text } }, { idempotencyKey: key }),
    onSuccess: told,
  })
}

export const useConvert = (id: string) => {
  const client = useQueryClient()
  const told = useTold()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof businessLeadsApi.convert>['body'], key) =>
      call(businessLeadsApi.convert, { params: { id }, body }, { idempotencyKey: key }),
    onSuccess: (lead) => {
      told(lead)
      void client.invalidateQueries({ queryKey: ['customers'] })
      void client.invalidateQueries({ queryKey: ['messages'] })
    },
  })
}

export type BulkAction = CallInput<typeof businessLeadsApi.bulk>['body']['action']

export const useBulkLeads = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof businessLeadsApi.bulk>['body'], key) =>
      call(businessLeadsApi.bulk, { body }, { idempotencyKey: key }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['leads'] })
      void client.invalidateQueries({ queryKey: ['dashboard'] })
    },
  })
}

const detailsOf = (error: unknown): unknown =>
  error instanceof ApiError && error.code === 'conflict'
    ? (error.details as { duplicates?: unknown } | undefined)?.duplicates
    : undefined

/** Who is there already, from the refusal of a new lead; null where it says nothing of it. */
export const leadDuplicatesOf = (error: unknown): LeadDuplicates | null => {
  const found = detailsOf(error)
  return found && !Array.isArray(found) ? (found as LeadDuplicates) : null
}

/** The customers that a converted lead may be. */
export const customerDuplicatesOf = (error: unknown): CustomerDuplicate[] | null => {
  const found = detailsOf(error)
  return Array.isArray(found) ? (found as CustomerDuplicate[]) : null
}
