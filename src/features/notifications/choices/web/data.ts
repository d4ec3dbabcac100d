import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../../shared/client.ts'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { choicesApi, type NewsTopic, type NewsWay } from '../contract.ts'

export const choicesQuery = queryOptions({
  queryKey: ['notification-choices'],
  queryFn: ({ signal }) => call(choicesApi.own, {}, { signal }),
})

type Wish = { topic: NewsTopic; way: NewsWay; on: boolean }
const keyOf = ({ topic, way }: Pick<Wish, 'topic' | 'way'>): string => `${topic} ${way}`

/** What I hear of by which way. Taps are sent in their order, and what was tapped last is what is shown, however slow the answers are. */
export const useNews = () => {
  const client = useQueryClient()
  const own = useQuery(choicesQuery).data
  const [wishes, setWishes] = useState<ReadonlyMap<string, Wish>>(new Map())
  const [failed, setFailed] = useState<ReadonlyMap<string, unknown>>(new Map())
  const forget = (wish: Wish) =>
    setWishes((all) => (all.get(keyOf(wish)) === wish ? new Map([...all].filter(([, one]) => one !== wish)) : all))
  const change = useMutation({
    scope: { id: 'notification-choices' },
    mutationFn: (body: Wish) => call(choicesApi.choose, { body }),
    onSuccess: (found, wish) => {
      client.setQueryData(choicesQuery.queryKey, found)
      forget(wish)
    },
    onError: (error, wish) => {
      forget(wish)
      setFailed((all) => new Map(all).set(keyOf(wish), error))
    },
  })
  return {
    isOn: (topic: NewsTopic, way: NewsWay): boolean =>
      wishes.get(keyOf({ topic, way }))?.on ?? !(way === 'bell' ? own?.bellOff : own?.mailOff)?.includes(topic),
    hasFailed: (topic: NewsTopic, way: NewsWay): boolean => failed.has(keyOf({ topic, way })),
    choose: (wish: Wish): void => {
      setWishes((all) => new Map(all).set(keyOf(wish), wish))
      setFailed((all) => new Map([...all].filter(([one]) => one !== keyOf(wish))))
      // what is read just now may be from before the tap
      void client.cancelQueries(choicesQuery)
      change.mutate(wish)
    },
  }
}

/** The hour of my mail; null is none. */
export const useDigest = () => {
  const client = useQueryClient()
  return useIdempotentMutation({
    mutationFn: (hour: number | null, idempotencyKey) =>
      call(choicesApi.digest, { body: { hour } }, { idempotencyKey }),
    onSuccess: (found) => client.setQueryData(choicesQuery.queryKey, found),
  })
}
