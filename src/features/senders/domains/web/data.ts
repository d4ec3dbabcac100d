import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type Sender, senderApi } from '../contract.ts'

export const senderQuery = queryOptions({
  queryKey: ['business', 'sender'],
  queryFn: ({ signal }) => call(senderApi.get, {}, { signal }),
})

const useSender = <In>(send: (input: In, idempotencyKey: string) => Promise<Sender>) => {
  const client = useQueryClient()
  return useIdempotentMutation<In, Sender>({
    mutationFn: send,
    onSuccess: (sender) => client.setQueryData(senderQuery.queryKey, sender),
    // somebody else may have changed it meanwhile
    onError: () => client.invalidateQueries({ queryKey: senderQuery.queryKey }),
  })
}

export const useAddSender = () =>
  useSender((address: string, idempotencyKey) => call(senderApi.add, { body: { address } }, { idempotencyKey }))

export const useChangeSender = () =>
  useSender((body: { address: string; version: number }, idempotencyKey) =>
    call(senderApi.change, { body }, { idempotencyKey }),
  )

export const useCheckSender = () =>
  useSender((_: null, idempotencyKey) => call(senderApi.check, {}, { idempotencyKey }))

export const useRotateKey = () =>
  useSender((version: number, idempotencyKey) => call(senderApi.rotate, { body: { version } }, { idempotencyKey }))

export const useKeepKey = () =>
  useSender((version: number, idempotencyKey) => call(senderApi.keepKey, { body: { version } }, { idempotencyKey }))

export const useRemoveSender = () =>
  useSender((version: number, idempotencyKey) => call(senderApi.remove, { body: { version } }, { idempotencyKey }))
