import { createHash } from 'node:crypto'
import { clock } from './clock.ts'
import { database } from './db/database.ts'
import { newId } from './ids.ts'
import { decryptField, encryptField } from './keys.ts'

/** A value that leaves the server and comes back: what it says, its own id and its end. */
export type Sealed<T> = { data: T; id: string; expiresAt: string }

/**
 * Encrypts what a browser or a mailed link shall bring back to us: nobody can read or change it, it is good for one purpose and for a span.
 * @param purpose a name; what was sealed for another one does not open
 */
export const seal = <T>(purpose: string, data: T, seconds: number): string =>
  encryptField(JSON.stringify({ p: purpose, i: newId(), e: clock.nowMs() + seconds * 1000, d: data }))

/** Opens what `seal` made; null when it is none of ours, was made for something else, or its time is over. */
export const unseal = <T>(purpose: string, text: string | undefined): Sealed<T> | null => {
  try {
    const { p, i, e, d } = JSON.parse(decryptField(text ?? '')) as { p: string; i: string; e: number; d: T }
    return p === purpose && e > clock.nowMs() ? { data: d, id: i, expiresAt: new Date(e).toISOString() } : null
  } catch {
    return null
  }
}

/** Uses up a one-time value. True the first time, false ever after: of two at once one gets true. */
export const takeOnce = async (sealed: { id: string; expiresAt: string }): Promise<boolean> => {
  const made = await database()
    .insertInto('usedTokens')
    .values({ tokenHash: createHash('sha256').update(sealed.id).digest('hex'), expiresAt: sealed.expiresAt })
    .onConflict((c) => c.doNothing())
    .returning('tokenHash')
    .executeTakeFirst()
  return made !== undefined
}
