import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, fetchFile } from '../../../shared/client.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { doorcardsApi } from '../contract.ts'

export const neighborsQuery = (propertyId: string) =>
  queryOptions({
    queryKey: ['customers', 'neighbors', propertyId],
    queryFn: ({ signal }) => call(doorcardsApi.near, { params: { id: propertyId } }, { signal }),
  })

export const saveCards = async (id: string): Promise<void> => {
  const { blob, name } = await fetchFile(doorcardsApi.pdf, { params: { id } })
  saveFile(blob, name ?? 'door-cards.pdf')
}

type Wanted = { propertyId: string; body: z.input<typeof doorcardsApi.make.body> }

export const useMakeCards = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: ({ propertyId, body }: Wanted, key) =>
      call(doorcardsApi.make, { params: { id: propertyId }, body }, { idempotencyKey: key }),
    onSettled: () => client.invalidateQueries({ queryKey: ['customers', 'neighbors'] }),
  })
}
