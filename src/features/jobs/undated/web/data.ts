import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { jobsApi } from '../../contract.ts'

const useRefresh = () => {
  const client = useQueryClient()
  return {
    onSuccess: () => {
      for (const topic of ['jobs', 'calendar', 'visits', 'routes']) void client.invalidateQueries({ queryKey: [topic] })
    },
  }
}

export const useDecideStep = () =>
  useIdempotentMutation({
    ...useRefresh(),
    mutationFn: (input: CallInput<(typeof jobsApi)['decideStep']>, key) =>
      call(jobsApi.decideStep, input, { idempotencyKey: key }),
  })

export const useBookLine = () =>
  useIdempotentMutation({
    ...useRefresh(),
    mutationFn: (input: CallInput<(typeof jobsApi)['bookLine']>, key) =>
      call(jobsApi.bookLine, input, { idempotencyKey: key }),
  })
