import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
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

export const roomsQuery = (day: string) =>
  queryOptions({
    queryKey: ['customers', 'crew-rooms', day],
    queryFn: ({ signal }) => call(doorcardsApi.rooms, { query: { day } }, { signal }),
  })

export const crewNeighborsQuery = (crewId: string, day: string) =>
  queryOptions({
    queryKey: ['customers', 'neighbors', 'crew', crewId, day],
    queryFn: ({ signal }) => call(doorcardsApi.ofCrew, { params: { id: crewId }, query: { day } }, { signal }),
  })

export const saveCards = async (id: string): Promise<void> => {
  const { blob, name } = await fetchFile(doorcardsApi.pdf, { params: { id } })
  saveFile(blob, name ?? 'door-cards.pdf')
}

type Wanted = { propertyId: string; body: z.input<typeof doorcardsApi.make.body> }

const refresh = async (client: QueryClient): Promise<void> => {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['customers', 'neighbors'] }),
    client.invalidateQueries({ queryKey: ['customers', 'door-cards'] }),
  ])
}

export const useMakeCards = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: ({ propertyId, body }: Wanted, key) =>
      call(doorcardsApi.make, { params: { id: propertyId }, body }, { idempotencyKey: key }),
    onSettled: () => refresh(client),
  })
}

export const batchesQuery = infiniteQueryOptions({
  queryKey: ['customers', 'door-cards'],
  queryFn: ({ pageParam, signal }) =>
    call(doorcardsApi.list, { query: pageParam ? { cursor: pageParam } : {} }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
})

export const useSaveCards = () => useMutation({ mutationFn: saveCards })

export const useUndoCards = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (id: string, key) => call(doorcardsApi.undo, { params: { id } }, { idempotencyKey: key }),
    // also where it was refused: somebody took them back meanwhile
    onSettled: () => refresh(client),
  })
}
