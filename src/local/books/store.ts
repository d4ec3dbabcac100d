import type { Transaction } from 'kysely'
import type { Remote } from '../../platform/books/client.ts'
import { clock } from '../../platform/clock.ts'
import { database } from '../../platform/db/database.ts'
import type { DB } from '../../platform/db/types.generated.ts'

// What the played books keep on their own side: one table of documents, by company and type. Types that begin with "_" are no records of the books.

export type Tx = Transaction<DB>
export type Kept = Remote & { Id: string; SyncToken: string }

export const inBooks = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => database().transaction().execute(work)

export const read = async <T>(tx: Tx, realm: string, type: string, id: string): Promise<T | null> => {
  const row = await tx
    .selectFrom('localBooks')
    .select('payload')
    .where('realmId', '=', realm)
    .where('type', '=', type)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ? (row.payload as unknown as T) : null
}

export const write = async (tx: Tx, realm: string, type: string, id: string, payload: unknown): Promise<void> => {
  const values = { payload: JSON.stringify(payload), changedAt: clock.iso() }
  await tx
    .insertInto('localBooks')
    .values({ realmId: realm, type, id, ...values })
    .onConflict((c) => c.columns(['realmId', 'type', 'id']).doUpdateSet(values))
    .execute()
}

export const erase = async (tx: Tx, realm: string, type: string, id: string): Promise<void> => {
  await tx.deleteFrom('localBooks').where('realmId', '=', realm).where('type', '=', type).where('id', '=', id).execute()
}

export const all = async (tx: Tx, realm: string, type: string): Promise<Kept[]> =>
  (
    await tx
      .selectFrom('localBooks')
      .select('payload')
      .where('realmId', '=', realm)
      .where('type', '=', type)
      .orderBy('changedAt')
      .orderBy('id')
      .execute()
  ).map((row) => row.payload as unknown as Kept)

export const changed = async (tx: Tx, realm: string, type: string, since: string): Promise<Kept[]> =>
  (
    await tx
      .selectFrom('localBooks')
      .select('payload')
      .where('realmId', '=', realm)
      .where('type', '=', type)
      .where('changedAt', '>=', since)
      .execute()
  ).map((row) => row.payload as unknown as Kept)

/** The next number of a company: ids count up, as there. */
export const nextId = async (tx: Tx, realm: string): Promise<string> => {
  const { last } = (await read<{ last: number }>(tx, realm, '_counter', 'id')) ?? { last: 100 }
  await write(tx, realm, '_counter', 'id', { last: last + 1 })
  return String(last + 1)
}

const accounts: readonly (readonly [name: string, type: string, kind?: string])[] = [
  ['Landscaping Services', 'Income'],
  ['Sales of Product Income', 'Income'],
  ['Undeposited Funds', 'Other Current Asset', 'UndepositedFunds'],
  ['Checking', 'Bank'],
  ['Accounts Receivable (A/R)', 'Accounts Receivable'],
  ['Sales Tax Payable', 'Other Current Liability'],
  ['Fuel', 'Expense'],
  ['Supplies & Materials', 'Expense'],
  ['Uncategorized Expense', 'Expense'],
  ['Merchant Account Fees', 'Expense'],
  ['Tips Payable', 'Other Current Liability'],
  ['Company Credit Card', 'Credit Card'],
  ['Petty Cash', 'Bank'],
  ['Discounts given', 'Income'],
]

/** Opens a company with the accounts that a new one has; again is the same. */
export const openCompany = (realm: string, name: string): Promise<void> =>
  inBooks(async (tx) => {
    if (await read(tx, realm, 'CompanyInfo', '1')) return
    await write(tx, realm, 'CompanyInfo', '1', { Id: '1', SyncToken: '0', CompanyName: name })
    for (const [at, [Name, AccountType, AccountSubType]] of accounts.entries()) {
      const Id = String(at + 1)
      await write(tx, realm, 'Account', Id, { Id, SyncToken: '0', Name, AccountType, AccountSubType, Active: true })
    }
    for (const [at, Name] of ['Cash', 'Check', 'Credit Card'].entries()) {
      const Id = String(at + 1)
      const Type = Name === 'Credit Card' ? 'CREDIT_CARD' : 'NON_CREDIT_CARD'
      await write(tx, realm, 'PaymentMethod', Id, { Id, SyncToken: '0', Name, Type, Active: true })
    }
    for (const Name of ['TAX', 'NON'])
      await write(tx, realm, 'TaxCode', Name, { Id: Name, SyncToken: '0', Name, Active: true })
  })

/** What a company can be made to answer the next times it is asked. */
export const faultNames = ['429', '5010', '6240', '6210', '610', 'lost', 'down', '5020'] as const
export type FaultName = (typeof faultNames)[number]

/** Makes the next `times` changes fail this way. */
export const breakBooks = (realm: string, fault: FaultName, times = 1): Promise<void> =>
  inBooks((tx) => write(tx, realm, '_fault', fault, { times }))

/** Whether a fault is due now; each one counts down. */
export const takeFault = async (tx: Tx, realm: string, fault: FaultName): Promise<boolean> => {
  const found = await read<{ times: number }>(tx, realm, '_fault', fault)
  if (!found || found.times <= 0) return false
  await write(tx, realm, '_fault', fault, { times: found.times - 1 })
  return true
}
