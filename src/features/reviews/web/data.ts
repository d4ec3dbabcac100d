import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/client.ts'
import type { CallInput } from '../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../ui/useIdempotentMutation.ts'
import { publicReviewsApi, reviewSettingsApi, reviewsApi } from '../contract.ts'
import type { ReviewFilter } from '../rules.ts'

export const reviewsQuery = (show: ReviewFilter) =>
  infiniteQueryOptions({
    queryKey: ['reviews', 'list', show],
    queryFn: ({ pageParam, signal }) =>
      call(reviewsApi.list, { query: { show, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })

export const reviewQuery = (id: string) =>
  queryOptions({
    queryKey: ['reviews', 'one', id],
    queryFn: ({ signal }) => call(reviewsApi.get, { params: { id } }, { signal }),
  })

export const summaryQuery = queryOptions({
  queryKey: ['reviews', 'summary'],
  queryFn: ({ signal }) => call(reviewsApi.summary, {}, { signal }),
})

export const reviewSettingsQuery = queryOptions({
  queryKey: ['business', 'reviews'],
  queryFn: ({ signal }) => call(reviewSettingsApi.get, {}, { signal }),
})

export const publicReviewsQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: ['public-reviews', slug],
    queryFn: ({ pageParam, signal }) =>
      call(publicReviewsApi.list, { params: { slug }, query: pageParam ? { cursor: pageParam } : {} }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })

export const useSaveReviewSettings = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (body: CallInput<typeof reviewSettingsApi.save>['body'], key: string) =>
      call(reviewSettingsApi.save, { body }, { idempotencyKey: key }),
    onSuccess: (saved) => {
      client.setQueryData(reviewSettingsQuery.queryKey, saved)
      void client.invalidateQueries({ queryKey: ['reviews'] })
    },
  })
}

/** What shows reviews, or that one waits, is asked for again. */
const useRefresh = () => {
  const client = useQueryClient()
  return () => {
    for (const topic of ['reviews', 'dashboard']) void client.invalidateQueries({ queryKey: [topic] })
  }
}

export const useReply = () =>
  useIdempotentMutation({
    mutationFn: (input: CallInput<typeof reviewsApi.reply>, key: string) =>
      call(reviewsApi.reply, input, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })

export const useHandle = () =>
  useIdempotentMutation({
    mutationFn: (input: CallInput<typeof reviewsApi.handle>, key: string) =>
      call(reviewsApi.handle, input, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })

export const useHide = () =>
  useIdempotentMutation({
    mutationFn: (input: CallInput<typeof reviewsApi.hide>, key: string) =>
      call(reviewsApi.hide, input, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })

export const useShow = () =>
  useIdempotentMutation({
    mutationFn: (input: CallInput<typeof reviewsApi.show>, key: string) =>
      call(reviewsApi.show, input, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })

export const useEditReply = () =>
  useIdempotentMutation({
    mutationFn: (input: CallInput<typeof reviewsApi.editReply>, key: string) =>
      call(reviewsApi.editReply, input, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })

export const useWithdrawReply = () =>
  useIdempotentMutation({
    mutationFn: (input: CallInput<typeof reviewsApi.withdrawReply>, key: string) =>
      call(reviewsApi.withdrawReply, input, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })

export const useKeepHidden = () =>
  useIdempotentMutation({
    mutationFn: (input: CallInput<typeof reviewsApi.keepHidden>, key: string) =>
      call(reviewsApi.keepHidden, input, { idempotencyKey: key }),
    onSuccess: useRefresh(),
  })
