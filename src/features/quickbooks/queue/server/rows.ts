import { sql, type Updateable } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import type { BooksLinks, BooksQueue } from '../../../../platform/db/types.generated.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import type { Connection } from '../../connect/server/queries.ts'
import type { BooksKind } from '../../rules.ts'

// The rows of the queue and of what is linked, written in the caller's transaction.

type Key = { kind: BooksKind; id: string }

export const findLink = (db: TenantDb, connection: Connection, { kind, id }: Key) =>
  db
    .selectFrom('booksLinks')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('connectionId', '=', connection.id)
    .where('kind', '=', kind)
    .where('localId', '=', id)
    .executeTakeFirst()
export type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>

/** What of ours some records there are, by their ids there. */
export const linksThere = async (
  db: TenantDb,
  connection: Connection,
  remoteType: string,
  remoteIds: readonly string[],
): Promise<Map<string, Link>> => {
  const rows = await db
    .selectFrom('booksLinks')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('connectionId', '=', connection.id)
    .where('remoteType', '=', remoteType)
    .where(sql<boolean>`remote_id = any(${[...remoteIds]}::text[])`)
    .execute()
  return new Map(rows.map((link) => [link.remoteId ?? '', link]))
}

/** Which of these records there are linked to one of ours. */
export const linkedIds = async (
  db: TenantDb,
  connection: Connection,
  remoteType: string,
  records: readonly { Id?: string }[],
): Promise<Set<string | null>> => {
  const { rows } = await sql<{ remoteId: string | null }>`select remote_id from books_links
    where business_id = ${db.businessId} and connection_id = ${connection.id} and remote_type = ${remoteType}
      and remote_id = any(${records.map(({ Id }) => Id ?? '')}::text[])`.execute(db)
  return new Set(rows.map((row) => row.remoteId))
}

/** Writes what is known of a record there; the first time makes its row. */
export const saveLink = async (
  db: TenantDb,
  connection: Connection,
  { kind, id }: Key,
  remoteType: string,
  change: Updateable<BooksLinks>,
): Promise<void> => {
  const values = { ...change, updatedAt: clock.iso() }
  await db
    .insertInto('booksLinks')
    .values({ businessId: db.businessId, connectionId: connection.id, kind, localId: id, remoteType, ...values })
    .onConflict((c) => c.columns(['businessId', 'connectionId', 'kind', 'localId']).doUpdateSet(values))
    .execute()
}

export const findRow = (db: TenantDb, connection: Connection, { kind, id }: Key) =>
  db
    .selectFrom('booksQueue')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('connectionId', '=', connection.id)
    .where('kind', '=', kind)
    .where('localId', '=', id)
    .executeTakeFirst()
export type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>

const mostAhead = 5

/** The row that needs a person before a waiting one can go, however many stand between them; none where it goes by itself. */
export const findAhead = async (db: TenantDb, connection: Connection, row: Row): Promise<Row | undefined> => {
  let at: Row | undefined = row
  for (let n = 0; n < mostAhead && at?.status === 'waiting'; n++) {
    const { for: id } = at.detail as unknown as { for?: string }
    if (at.problem !== 'waits' || !id) return undefined
    at = await db
      .selectFrom('booksQueue')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('connectionId', '=', connection.id)
      .where('id', '=', id)
      .executeTakeFirst()
  }
  return at?.status === 'failed' ? at : undefined
}

/** Puts a record into the queue, or says that it is wanted once more. */
export const markTx = async (db: TenantDb, { kind, id }: Key): Promise<void> => {
  await sql`select mark_for_books(${db.businessId}, ${kind}, ${id}::uuid)`.execute(db)
}

/** The row of a record, made when there is none: what something else needs is sent before it and shown like everything. */
export const ensureRow = async (db: TenantDb, connection: Connection, key: Key): Promise<Row> => {
  const found = await findRow(db, connection, key)
  if (found) return found
  await markTx(db, key)
  const made = await findRow(db, connection, key)
  if (!made) throw new Error('The books were disconnected while something was sent.')
  return made
}

export const changeRow = async (db: TenantDb, id: string, change: Updateable<BooksQueue>): Promise<void> => {
  await db
    .updateTable('booksQueue')
    .set({ ...change, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
}

/** What was sent leaves, unless the record was changed meanwhile: then it waits once more. What waited for it waits no longer. */
export const settleRow = async (db: TenantDb, row: Row): Promise<void> => {
  const gone = await db
    .deleteFrom('booksQueue')
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .where('asked', '=', row.asked)
    .returning('id')
    .executeTakeFirst()
  if (!gone) await changeRow(db, row.id, { status: 'waiting', sendingAt: null, tries: 0, problem: null, message: '' })
  await db
    .updateTable('booksQueue')
    .set({ runAfter: clock.iso(), problem: null, message: '' })
    .where('businessId', '=', db.businessId)
    .where('connectionId', '=', row.connectionId)
    .where('status', '=', 'waiting')
    .where('problem', '=', 'waits')
    .where(sql<boolean>`detail ->> 'for' = ${row.id}`)
    .execute()
  await publishChange(db, 'books')
}

/** A row that needs a person. */
export const failRow = async (
  db: TenantDb,
  row: Row,
  said: { problem: string; message: string; detail?: object; status?: 'failed' | 'skipped' },
): Promise<void> => {
  await changeRow(db, row.id, {
    status: said.status ?? 'failed',
    problem: said.problem,
    message: said.message,
    detail: JSON.stringify(said.detail ?? {}),
    sendingAt: null,
  })
  await publishChange(db, 'books')
}

/** The next row that is due, in the order in which one needs the other. */
export const nextRow = async (db: TenantDb, connection: Connection): Promise<Row | undefined> =>
  db
    .selectFrom('booksQueue')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('connectionId', '=', connection.id)
    .where('status', '=', 'waiting')
    .where('runAfter', '<=', clock.iso())
    .orderBy('rank')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
