import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../shared/client.ts'
import type { Change } from '../../../shared/topics.ts'
import { shrinkPhoto } from '../../../ui/shrinkPhoto.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { chatApi } from '../contract.ts'

export const threadsQuery = (filter: { search: string; unread: boolean }) =>
  infiniteQueryOptions({
    queryKey: ['chat', 'threads', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        chatApi.threads,
        {
          query: {
            limit: 50,
            ...(filter.search ? { search: filter.search } : {}),
            ...(filter.unread ? { unread: 'true' as const } : {}),
            ...(pageParam ? { cursor: pageParam } : {}),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })

export const threadQuery = (threadId: string) =>
  infiniteQueryOptions({
    queryKey: ['chat', 'thread', threadId],
    queryFn: ({ pageParam, signal }) =>
      call(
        chatApi.messages,
        { params: { threadId }, query: { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    meta: { live: { shows: ({ ids }: Change) => ids.length === 0 || ids.includes(threadId) } },
  })

export const readsQuery = (messageId: string) =>
  queryOptions({
    queryKey: ['chat', 'reads', messageId],
    queryFn: ({ signal }) => call(chatApi.reads, { params: { messageId } }, { signal }),
  })

export const findPeople = async (q: string, signal: AbortSignal) =>
  (await call(chatApi.people, { query: { q } }, { signal })).items

export const useRead = (threadId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (upTo: number) => call(chatApi.read, { params: { threadId }, body: { upTo } }, { retries: 0 }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['chat', 'threads'] })
      void client.invalidateQueries({ queryKey: ['nav-counts'] })
      void client.invalidateQueries({ queryKey: ['notifications'] })
    },
  })
}

type Unsent = { messageId: string; photos: readonly { id: string; file: File }[] }
export type Written = { text: string; visitId: string | null; files: readonly File[] }

/** Writes; the photos follow the words. Those that did not arrive are kept to be sent again. */
export const useWrite = (threadId: string) => {
  const client = useQueryClient()
  const [unsent, setUnsent] = useState<Unsent | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey: ['chat'] })
  const deliver = useMutation({
    mutationFn: async ({ messageId, photos }: Unsent) => {
      for (const [at, { id, file }] of photos.entries()) {
        setUnsent({ messageId, photos: photos.slice(at) })
        await call(
          chatApi.addPhoto,
          { params: { messageId }, query: { id }, body: await shrinkPhoto(file) },
          { idempotencyKey: id },
        )
      }
      setUnsent(null)
    },
    onSettled: refresh,
  })
  const write = useIdempotentMutation({
    mutationFn: async ({ text, visitId, photos }: Omit<Written, 'files'> & { photos: Unsent['photos'] }, key) =>
      call(
        chatApi.send,
        { params: { threadId }, body: { text, visitId, photoIds: photos.map(({ id }) => id) } },
        { idempotencyKey: key },
      ),
    onSuccess: (message, { photos }) => {
      void refresh()
      if (photos.length > 0) deliver.mutate({ messageId: message.id, photos })
    },
  })
  return { write, deliver, unsent, isPending: write.isPending || deliver.isPending }
}
