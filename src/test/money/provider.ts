import { sql } from 'kysely'
import type { LocalDispute } from '../../local/payments/disputes.ts'
import type { LocalMove } from '../../local/payments/moves.ts'
import { database } from '../../platform/db/database.ts'
import type { World } from './world.ts'

/** What the provider's own side says of an account, read from its rows and none of ours. */

export type ProviderPayment = {
  id: string
  cents: number
  /** What went back and did not come back. */
  refundedCents: number
  /** What banks took and did not give back. */
  heldCents: number
}

const objects = async <T>(kind: string, account: string): Promise<T[]> => {
  const { rows } = await sql<{ payload: T }>`select payload from local_billing_objects
    where kind = ${kind} and payload ->> 'account' = ${account} order by created_at, id`.execute(database())
  return rows.map(({ payload }) => payload)
}

export const movesOf = ({ account }: World): Promise<LocalMove[]> => objects<LocalMove>('move', account)
export const disputesOf = ({ account }: World): Promise<LocalDispute[]> => objects<LocalDispute>('dispute', account)

/** Refunds that did not fail, of some payments. */
export const refundsOf = async (ids: readonly string[]): Promise<{ id: string; paymentId: string; cents: number }[]> =>
  ids.length === 0
    ? []
    : (
        await database()
          .selectFrom('localRefunds')
          .select(['id', 'paymentIntent', 'amountCents'])
          .where('paymentIntent', 'in', [...ids])
          .where('failed', '=', false)
          .orderBy('createdAt')
          .orderBy('id')
          .execute()
      ).map(({ id, paymentIntent, amountCents }) => ({ id, paymentId: paymentIntent, cents: Number(amountCents) }))

/** Every payment whose money came, the oldest first. */
export const paymentsOf = async (world: World): Promise<ProviderPayment[]> => {
  const paid = (await movesOf(world)).filter(({ kind }) => kind === 'payment')
  const ids = paid.flatMap(({ sourceId }) => sourceId ?? [])
  const [refunds, disputes] = [await refundsOf(ids), await disputesOf(world)]
  const sum = (of: readonly number[]) => of.reduce((all, cents) => all + cents, 0)
  return paid.map(({ sourceId, amountCents }) => ({
    id: sourceId ?? '',
    cents: amountCents,
    refundedCents: sum(refunds.filter(({ paymentId }) => paymentId === sourceId).map(({ cents }) => cents)),
    heldCents: sum(
      disputes.filter(({ paymentId }) => paymentId === sourceId).map((one) => one.takenCents - one.returnedCents),
    ),
  }))
}
