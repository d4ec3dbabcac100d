import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { type BooksPeer, booksPeer } from '../../../platform/books/peer.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf } from '../../../shared/can.ts'
import { linkTo } from '../../../shared/links.ts'
import { namedInvoices } from '../../invoices/words/rules.ts'
import { accountsOf, type Connection, findConnection, stateOf } from '../connect/server/queries.ts'
import { type Books, type QueueRow, quickbooksApi } from '../contract.ts'
import { loadDocument } from '../queue/server/documents.ts'
import { findLink, type Row } from '../queue/server/rows.ts'
import { type BooksKind, booksRefusals, fixesOf, isName, nameThere, nextSuffix, numberThere } from '../rules.ts'

const needs = {
  connect: quickbooksApi.connect,
  disconnect: quickbooksApi.disconnect,
  setUp: quickbooksApi.setUp,
  send: quickbooksApi.send,
}

type Counts = Pick<Books, 'waiting' | 'held' | 'failed' | 'skipped'>

/** The numbers of the queue: what is sent leaves it, so counting never grows with the years. */
const countRows = async (db: TenantDb, connection: Connection): Promise<Counts> => {
  const { rows } = await sql<Counts>`select count(*) filter (where status = 'waiting')::int4 as waiting,
    count(*) filter (where status = 'waiting' and problem = 'waits')::int4 as held,
    count(*) filter (where status = 'failed')::int4 as failed, count(*) filter (where status = 'skipped')::int4 as skipped
    from books_queue where business_id = ${db.businessId} and connection_id = ${connection.id}`.execute(db)
  return rows[0] ?? { waiting: 0, held: 0, failed: 0, skipped: 0 }
}

const isPaused = (connection: Connection): boolean =>
  connection.pausedUntil !== null && Date.parse(connection.pausedUntil) > clock.nowMs()

/** The connection as the screen shows it. */
export const getBooks = async (db: TenantDb, actor: Actor): Promise<Books> => {
  const found = booksPeer()
  const { peer } = found
  const connection = await findConnection(db)
  const state = stateOf(peer, connection)
  const reason = peer ? null : found.reason
  const counts = connection ? await countRows(db, connection) : { waiting: 0, held: 0, failed: 0, skipped: 0 }
  return {
    state,
    reason,
    provider: peer?.provider ?? null,
    livemode: peer?.livemode ?? false,
    companyName: connection?.companyName ?? '',
    connectedAt: connection?.createdAt ?? null,
    lookUrl: connection && peer?.provider === 'local' ? peer.pageOf(connection.realmId, 'Invoice', '') : null,
    setup:
      connection?.startOn && connection.taxMode
        ? {
            accounts: accountsOf(connection),
            taxMode: connection.taxMode,
            taxCode: connection.taxCode,
            startOn: connection.startOn,
          }
        : null,
    version: connection?.version ?? 0,
    gathering: connection?.backfill != null,
    ...counts,
    pausedUntil: connection && isPaused(connection) ? connection.pausedUntil : null,
    can: canOf(actor, needs, booksRefusals, { state, reason }),
  }
}

/** Where a record stands in Swath. */
export const hrefOf = async (db: TenantDb, kind: BooksKind, id: string): Promise<string | null> => {
  if (kind === 'customer') return linkTo.customer(id)
  if (kind === 'invoice') return linkTo.invoice(id)
  if (kind === 'expense') return linkTo.expense(id)
  if (kind === 'payout' || kind === 'payout_back') return linkTo.payout(id)
  if (isName(kind)) return null
  const { rows } = await sql<{ customerId: string }>`
    select customer_id from payments where business_id = ${db.businessId} and id = ${id}
    union all select customer_id from credit_notes where business_id = ${db.businessId} and id = ${id}
    union all select p.customer_id from refunds r join payments p on p.business_id = r.business_id and p.id = r.payment_id
      where r.business_id = ${db.businessId} and r.id = ${id}
    union all select i.customer_id from write_offs w join invoices i on i.business_id = w.business_id and i.id = w.invoice_id
      where w.business_id = ${db.businessId} and w.id = ${id}
    union all select customer_id from ledger_entries where business_id = ${db.businessId} and id = ${id}
    limit 1`.execute(db)
  return rows[0] ? linkTo.customer(rows[0].customerId, { part: 'invoices' }) : null
}

