import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { type SenderRegistration, senderRegistrationApi } from '../contract.ts'

export const registrationQuery = queryOptions({
  queryKey: ['business', 'sender-registration'],
  queryFn: ({ signal }) => call(senderRegistrationApi.get, {}, { signal }),
})

const useRegistration = <In>(send: (input: In, idempotencyKey: string) => Promise<SenderRegistration>) => {
  const client = useQueryClient()
  return useIdempotentMutation<In, SenderRegistration>({
    mutationFn: send,
    onSuccess: (now) => client.setQueryData(registrationQuery.queryKey, now),
    onError: () => client.invalidateQueries({ queryKey: registrationQuery.queryKey }),
  })
}

export const useSaveRegistration = () =>
  useRegistration((body: CallInput<typeof senderRegistrationApi.save>['body'], idempotencyKey) =>
    call(senderRegistrationApi.save, { body }, { idempotencyKey }),
  )

export const useMarkRegistration = () =>
  useRegistration((body: CallInput<typeof senderRegistrationApi.mark>['body'], idempotencyKey) =>
    call(senderRegistrationApi.mark, { body }, { idempotencyKey }),
  )
