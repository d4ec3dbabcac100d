import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../../shared/client.ts'
import type { CallInput } from '../../../../shared/endpoint.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { leadBookingApi, pageBookingApi } from '../contract.ts'

type Body<K extends keyof typeof pageBookingApi> = CallInput<(typeof pageBookingApi)[K]>['body']

export const useDays = (slug: string) =>
  useMutation({ mutationFn: (body: Body<'days'>) => call(pageBookingApi.days, { params: { slug }, body }) })

/** The key in the body holds one place, however often it is sent. */
export const useHold = (slug: string) =>
  useMutation({ mutationFn: (body: Body<'hold'>) => call(pageBookingApi.hold, { params: { slug }, body }) })

export const useBook = (slug: string) =>
  useMutation({ mutationFn: (body: Body<'book'>) => call(pageBookingApi.book, { params: { slug }, body }) })

export const leadBookingQuery = (id: string) =>
  queryOptions({
    queryKey: ['leads', 'booking', id],
    queryFn: ({ signal }) => call(leadBookingApi.get, { params: { id } }, { signal }),
  })

const useAnswer = <T>(id: string, mutationFn: (input: T, key: string) => ReturnType<typeof accepted>) => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn,
    onSuccess: (answer) => {
      client.setQueryData(leadBookingQuery(id).queryKey, answer)
      void client.invalidateQueries({ queryKey: ['leads'] })
    },
  })
}

const accepted = (id: string, body: { day?: string }, key: string) =>
  call(leadBookingApi.accept, { params: { id }, body }, { idempotencyKey: key })

export const useAcceptDay = (id: string) =>
  useAnswer(id, (body: { day?: string }, key: string) => accepted(id, body, key))

export const useRefuseDay = (id: string) =>
  useAnswer(id, (_: undefined, key: string) => call(leadBookingApi.refuse, { params: { id } }, { idempotencyKey: key }))
