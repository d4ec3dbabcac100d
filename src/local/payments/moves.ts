import { sql } from 'kysely'
import { clock } from '../../platform/clock.ts'
import { database } from '../../platform/db/database.ts'
import type { PayoutLine } from '../../platform/payments/provider.ts'
import { insert, type Tx } from './objects.ts'

// What moves on a business's account at the test provider, until it is paid out.

export type LocalMove = PayoutLine & { account: string /** The payout that it went into. */; payout: string | null }

/** What a card costs: 2.9% and 30 cents. */
export const cardFee = (cents: number): number => Math.round(cents * 0.029) + 30

type Move = Pick<PayoutLine, 'kind' | 'amountCents' | 'sourceId'> & Partial<Pick<PayoutLine, 'feeCents' | 'words'>>

/** Notes a movement, once for its id. Our own account is paid out by nobody. */
export const noteMove = async (account: string | null | undefined, id: string, move: Move): Promise<void> => {
  if (!account) return
  const made: LocalMove = {
    feeCents: 0,
    words: '',
    ...move,
    id: `txn_${id}`,
    madeAt: clock.iso(),
    account,
    payout: null,
  }
  await insert('move', made.id, made, made.id)
}

/** What was not paid out yet of an account, the oldest first. @param before only what moved before this instant; null for all */
export const listWaitingMoves = async (tx: Tx, account: string, before: string | null): Promise<LocalMove[]> => {
  const { rows } = await sql<{ payload: LocalMove }>`select payload from local_billing_objects
    where kind = 'move' and payload ->> 'account' = ${account} and payload ->> 'payout' is null
      and (${before}::timestamptz is null or created_at < ${before}::timestamptz)
    order by created_at, id limit 1000`.execute(tx)
  return rows.map(({ payload }) => payload)
}

/** What went into a payout, a page of it. */
export const listMovesOf = async (payout: string, after: string | null, most: number): Promise<LocalMove[]> => {
  const { rows } = await sql<{ payload: LocalMove }>`select payload from local_billing_objects
    where kind = 'move' and payload ->> 'payout' = ${payout} and id > ${after ?? ''} order by id limit ${most}`.execute(
    database(),
  )
  return rows.map(({ payload }) => payload)
}
