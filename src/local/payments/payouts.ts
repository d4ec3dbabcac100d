import { sql } from 'kysely'
import { clock } from '../../platform/clock.ts'
import { database } from '../../platform/db/database.ts'
import type { PaymentProvider, Payout } from '../../platform/payments/provider.ts'
import { addDays, type Day, weekdayOf } from '../../shared/dates.ts'
import { findLocalAccount } from './accounts.ts'
import { deliverLocalEvents, type LocalEvent } from './events.ts'
import { listMovesOf, listWaitingMoves, noteMove } from './moves.ts'
import { idOf, listOfAccount, lock, read, write } from './objects.ts'

// What the test provider pays out: once a day all that moved on an account and was not paid out before. It arrives two business days later.

export type LocalPayout = Payout & { account: string }

const linesOfPage = 100
/** How long a transfer takes, in business days. */
const daysOnItsWay = 2

/** The day so many business days after one. */
export const businessDaysAfter = (day: Day, count: number): Day => {
  let [at, left] = [day, count]
  while (left > 0) {
    at = addDays(at, 1)
    if (weekdayOf(at) !== 0 && weekdayOf(at) !== 6) left -= 1
  }
  return at
}

const tell = (step: 'created' | 'paid' | 'failed', { id, account, amountCents, status }: LocalPayout): LocalEvent => ({
  type: `payout.${step}`,
  account,
  object: { id, object: 'payout', amount: amountCents, status: status === 'on_its_way' ? 'in_transit' : status },
})

export const listLocalPayouts = async (account: string, most = 100): Promise<LocalPayout[]> =>
  (await listOfAccount<LocalPayout>('payout', account, most)).map(({ payload }) => payload)

/**
 * Pays out what is there, under the account's lock, so that nothing goes into two payouts.
 * @param before only what moved before this instant
 * @returns the payout's id, or null where there is nothing to pay out
 */
export const payOutLocally = async (account: string, before: string | null = null): Promise<string | null> => {
  const today = clock.iso().slice(0, 10)
  const payout: LocalPayout = {
    provider: 'local',
    livemode: false,
    id: idOf('po'),
    status: 'on_its_way',
    amountCents: 0,
    madeAt: clock.iso(),
    arrivesOn: businessDaysAfter(today, daysOnItsWay),
    failure: null,
    linesTold: 'all',
    account,
  }
  const made = await database()
    .transaction()
    .execute(async (tx) => {
      if (!(await lock(tx, 'account', account))) return null
      const moves = await listWaitingMoves(tx, account, before)
      const amountCents = moves.reduce((sum, one) => sum + one.amountCents - one.feeCents, 0)
      if (amountCents <= 0) return null
      await sql`update local_billing_objects set payload = payload || jsonb_build_object('payout', ${payout.id}::text)
        where id = any(${moves.map(({ id }) => id)}::text[])`.execute(tx)
      await tx
        .insertInto('localBillingObjects')
        .values({
          id: payout.id,
          kind: 'payout',
          payload: JSON.stringify({ ...payout, amountCents }),
          createdAt: clock.iso(),
        })
        .execute()
      return { ...payout, amountCents }
    })
  if (!made) return null
  await deliverLocalEvents([tell('created', made)])
  return made.id
}

const change = async (id: string, account: string, to: (payout: LocalPayout) => LocalPayout | null) =>
  database()
    .transaction()
    .execute(async (tx) => {
      const payout = await lock<LocalPayout>(tx, 'payout', id)
      const after = payout?.account === account ? to(payout) : null
      if (after) await write(tx, id, after)
      return after
    })

/** A payout reaches the bank, once. */
export const arriveLocalPayout = async (account: string, id: string): Promise<void> => {
  const after = await change(id, account, (one) => (one.status === 'on_its_way' ? { ...one, status: 'paid' } : null))
  if (after) await deliverLocalEvents([tell('paid', after)])
}

/** The bank sends a payout back, on its way or days after: the money is on the account again and goes into the next one. */
export const failLocalPayout = async (account: string, id: string, failure = 'The bank account is closed.') => {
  const after = await change(id, account, (one) =>
    one.status === 'on_its_way' || one.status === 'paid' ? { ...one, status: 'failed', failure } : null,
  )
  if (!after) return
  await noteMove(account, `${id}_back`, {
    kind: 'returned',
    amountCents: after.amountCents,
    sourceId: id,
    words: 'Payout that the bank sent back',
  })
  await deliverLocalEvents([tell('failed', after)])
}

/** Time goes on: what has come to its day arrives, and on a business day what moved before today is paid out. */
const goOn = async (account: string): Promise<void> => {
  const today = clock.iso().slice(0, 10)
  for (const { id, status, arrivesOn } of await listLocalPayouts(account, 20))
    if (status === 'on_its_way' && arrivesOn <= today) await arriveLocalPayout(account, id)
  const isBusinessDay = weekdayOf(today) !== 0 && weekdayOf(today) !== 6
  if (isBusinessDay && (await findLocalAccount(account))?.payoutsEnabled)
    await payOutLocally(account, `${today}T00:00:00.000Z`)
}

export const localPayouts: Pick<PaymentProvider, 'findPayout' | 'listPayoutLines' | 'listPayouts'> = {
  findPayout: async (id, account) => {
    const found = await read<LocalPayout>('payout', id)
    if (found?.account !== account || !(await findLocalAccount(account))) return null
    const { account: _, ...payout } = found
    return payout
  },
  listPayoutLines: async (id, _account, after) => {
    const moves = await listMovesOf(id, after, linesOfPage)
    return {
      lines: moves.map(({ account: _of, payout: _in, ...line }) => line),
      next: moves.length === linesOfPage ? (moves.at(-1)?.id ?? null) : null,
    }
  },
  // Nobody but us moves its time on, so who looks does.
  listPayouts: async (account, since) => {
    await goOn(account)
    return (await listLocalPayouts(account)).flatMap(({ id, madeAt }) => (madeAt >= since ? [id] : []))
  },
}
