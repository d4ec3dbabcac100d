import { sql } from 'kysely'
import { clock } from '../../platform/clock.ts'
import { database } from '../../platform/db/database.ts'
import {
  type Charge,
  type ChargeRequest,
  leastChargeCents,
  missingCode,
  mostChargeCents,
  type PaidTo,
  type PaymentProvider,
  PaymentRefused,
  type SavedMethod,
} from '../../platform/payments/provider.ts'
import { findLocalAccount } from './accounts.ts'
import { beginDebit, findDebit } from './debits.ts'
import { deliverLocalEvents } from './events.ts'
import { cardFee, noteMove } from './moves.ts'
import { checkKey, idOf, insert, lock, read, write } from './objects.ts'

// The test provider's own side of cards and bank accounts that were left, and of what is charged on them.

type LocalMethod = SavedMethod & { account: string; number: string; removed: boolean }
type LocalCharge = Charge & { account: string; paidWith?: PaidTo }

/** Cards that are good at the checkout and say no later, by their numbers and the provider's names for why. */
export const laterDeclines: Record<string, string> = {
  '4000000000000341': 'insufficient_funds',
  '4000000000000069': 'expired_card',
}

/** Keeps what a page is paid with, once for a page. */
export const keepLocalMethod = async (
  sessionId: string,
  account: string,
  number: string,
  kind: SavedMethod['kind'] = 'card',
): Promise<void> => {
  const method: LocalMethod = {
    kind,
    id: idOf('pm'),
    customerId: idOf('cus'),
    brand: kind === 'card' ? 'visa' : 'Test Bank',
    last4: number.slice(-4),
    expMonth: kind === 'card' ? 12 : null,
    expYear: kind === 'card' ? Number(clock.iso().slice(0, 4)) + 3 : null,
    account,
    number,
    removed: false,
  }
  await insert('method', method.id, method, `method:${sessionId}`)
}

const viewOf = ({ kind, id, customerId, brand, last4, expMonth, expYear }: LocalMethod): SavedMethod => ({
  // what was kept before there were bank accounts
  kind: kind ?? 'card',
  id,
  customerId,
  brand,
  last4,
  expMonth,
  expYear,
})

/** What was left with a page. */
export const findLocalMethodOf = async (sessionId: string): Promise<SavedMethod | null> => {
  const row = await database()
    .selectFrom('localBillingObjects')
    .select('payload')
    .where('requestKey', '=', `method:${sessionId}`)
    .executeTakeFirst()
  return row ? viewOf(row.payload as unknown as LocalMethod) : null
}

/** @throws PaymentRefused when the account takes no cards now, or the amount is too small or too large, as the real one would */
export const refuseLocalCharge = async (amountCents: number | null, account: string | null): Promise<void> => {
  if (account && !(await findLocalAccount(account))?.chargesEnabled)
    throw new PaymentRefused('Your account cannot currently make live charges.')
  if (amountCents !== null && amountCents < leastChargeCents)
    throw new PaymentRefused('Amount must be at least $0.50 usd', 'amount_too_small')
  if (amountCents !== null && amountCents > mostChargeCents)
    throw new PaymentRefused('Amount must be no more than $999,999.99', 'amount_too_large')
}

