import { hashKey } from '@tanstack/react-query'
import { ApiError } from '#src/shared/client.ts'

const same = (a: unknown, b: unknown): boolean => hashKey([a]) === hashKey([b])

/** What of a form differs from what it was opened with. Lists and objects count as one field each. */
export const changedFields = <V extends object>(opened: V, typed: V): Partial<V> => {
  const before = new Map<string, unknown>(Object.entries(opened))
  return Object.fromEntries(
    Object.entries(typed).filter(([field, value]) => !same(value, before.get(field))),
  ) as Partial<V>
}

/** Fields that two people changed since both saw `opened`, each to something else. */
export const clashingFields = <V extends object>(opened: V, theirs: V, mine: Partial<V>): (keyof V)[] =>
  (Object.keys(mine) as (keyof V)[]).filter(
    (field) => !same(theirs[field], opened[field]) && !same(theirs[field], mine[field]),
  )

/** The version that stands on the server, when an error says that somebody else changed the record. */
export const latestVersion = (error: unknown): number | null =>
  error instanceof ApiError && error.code === 'version_conflict' && typeof error.details.version === 'number'
    ? error.details.version
    : null

/** Sends only what was changed, with the version of the record that it goes over. */
export type Send<T, V> = (changes: Partial<V>, over: T) => Promise<unknown>

/** What two people changed: nothing of `mine` was saved yet. */
export type Clash<T, V> = { theirs: T; mine: Partial<V>; fields: (keyof V)[] }

export type Source<T, V> = {
  /** The fields of a record as the form sends them. */
  read: (record: T) => V
  /** The record as it stands on the server; undefined when it is not there any more. */
  load: () => Promise<T | undefined>
}

// Somebody who saves again and again between our two requests is a fault somewhere, not a person.
const attempts = 5

/**
 * Saves what was changed over whatever others saved meanwhile in other fields.
 * @returns null when it is saved, or the fields that both changed, about which the person has to be asked
 */
export const saveOver = async <T extends { version: number }, V extends object>(
  { read, load }: Source<T, V>,
  opened: T,
  changes: Partial<V>,
  send: Send<T, V>,
): Promise<Clash<T, V> | null> => {
  let [over, mine] = [opened, changes]
  for (let attempt = 1; ; attempt++) {
    try {
      await send(mine, over)
      return null
    } catch (error) {
      const latest = latestVersion(error)
      if (latest === null || attempt === attempts) throw error
      const theirs = await load()
      if (!theirs || theirs.version < latest) throw error
      const fields = clashingFields(read(over), read(theirs), mine)
      if (fields.length > 0) return { theirs, mine, fields }
      mine = changedFields(read(theirs), { ...read(theirs), ...mine })
      over = theirs
    }
  }
}
