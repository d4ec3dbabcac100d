import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, systemActor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { type BooksClient, centsOf, type Remote } from '../../../../platform/books/client.ts'
import { booksPeer } from '../../../../platform/books/peer.ts'
import { clock } from '../../../../platform/clock.ts'
import { asBusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { refuse } from '../../../../shared/can.ts'
import { AppError, conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { type Connection, findConnection, stateOf } from '../../connect/server/queries.ts'
import { askBooksNow } from '../../connect/server/token.ts'
import type { MonthCheck, quickbooksApi } from '../../contract.ts'
import { lookAt } from '../../inbound/server/commands.ts'
import { askToSend } from '../../queue/server/commands.ts'
import { loadDocument } from '../../queue/server/documents.ts'
import { changeRow, ensureRow, findLink, linkedIds, saveLink } from '../../queue/server/rows.ts'
import { booksRefusals } from '../../rules.ts'
import { checkMonth } from './commands.ts'
import { isUsed } from './theirs.ts'

// What stands only in the books, settled: each of it may come twice and does the same.

type Input = z.output<(typeof quickbooksApi)['repair']['body']>

const leave = (db: TenantDb, connection: Connection, actor: Actor, { type, remoteId, reason }: Input) => {
  const values = { reason, leftBy: actor.userId, leftAt: clock.iso() }
  return db
    .insertInto('booksLeft')
    .values({ businessId: db.businessId, connectionId: connection.id, remoteType: type, remoteId, ...values })
    .onConflict((c) => c.columns(['businessId', 'connectionId', 'remoteType', 'remoteId']).doNothing())
    .execute()
}

const listAgain = (db: TenantDb, connection: Connection, { type, remoteId }: Input) =>
  sql`delete from books_left where business_id = ${db.businessId} and connection_id = ${connection.id}
    and remote_type = ${type} and remote_id = ${remoteId}`.execute(db)

/** It is one of ours after all: from now on it is, and says what Swath says. */
const link = async (db: TenantDb, connection: Connection, { type, localId }: Input, there: Remote) => {
  const key = { kind: type === 'CreditMemo' ? ('credit' as const) : ('invoice' as const), id: localId ?? '' }
  const document = localId && type !== 'Payment' ? await loadDocument(db, connection, key.kind, key.id) : null
  if (document?.type !== type) throw notFound('record')
  const known = await findLink(db, connection, key)
  if (known?.remoteId === there.Id) return
  if (known?.remoteId && known.state === 'live')
    throw conflict('This one stands in QuickBooks already. Nothing was changed: check the month again.')
  if (document.state !== 'live' || document.totalCents !== centsOf(there.TotalAmt))
    throw conflict('These two are not the same amount any more. Nothing was changed: check the month again.')
  await saveLink(db, connection, key, type, {
    remoteId: there.Id ?? null,
    syncToken: there.SyncToken ?? '0',
    totalCents: centsOf(there.TotalAmt),
    state: 'live',
    sent: '',
  })
  const row = await ensureRow(db, connection, key)
  await changeRow(db, row.id, {
    status: 'waiting',
    problem: null,
    message: '',
    tries: 0,
    sendingAt: null,
    runAfter: clock.iso(),
  })
  await askToSend(db)
}

const takeOut = async (client: BooksClient, { type, remoteId }: Input, there: Remote | null) => {
  if (!there || centsOf(there.TotalAmt) === 0) return
  if (type === 'Payment')
    throw conflict('A payment is taken out in QuickBooks, where it was taken. Nothing was changed.')
  if (isUsed(there))
    throw conflict('Something was paid with it in QuickBooks by now. Nothing was changed: look at it there first.')
  await client.takeOut(
    type,
    remoteId,
    there.SyncToken ?? '0',
    `x${type.slice(0, 2)}${remoteId}-${there.SyncToken ?? '0'}`,
  )
}

/** Settles a record that stands only there, and holds its month against the books again. */
export const repairThere = async (actor: Actor, input: Input): Promise<MonthCheck> => {
  await withTenant(actor, async (db) => {
    const connection = await findConnection(db)
    refuse(booksRefusals.send({ state: stateOf(booksPeer().peer, connection), reason: null }))
  })
  if (input.how === 'link' && !input.localId)
    throw invalid([{ path: 'localId', message: 'Choose which one of yours it is' }])
  await askBooksNow(actor, async (client, connection) => {
    const there = await client.readIfThere(input.type, input.remoteId)
    if (!there && input.how !== 'list_again' && input.how !== 'take_out')
      throw conflict('It was deleted in QuickBooks meanwhile. Nothing was changed: check the month again.')
    const linked = await withTenant(actor, (db) => linkedIds(db, connection, input.type, [{ Id: input.remoteId }]))
    if (linked.has(input.remoteId) && (input.how === 'take_out' || input.how === 'leave'))
      throw conflict('It belongs to a record of Swath by now. Nothing was changed: check the month again.')
    if (input.how === 'take_out') await takeOut(client, input, there)
    if (input.how === 'bring_in' && there) {
      const system = systemActor(asBusinessId(connection.businessId))
      await lookAt(system, connection, 'Payment', input.remoteId, there)
      const isIn = await withTenant(actor, (db) => linkedIds(db, connection, 'Payment', [there]))
      if (!isIn.has(input.remoteId))
        throw new AppError(
          'state_conflict',
          'None of it pays an invoice that Swath sent there. Nothing was changed: record it on the invoice here by hand.',
        )
    }
    await withTenant(actor, async (db) => {
      if (input.how === 'leave') await leave(db, connection, actor, input)
      if (input.how === 'list_again') await listAgain(db, connection, input)
      if (input.how === 'link' && there) await link(db, connection, input, there)
      const { type, remoteId, reason } = input
      const after = { type, remoteId, ...(reason ? { reason } : {}) }
      await audit(db, actor, `books.${input.how}`, { type: 'books', id: connection.id }, { after })
    })
  })
  return checkMonth(actor, input.month)
}
