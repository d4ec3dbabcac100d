import { sql } from 'kysely'
import { clock } from '../../platform/clock.ts'
import { database } from '../../platform/db/database.ts'
import type { InvoiceMark } from '../../platform/payments/provider.ts'
import { listOfAccount, read, type Tx } from './objects.ts'

// The test provider's own side of what is asked of a bank: it answers days later, and may take it back after that.

/** Which page or charge of the provider it is for stands as its id, after this. */
const debitIdOf = (of: string): string => `debit_${of}`

export type LocalDebit = {
  /** The page or the charge of a kept account. */
  of: string
  by: 'page' | 'charge'
  account: string
  amountCents: number
  description: string
  number: string
  mark: InvoiceMark | null
  status: 'processing' | 'paid' | 'failed' | 'returned'
  /** Why the bank said no, by the provider's name. */
  problem: string | null
  /** When the bank does what comes next. */
  nextAt: string
}

type Ending = { label: string; fails?: string; returns?: string }

/** Bank accounts by their number, as Stripe's own test accounts have them, and what comes of a debit days later. */
export const testAccounts: Record<string, Ending> = {
  '000123456789': { label: 'is paid after 4 days' },
  '000222222227': { label: 'has too little money', fails: 'insufficient_funds' },
  '000111111113': { label: 'is closed', fails: 'account_closed' },
  '000333333335': { label: 'did not allow it', fails: 'debit_not_authorized' },
  '000555555559': { label: 'is paid, taken back later', returns: 'debit_not_authorized' },
}

const businessDays = 4
const dayMs = 86_400_000

/** So many business days from now; banks do nothing at the weekend. */
export const afterBusinessDays = (from: string, days = businessDays): string => {
  let at = Date.parse(from)
  for (let left = days; left > 0; ) {
    at += dayMs
    const weekday = new Date(at).getUTCDay()
    if (weekday !== 0 && weekday !== 6) left--
  }
  return new Date(at).toISOString()
}

/** Asks a bank for money, once for a page or charge. */
export const beginDebit = async (
  tx: Pick<Tx, 'insertInto'>,
  debit: Omit<LocalDebit, 'status' | 'problem' | 'nextAt'>,
): Promise<void> => {
  const payload: LocalDebit = { ...debit, status: 'processing', problem: null, nextAt: afterBusinessDays(clock.iso()) }
  await tx
    .insertInto('localBillingObjects')
    .values({ id: debitIdOf(debit.of), kind: 'debit', payload: JSON.stringify(payload), createdAt: clock.iso() })
    .onConflict((c) => c.doNothing())
    .execute()
}

export const findDebit = (of: string): Promise<LocalDebit | null> => read<LocalDebit>('debit', debitIdOf(of))

/** The newest debits of an account. */
export const listDebits = async (account: string): Promise<LocalDebit[]> =>
  (await listOfAccount<LocalDebit>('debit', account, 100)).map(({ payload }) => payload)

/** What of a debit is still to come: the bank's answer, or that it takes the money back. */
export const isUnderWay = ({ status, number }: LocalDebit): boolean =>
  status === 'processing' || (status === 'paid' && testAccounts[number]?.returns !== undefined)

/** Debits of which something is due, of one account or of all. @param before null takes all, as if days had passed */
export const listDue = async (account: string | null, before: string | null): Promise<LocalDebit[]> => {
  const { rows } = await sql<{ payload: LocalDebit }>`
    select payload from local_billing_objects where kind = 'debit' and payload ->> 'status' in ('processing', 'paid')
      and (${account}::text is null or payload ->> 'account' = ${account}) order by created_at, id`.execute(database())
  return rows
    .map(({ payload }) => payload)
    .filter((debit) => isUnderWay(debit) && (before === null || debit.nextAt <= before))
}

/** The bank goes one step on. @returns the debit as it stands then; null when somebody else took the step */
export const stepDebit = async (debit: LocalDebit): Promise<LocalDebit | null> => {
  const ending = testAccounts[debit.number]
  const after: LocalDebit = {
    ...debit,
    status: debit.status === 'paid' ? 'returned' : ending?.fails ? 'failed' : 'paid',
    problem: debit.status === 'paid' ? (ending?.returns ?? null) : (ending?.fails ?? null),
    nextAt: afterBusinessDays(clock.iso(), 2),
  }
  const { numUpdatedRows } = await database()
    .updateTable('localBillingObjects')
    .set({ payload: JSON.stringify(after) })
    .where('id', '=', debitIdOf(debit.of))
    .where(sql<string>`payload ->> 'status'`, '=', debit.status)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? after : null
}
