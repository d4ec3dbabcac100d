import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { type OwnerCall, useOwner } from '../../owner/web/session.ts'
import { type SupportAccess, supportApi } from '../contract.ts'
import type { GrantHours } from '../rules.ts'

const againMs = 30_000

/** For the Owner. While support is let in, what it looks at changes. */
export const supportQuery = queryOptions({
  queryKey: ['business', 'support'],
  queryFn: ({ signal }) => call(supportApi.get, {}, { signal }),
  refetchInterval: (query) => (query.state.data?.grant ? againMs : false),
})

const useStore = () => {
  const client = useQueryClient()
  return (access: SupportAccess) => client.setQueryData(supportQuery.queryKey, access)
}

export const useGrantSupport = () => {
  const store = useStore()
  return useIdempotentMutation({
    mutationFn: (body: { hours: GrantHours; note: string }, key) =>
      call(supportApi.grant, { body }, { idempotencyKey: key }),
    onSuccess: store,
  })
}

export const useEndSupport = () => {
  const store = useStore()
  return useMutation({
    mutationFn: (id: string) => call(supportApi.end, { params: { id } }),
    onSuccess: store,
  })
}

/** For the product owner's desk. */
export const openGrantsQuery = (ask: OwnerCall) =>
  queryOptions({
    queryKey: ['desk', 'support'],
    queryFn: async ({ signal }) => (await ask(supportApi.openGrants, {}, { signal, retries: 1 })).items,
    refetchInterval: againMs,
    staleTime: 0,
  })

export const useSupportCode = () => {
  const { ask } = useOwner()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => ask(supportApi.makeCode, { params: { id } }),
    onError: () => void client.invalidateQueries({ queryKey: ['desk', 'support'] }),
  })
}
