import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
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

/** What my devices ring for, all of them. What is on its way is shown as it will be. */
export const useTopics = (userId: string) => {
  const client = useQueryClient()
  const { queryKey } = pushQuery(userId)
  const muted = useQuery(pushQuery(userId)).data?.own.muted ?? []
  const change = useMutation({
    mutationFn: (body: { topic: PushTopic; on: boolean }) => call(pushApi.choose, { body }),
    onSuccess: (own) => client.setQueryData(queryKey, (before) => before && { ...before, own }),
  })
  const isOn = (topic: PushTopic): boolean =>
    change.isPending && change.variables.topic === topic ? change.variables.on : !muted.includes(topic)
  return { isOn, change }
}
