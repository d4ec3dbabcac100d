import { type Fix, nowhere, type Spot, type Whereabouts, withFix } from '../../../timeclock/arrivals/rules.ts'

/** What this phone makes of its own places today, without a signal too. It leaves the phone nowhere and ends with the day or with sharing. */

export type Kept = { day: string; where: Whereabouts; dismissed: string[] }

const keyOf = (userId: string): string => `swath.whereabouts:${userId}`
const mostDismissed = 50
const listeners = new Set<() => void>()
const known = new Map<string, Kept>()

const nothing: Kept = { day: '', where: nowhere, dismissed: [] }

const load = (userId: string): Kept => {
  try {
    return (JSON.parse(localStorage.getItem(keyOf(userId)) ?? 'null') as Kept | null) ?? nothing
  } catch {
    return nothing
  }
}

export const whereabouts = (userId: string): Kept => {
  const kept = known.get(userId) ?? load(userId)
  known.set(userId, kept)
  return kept
}

const put = (userId: string, kept: Kept): void => {
  known.set(userId, kept)
  try {
    if (kept === nothing) localStorage.removeItem(keyOf(userId))
    else localStorage.setItem(keyOf(userId), JSON.stringify(kept))
  } catch {
    // a full phone forgets where it was; its work comes first
  }
  for (const listener of [...listeners]) listener()
}

export const onWhereabouts = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const ofDay = (userId: string, day: string): Kept => {
  const kept = whereabouts(userId)
  return kept.day === day ? kept : { ...nothing, day }
}

export const noteFix = (userId: string, day: string, fix: Fix, spots: readonly Spot[]): void => {
  const kept = ofDay(userId, day)
  const where = withFix(kept.where, fix, spots)
  if (where !== kept.where) put(userId, { ...kept, where })
}

/** A person does not want it: it is not asked again. */
export const dismiss = (userId: string, key: string): void => {
  const kept = whereabouts(userId)
  put(userId, { ...kept, dismissed: [...kept.dismissed, key].slice(-mostDismissed) })
}

export const forgetWhereabouts = (userId: string): void => {
  if (whereabouts(userId) !== nothing) put(userId, nothing)
}
