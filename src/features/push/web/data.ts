import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../shared/client.ts'
import { type PushTopic, pushApi } from '../contract.ts'
import type { PushLanguage } from '../rules.ts'
import { hashHere, kindHere, switchOff, switchOn } from './thisDevice.ts'

const pushQuery = (userId: string) =>
  queryOptions({
    queryKey: ['push', 'own', userId],
    queryFn: async ({ signal }) => {
      const own = await call(pushApi.own, {}, { signal, retries: 0 })
      const hash = await hashHere()
      return { own, on: hash !== null && own.devices.includes(hash) }
    },
    refetchOnMount: 'always',
  })

/** Whether this device is told things, and how that is changed. A device that is on is renewed once where its switch is shown. */
export const usePush = (userId: string, language: PushLanguage) => {
  const client = useQueryClient()
  const query = useQuery(pushQuery(userId))
  const kind = kindHere()
  const { data } = query
  const renewed = data?.on === true ? data.own.key : null
  const keyId = renewed?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each language and key, not for each answer
  useEffect(() => {
    if (renewed) void switchOn(renewed, language).catch(() => undefined)
  }, [keyId, language])
  const change = useMutation({
    mutationFn: async (on: boolean) => {
      if (on && data) await switchOn(data.own.key, language)
      else await switchOff()
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['push', 'own', userId] }),
  })
  return { query, kind, can: kind !== null && data?.own.can[kind] === true, on: data?.on ?? false, change }
}

/**
 * What my devices ring for, all of them. Taps are sent one after the other, in their order, and what was tapped last is what is shown, however slow
 * the answers are: an answer knows nothing of the taps after it.
 */
export const useTopics = (userId: string) => {
  const client = useQueryClient()
  const { queryKey } = pushQuery(userId)
  const muted = useQuery(pushQuery(userId)).data?.own.muted ?? []
  const [wishes, setWishes] = useState<ReadonlyMap<PushTopic, Wish>>(new Map())
  const [failed, setFailed] = useState<ReadonlyMap<PushTopic, unknown>>(new Map())
  /** What was tapped since on the same switch stays as it was tapped. */
  const forget = (wish: Wish) =>
    setWishes((all) =>
      all.get(wish.topic) === wish ? new Map([...all].filter(([topic]) => topic !== wish.topic)) : all,
    )
  const change = useMutation({
    scope: { id: `push-topics:${userId}` },
    mutationFn: (wish: Wish) => call(pushApi.choose, { body: wish }),
    onSuccess: (own, wish) => {
      client.setQueryData(queryKey, (before) => before && { ...before, own })
      forget(wish)
    },
    onError: (error, wish) => {
      forget(wish)
      setFailed((all) => new Map(all).set(wish.topic, error))
    },
  })
  return {
    isOn: (topic: PushTopic): boolean => wishes.get(topic)?.on ?? !muted.includes(topic),
    errorOf: (topic: PushTopic): unknown => failed.get(topic) ?? null,
    hasFailed: failed.size > 0,
    choose: (topic: PushTopic, on: boolean): void => {
      const wish = { topic, on }
      setWishes((all) => new Map(all).set(topic, wish))
      setFailed((all) => new Map([...all].filter(([one]) => one !== topic)))
      // what is read just now may be from before the tap
      void client.cancelQueries({ queryKey })
      change.mutate(wish)
    },
  }
}

type Wish = { topic: PushTopic; on: boolean }
