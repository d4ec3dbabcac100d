import { sql, type Transaction } from 'kysely'
import { clock } from '../../platform/clock.ts'
import { database } from '../../platform/db/database.ts'
import type { DB } from '../../platform/db/types.generated.ts'
import { newId } from '../../platform/ids.ts'

// What the local payment provider keeps on its own side: one table of documents, by kind.

type Kind =
  | 'customer'
  | 'checkout'
  | 'portal'
  | 'account'
  | 'account_link'
  | 'method'
  | 'charge'
  | 'dispute'
  | 'payout'
  | 'move'
  | 'debit'
export type Tx = Transaction<DB>

export const idOf = (prefix: string): string => `${prefix}_test_${newId().replaceAll('-', '')}`

const sorted = (value: unknown): unknown =>
  value === null || typeof value !== 'object'
    ? value
    : Array.isArray(value)
      ? value.map(sorted)
      : Object.fromEntries(
          Object.entries(value)
            .filter(([, one]) => one !== undefined)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, one]) => [key, sorted(one)]),
        )

/**
 * A key is good for one request: the same one gets the first answer, another one is refused, as by the real one for a day.
 * @throws Error with the type that the real one gives it
 */
export const checkKey = (key: string, first: unknown, asked: unknown): void => {
  if (JSON.stringify(sorted(first)) === JSON.stringify(sorted(asked))) return
  throw Object.assign(
    new Error(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    ),
    { type: 'StripeIdempotencyError', statusCode: 400 },
  )
}

export const insert = async (kind: Kind, id: string, payload: unknown, requestKey: string | null): Promise<string> => {
  await database()
    .insertInto('localBillingObjects')
    .values({ id, kind, requestKey, payload: JSON.stringify(payload), createdAt: clock.iso() })
    .onConflict((c) => c.column('requestKey').doNothing())
    .execute()
  if (requestKey === null) return id
  const row = await database()
    .selectFrom('localBillingObjects')
    .select('id')
    .where('requestKey', '=', requestKey)
    .executeTakeFirstOrThrow()
  return row.id
}

export const read = async <T>(kind: Kind, id: string): Promise<T | null> => {
  const row = await database()
    .selectFrom('localBillingObjects')
    .select('payload')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row ? (row.payload as unknown as T) : null
}

export const lock = async <T>(tx: Tx, kind: Kind, id: string): Promise<T | null> => {
  const row = await tx
    .selectFrom('localBillingObjects')
    .select('payload')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
  return row ? (row.payload as unknown as T) : null
}

export const write = (tx: Tx, id: string, payload: unknown) =>
  tx
    .updateTable('localBillingObjects')
    .set({ payload: JSON.stringify(payload) })
    .where('id', '=', id)
    .execute()

/** The newest objects of a kind on one account. */
export const listOfAccount = async <T>(
  kind: Kind,
  account: string,
  most: number,
): Promise<{ id: string; payload: T }[]> => {
  const rows = await database()
    .selectFrom('localBillingObjects')
    .select(['id', 'payload'])
    .where('kind', '=', kind)
    .where(sql<string>`payload ->> 'account'`, '=', account)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ id, payload }) => ({ id, payload: payload as unknown as T }))
}