/** Whose a record is, and the invoices that it is about. */
export const aboutOf = async (db: TenantDb, kind: BooksKind, id: string): Promise<string> => {
  if (isName(kind) || kind === 'expense' || kind === 'payout' || kind === 'payout_back') return ''
  const { rows } = await sql<{ name: string; numbers: number[] | null }>`
    with about as (
      select customer_id, id as invoice_id from invoices where business_id = ${db.businessId} and id = ${id}
      union all select p.customer_id, a.invoice_id from payments p
        left join payment_allocations a on a.business_id = p.business_id and a.payment_id = p.id
        where p.business_id = ${db.businessId} and p.id = ${id}
      union all select customer_id, invoice_id from credit_notes where business_id = ${db.businessId} and id = ${id}
      union all select p.customer_id, a.invoice_id from refunds r join payments p on p.business_id = r.business_id and p.id = r.payment_id
        left join payment_allocations a on a.business_id = p.business_id and a.payment_id = p.id
        where r.business_id = ${db.businessId} and r.id = ${id}
      union all select i.customer_id, i.id from write_offs w join invoices i on i.business_id = w.business_id and i.id = w.invoice_id
        where w.business_id = ${db.businessId} and w.id = ${id}
      union all select customer_id, null from ledger_entries where business_id = ${db.businessId} and id = ${id})
    select c.name, array_agg(distinct i.number order by i.number) filter (where i.number is not null) as numbers
    from about a join customers c on c.business_id = ${db.businessId} and c.id = a.customer_id
    left join invoices i on i.business_id = ${db.businessId} and i.id = a.invoice_id
    group by c.id, c.name limit 1`.execute(db)
  const [row] = rows
  if (!row) return ''
  return [row.name, ...(kind === 'invoice' || !row.numbers ? [] : [namedInvoices(row.numbers)])].join(', ')
}

const renamedTo = (kind: BooksKind, label: string, before: string): string => {
  const name = label.slice(label.indexOf(' ') + 1)
  const suffix = nextSuffix(kind, before)
  return isName(kind) ? nameThere(name, suffix) : numberThere(name, suffix)
}

const viewOf = async (db: TenantDb, peer: BooksPeer, connection: Connection, row: Row): Promise<QueueRow> => {
  const document = await loadDocument(db, connection, row.kind, row.localId)
  const link = await findLink(db, connection, { kind: row.kind, id: row.localId })
  const { twin = null } = row.detail as unknown as { twin?: { id: string; name: string } }
  const remoteId = twin?.id ?? link?.remoteId
  const label = document?.label ?? 'Something that is gone'
  const offered = fixesOf(row.problem, row.status, twin !== null)
  return {
    id: row.id,
    kind: row.kind,
    label,
    about: await aboutOf(db, row.kind, row.localId),
    href: await hrefOf(db, row.kind, row.localId),
    day: document?.day ?? null,
    cents: document?.totalCents ?? null,
    status: row.status,
    message: row.status === 'skipped' && row.reason ? `Skipped: ${row.reason}` : row.message,
    twin,
    remoteUrl: document && remoteId ? peer.pageOf(connection.realmId, document.type, remoteId) : null,
    renamed: offered.includes('suffix') ? renamedTo(row.kind, label, link?.suffix ?? '') : null,
    fixes: offered,
  }
}

const mostShown = 50

/** What waits, does not go through, or was skipped; the oldest first, as many as a person goes through. */
export const listQueue = async (db: TenantDb, status: Row['status']): Promise<{ items: QueueRow[]; more: boolean }> => {
  const connection = await findConnection(db)
  const { peer } = booksPeer()
  if (!connection || !peer) return { items: [], more: false }
  const rows = await db
    .selectFrom('booksQueue')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('connectionId', '=', connection.id)
    .where('status', '=', status)
    .orderBy('rank')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(mostShown + 1)
    .execute()
  const items: QueueRow[] = []
  for (const row of rows.slice(0, mostShown)) items.push(await viewOf(db, peer, connection, row))
  return { items, more: rows.length > mostShown }
}
