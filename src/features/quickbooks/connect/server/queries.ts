import type { Selectable } from 'kysely'
import type { BooksPeer } from '../../../../platform/books/peer.ts'
import { booksPeer } from '../../../../platform/books/peer.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { BooksConnections } from '../../../../platform/db/types.generated.ts'
import type { Accounts } from '../../contract.ts'
import type { BooksState } from '../../rules.ts'

export type Connection = Selectable<BooksConnections>

/** The connection of a business at whoever keeps books here, while there is one. */
export const findConnection = async (db: TenantDb): Promise<Connection | undefined> => {
  const { peer } = booksPeer()
  if (!peer) return undefined
  return db
    .selectFrom('booksConnections')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('status', '!=', 'disconnected')
    .where('provider', '=', peer.provider)
    .where('livemode', '=', peer.livemode)
    .executeTakeFirst()
}

export const stateOf = (peer: BooksPeer | null, connection: Connection | undefined): BooksState => {
  if (!peer) return 'unavailable'
  if (!connection) return 'none'
  if (connection.status === 'reconnect_needed') return 'reconnect'
  return connection.startOn === null ? 'setUp' : 'connected'
}

export const accountsOf = (connection: Connection): Accounts => ({
  // a set-up of before there were tips, discounts, or a card and cash of their own, names no account for them
  ...{ tips: null, discounts: null, card: null, cash: null, cardIsDebit: false },
  ...(connection.accounts as unknown as Omit<Accounts, 'tips' | 'discounts' | 'card' | 'cash' | 'cardIsDebit'>),
})
