import { notFound } from '../../shared/errors.ts'
import type { LocalAccount } from './accounts.ts'
import { findLocalCharge } from './cards.ts'
import { listLocalPayments } from './checkout.ts'
import type { LocalBank } from './contract.ts'
import { isUnderWay, type LocalDebit, listDebits, testAccounts } from './debits.ts'
import { listLocalDisputes } from './disputes.ts'
import { listOfAccount, read } from './objects.ts'
import { listLocalPayouts } from './payouts.ts'

const mostShown = 40

/** What the bank of a test account does next. */
const nextOf = ({ number, status }: LocalDebit): string =>
  status === 'paid' ? 'The bank takes it back.' : `The account ${testAccounts[number]?.label ?? 'answers'}.`

/** What came into an account, the newest first, and what the banks of its payers did about it. @throws not_found */
export const getLocalBank = async (accountId: string): Promise<LocalBank> => {
  const account = await read<LocalAccount>('account', accountId)
  if (!account) throw notFound('account')
  const pages = await listLocalPayments(accountId, mostShown)
  const charges = await Promise.all(
    (await listOfAccount<unknown>('charge', accountId, mostShown)).map(({ id }) => findLocalCharge(id)),
  )
  const debits = await listDebits(accountId)
  const debitOf = (of: string): LocalDebit | undefined => debits.find((debit) => debit.of === of)
  const disputes = await listLocalDisputes(accountId)
  return {
    businessName: account.name,
    payouts: (await listLocalPayouts(accountId, 10)).map(({ id, amountCents, arrivesOn, status }) => ({
      id,
      amountCents,
      arrivesOn,
      status,
    })),
    payments: [
      ...pages.map(({ id, intentId, description, amountCents }) => ({
        id: intentId ?? '',
        description,
        amountCents,
        of: debitOf(id),
      })),
      ...charges.flatMap((charge) =>
        charge && (charge.status === 'paid' || charge.method === 'bank')
          ? [{ id: charge.id, description: 'Autopay', amountCents: charge.amountCents, of: debitOf(charge.id) }]
          : [],
      ),
    ].map(({ of, ...payment }) => ({
      ...payment,
      debit: of?.status ?? null,
      next: of && isUnderWay(of) ? nextOf(of) : null,
      disputes: disputes
        .filter(({ paymentId }) => paymentId === payment.id)
        .map(({ id, amountCents, kind, status, evidence }) => ({ id, amountCents, kind, status, evidence })),
    })),
  }
}
