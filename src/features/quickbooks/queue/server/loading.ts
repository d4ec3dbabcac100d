import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { accountsOf, type Connection } from '../../connect/server/queries.ts'
import type { Document, Setup } from './shapes.ts'

// What every record that is read for the books is read with.

export type Load = (db: TenantDb, connection: Connection, id: string) => Promise<Document | null>

export const setupOf = (connection: Connection): Setup => ({
  accounts: accountsOf(connection),
  taxMode: connection.taxMode ?? 'line',
  taxCode: connection.taxCode,
  holdsPayments: connection.holdsPayments === true,
})

/** Whether what a provider holds back on a day stands in its payout's deposit; before, it was an expense of the bank account. */
export const isNet = ({ netFrom }: Pick<Connection, 'netFrom'>, day: string): boolean =>
  netFrom === null || day >= netFrom

/** Money that was only played belongs in no real books. */
export const isPlayed = (connection: Connection, money: { provider: string; livemode: boolean }): boolean =>
  connection.livemode && !money.livemode && money.provider !== 'manual' && money.provider !== 'quickbooks'
