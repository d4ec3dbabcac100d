import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type Automation, automationRunsApi, automationsApi } from '../contract.ts'
import type { ForeseenKey } from '../others/rules.ts'

// a message that leaves, waits or arrives changes what is shown of it
const live = { topics: ['automations', 'messages'], everyMs: 5_000 } as const

export const automationsQuery = queryOptions({
  queryKey: ['automations', 'list'],
  queryFn: ({ signal }) => call(automationsApi.list, {}, { signal }),
  meta: { live },
})

/** Counted over all messages of a month: looked at now and then, not with each that leaves. */
export const othersQuery = queryOptions({
  queryKey: ['automation-others'],
  queryFn: ({ signal }) => call(automationsApi.others, {}, { signal }),
  meta: { live: { topics: [] } },
  staleTime: 60_000,
})

export const automationQuery = (id: string) =>
  queryOptions({
    queryKey: ['automations', 'one', id],
    queryFn: ({ signal }) => call(automationsApi.get, { params: { id } }, { signal }),
  })

export const choicesQuery = queryOptions({
  queryKey: ['automations', 'choices'],
  queryFn: ({ signal }) => call(automationsApi.choices, {}, { signal }),
  meta: { live: { topics: ['customers'], everyMs: 30_000 } },
})

export const dryRunQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['automations', 'dry-run', id, version],
    queryFn: ({ signal }) => call(automationsApi.dryRun, { params: { id } }, { signal }),
    // it is looked at when somebody asks for it; what happens meanwhile is in the next one
    meta: { live: { topics: [] } },
    staleTime: 60_000,
  })

export const othersDryRunQuery = (of: ForeseenKey) =>
  queryOptions({
    queryKey: ['automation-others', 'dry-run', of],
    queryFn: ({ signal }) => call(automationsApi.othersDryRun, { query: { of } }, { signal }),
    meta: { live: { topics: [] } },
    staleTime: 60_000,
  })

export const runsQuery = (query: { automationId?: string; show?: 'all' | 'waiting' }) =>
  infiniteQueryOptions({
    queryKey: ['automations', 'runs', query],
    queryFn: ({ pageParam, signal }) =>
      call(automationRunsApi.list, { query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    meta: { live },
  })

export const customerAutomationsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['automations', 'customer', customerId],
    queryFn: ({ signal }) => call(automationRunsApi.customer, { params: { id: customerId } }, { signal }),
  })

const useChange = <In, Out>(send: (input: In, key: string) => Promise<Out>) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: send,
    onSettled: () => client.invalidateQueries({ queryKey: ['automations'] }),
  })
}

/** The answer is the whole record, so that a form goes on from it. */
const useKept = <In>(send: (input: In, key: string) => Promise<Automation>) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: send,
    onSuccess: (saved) => client.setQueryData(automationQuery(saved.id).queryKey, saved),
    onSettled: () => client.invalidateQueries({ queryKey: ['automations'] }),
  })
}

export const useCreateAutomation = () =>
  useKept((body: CallInput<typeof automationsApi.create>['body'], key) =>
    call(automationsApi.create, { body }, { idempotencyKey: key }),
  )
export const useUpdateAutomation = () =>
  useKept((input: CallInput<typeof automationsApi.update>, key) =>
    call(automationsApi.update, input, { idempotencyKey: key }),
  )
export const useTurn = () =>
  useKept((input: CallInput<typeof automationsApi.turn>, key) =>
    call(automationsApi.turn, input, { idempotencyKey: key }),
  )
export const useArchive = () =>
  useKept((input: CallInput<typeof automationsApi.archive>, key) =>
    call(automationsApi.archive, input, { idempotencyKey: key }),
  )
export const useSaveSettings = () =>
  useChange((body: CallInput<typeof automationsApi.saveSettings>['body'], key) =>
    call(automationsApi.saveSettings, { body }, { idempotencyKey: key }),
  )
export const useTest = () =>
  useIdempotentMutation({
    mutationFn: (input: CallInput<typeof automationsApi.test>, key) =>
      call(automationsApi.test, input, { idempotencyKey: key }),
  })

export const useApprove = () =>
  useChange((input: CallInput<typeof automationRunsApi.approve>, key) =>
    call(automationRunsApi.approve, input, { idempotencyKey: key }),
  )
export const useApproveAll = () =>
  useChange((body: CallInput<typeof automationRunsApi.approveAll>['body'], key) =>
    call(automationRunsApi.approveAll, { body }, { idempotencyKey: key }),
  )
export const useDrop = () =>
  useChange((input: CallInput<typeof automationRunsApi.drop>, key) =>
    call(automationRunsApi.drop, input, { idempotencyKey: key }),
  )
export const useEditRun = () =>
  useChange((input: CallInput<typeof automationRunsApi.edit>, key) =>
    call(automationRunsApi.edit, input, { idempotencyKey: key }),
  )
export const useWant = () =>
  useChange((input: CallInput<typeof automationRunsApi.want>, key) =>
    call(automationRunsApi.want, input, { idempotencyKey: key }),
  )
