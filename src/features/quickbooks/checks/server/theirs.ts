import { sql } from 'kysely'
import { centsOf, type Remote, type RemoteType } from '../../../../platform/books/client.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { Connection } from '../../connect/server/queries.ts'
import { type TheirType, theirTypes } from '../../rules.ts'

// What stands only in the books: whether it is about our work, whose it is, and whether somebody left it so.

export const keyOf = (type: string, id: string): string => `${type}:${id}`

export type Theirs = ReadonlyMap<string, { type: RemoteType; record: Remote }>

export const isTheirType = (type: RemoteType): type is TheirType => (theirTypes as readonly string[]).includes(type)

const idsOf = (record: Remote): string[] =>
  (record.Line ?? []).flatMap(({ LinkedTxn }) =>
    (LinkedTxn ?? []).flatMap(({ TxnId, TxnType }) => (TxnType === 'Invoice' ? [TxnId] : [])),
  )

/** Whether something was paid on it, or with it. */
export const isUsed = ({ Balance, TotalAmt }: Remote): boolean =>
  Balance !== undefined && centsOf(Balance) !== centsOf(TotalAmt)

/** An invoice or a credit always; a payment only where it pays an invoice of ours and was not sent by us. */
export const isAboutOurs = (type: RemoteType, record: Remote, invoices: ReadonlySet<string>): boolean =>
  type === 'Payment'
    ? !/\bswath:/.test(record.PrivateNote ?? '') && idsOf(record).some((id) => invoices.has(id))
    : isTheirType(type)

/** Which invoices that are paid there are ours, and who of ours their customers are. */
export const knowTheirs = async (
  db: TenantDb,
  connection: Connection,
  theirs: Theirs,
): Promise<{ invoices: Set<string>; people: Map<string, string> }> => {
  const records = [...theirs.values()].map(({ record }) => record)
  const paid = records.flatMap(idsOf)
  const customers = records.flatMap(({ CustomerRef }) => CustomerRef?.value ?? [])
  const { rows } = await sql<{ remoteType: string; remoteId: string; name: string | null }>`
    select l.remote_type, l.remote_id, c.name from books_links l
    left join customers c on l.kind = 'customer' and c.business_id = l.business_id and c.id = l.local_id
    where l.business_id = ${db.businessId} and l.connection_id = ${connection.id} and l.state = 'live'
      and ((l.remote_type = 'Invoice' and l.remote_id = any(${paid}::text[]))
        or (l.remote_type = 'Customer' and l.remote_id = any(${customers}::text[])))`.execute(db)
  return {
    invoices: new Set(rows.flatMap(({ remoteType, remoteId }) => (remoteType === 'Invoice' ? [remoteId] : []))),
    people: new Map(rows.flatMap(({ name, remoteId }) => (name === null ? [] : [[remoteId, name] as const]))),
  }
}

/** What of it somebody left as it is, with why. */
export const listLeft = async (db: TenantDb, connection: Connection, theirs: Theirs): Promise<Map<string, string>> => {
  const ids = [...theirs.values()].map(({ record }) => record.Id ?? '')
  const { rows } = await sql<{ remoteType: string; remoteId: string; reason: string }>`
    select remote_type, remote_id, reason from books_left where business_id = ${db.businessId}
      and connection_id = ${connection.id} and remote_id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ remoteType, remoteId, reason }) => [keyOf(remoteType, remoteId), reason]))
}