/** The same key charges once. What comes of it depends on the card's number alone. */
export const chargeLocalMethod = async (request: ChargeRequest, account: string): Promise<Charge> => {
  await refuseLocalCharge(request.amountCents, account)
  const method = await read<LocalMethod>('method', request.methodId)
  const usable = method && !method.removed && method.account === account && method.customerId === request.customerId
  const declineCode = usable ? (laterDeclines[method.number] ?? null) : missingCode
  const byBank = usable && method.kind === 'bank'
  const charge: LocalCharge = {
    provider: 'local',
    livemode: false,
    id: idOf('pi'),
    status: declineCode ? 'declined' : byBank ? 'processing' : 'paid',
    method: byBank ? 'bank' : 'card',
    amountCents: request.amountCents,
    declineCode,
    madeAt: clock.iso(),
    mark: request.mark,
    account,
    ...(method ? { paidWith: { kind: viewOf(method).kind, brand: method.brand, last4: method.last4 } } : {}),
  }
  const id = await insert('charge', charge.id, charge, request.requestKey)
  if (id !== charge.id) {
    const first = await read<LocalCharge>('charge', id)
    const of = ({ amountCents, mark, account: paidTo }: LocalCharge) => ({ amountCents, mark, account: paidTo })
    if (first) checkKey(request.requestKey, of(first), of(charge))
  }
  if (id === charge.id && !declineCode && !byBank)
    await noteMove(account, id, {
      kind: 'payment',
      amountCents: request.amountCents,
      feeCents: cardFee(request.amountCents),
      sourceId: id,
      words: request.description,
    })
  if (byBank)
    await beginDebit(database(), {
      of: id,
      by: 'charge',
      account,
      amountCents: request.amountCents,
      description: request.description,
      number: method.number,
      mark: request.mark,
    })
  if (id === charge.id)
    await deliverLocalEvents([
      {
        type: declineCode
          ? 'payment_intent.payment_failed'
          : byBank
            ? 'payment_intent.processing'
            : 'payment_intent.succeeded',
        account,
        object: { id, object: 'payment_intent', metadata: request.mark },
      },
    ])
  return (await findLocalCharge(id, account)) ?? charge
}

/** @param account asked by its account a charge of another one is not there */
export const findLocalCharge = async (id: string, account?: string): Promise<Charge | null> => {
  const found = await read<LocalCharge>('charge', id)
  if (!found) return null
  if (account !== undefined && (found.account !== account || !(await findLocalAccount(account)))) return null
  const { account: _, paidWith: __, ...charge } = found
  if (charge.status !== 'processing') return { ...charge, method: charge.method ?? 'card' }
  const debit = await findDebit(id)
  if (!debit || debit.status === 'processing') return charge
  return debit.status === 'failed'
    ? { ...charge, status: 'declined', declineCode: debit.problem }
    : { ...charge, status: 'paid' }
}

/** What a charge was made on. */
export const findLocalMethodCharged = async (id: string): Promise<PaidTo | null> =>
  (await read<LocalCharge>('charge', id))?.paidWith ?? null

/** The charge that a try made; an account that is shut is not looked at, as at the real one. */
export const findLocalChargeOf: PaymentProvider['findChargeOf'] = async ({ checkoutSessionId }, account) => {
  if (!(await findLocalAccount(account))) throw new PaymentRefused('No access to this account.', 'account_invalid')
  const row = await database()
    .selectFrom('localBillingObjects')
    .select('id')
    .where('kind', '=', 'charge')
    .where(sql<string>`payload -> 'mark' ->> 'checkoutSessionId'`, '=', checkoutSessionId)
    .executeTakeFirst()
  return row ? findLocalCharge(row.id, account) : null
}

export const findLocalMethod = async (methodId: string, account: string): Promise<SavedMethod | null> => {
  const method = await read<LocalMethod>('method', methodId)
  return method && method.account === account && !method.removed ? viewOf(method) : null
}

/** The bank gave its customer a new card, and the network tells the provider of it. */
export const renewLocalCard = async (
  methodId: string,
  card: Pick<SavedMethod, 'last4' | 'expMonth' | 'expYear'>,
): Promise<void> => {
  await database()
    .transaction()
    .execute(async (tx) => {
      const method = await lock<LocalMethod>(tx, 'method', methodId)
      if (method) await write(tx, methodId, { ...method, ...card })
    })
}

export const removeLocalMethod = async (methodId: string): Promise<void> => {
  await database()
    .transaction()
    .execute(async (tx) => {
      const method = await lock<LocalMethod>(tx, 'method', methodId)
      if (method) await write(tx, methodId, { ...method, removed: true })
    })
}
