import type { Adapter, AdapterPayload } from 'oidc-provider'
import { clock } from '../../platform/clock.ts'

type Kept = { payload: AdapterPayload; until: number }

/** What the local identity provider remembers, in memory and for minutes. */
export const memoryAdapter = (model: string): Adapter => {
  const cache = new Map<string, Kept>()
  const find = (match: (entry: Kept) => boolean): AdapterPayload | undefined => {
    for (const [id, entry] of cache) if (entry.until <= clock.nowMs()) cache.delete(id)
    return [...cache.values()].find(match)?.payload
  }
  return {
    upsert: async (id, payload, expiresIn) => {
      cache.set(id, { payload, until: clock.nowMs() + (expiresIn || 600) * 1000 })
    },
    find: async (id) => {
      const entry = cache.get(id)
      return entry && entry.until > clock.nowMs() ? entry.payload : undefined
    },
    findByUid: async (uid) => find((entry) => entry.payload.uid === uid),
    findByUserCode: async (userCode) => find((entry) => entry.payload.userCode === userCode),
    consume: async (id) => {
      const entry = cache.get(id)
      if (entry) entry.payload.consumed = Math.floor(clock.nowMs() / 1000)
    },
    destroy: async (id) => {
      cache.delete(id)
    },
    revokeByGrantId: async (grantId) => {
      if (model === 'Grant') return
      for (const [id, entry] of cache) if (entry.payload.grantId === grantId) cache.delete(id)
    },
  }
}
