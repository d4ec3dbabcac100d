import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor, SystemActor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { BooksError } from '../../../../platform/books/client.ts'
import { booksPeer } from '../../../../platform/books/peer.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { log } from '../../../../platform/log.ts'
import { enqueue, taskName } from '../../../../platform/tasks/task.ts'
import { refuse } from '../../../../shared/can.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { moveMoneyTx } from '../../../payments/corrections/server/commands.ts'
import { type Connection, findConnection, stateOf } from '../../connect/server/queries.ts'
import { BooksStopped } from '../../connect/server/token.ts'
import type { Books } from '../../contract.ts'
import {
  type BooksKind,
  booksRefusals,
  busySeconds,
  type Fix,
  fixesOf,
  nextSuffix,
  waitAfterLost,
} from '../../rules.ts'
import { getBooks } from '../../server/queries.ts'
import { loadDocument } from './documents.ts'
import { sendRow } from './push.ts'
import { changeRow, failRow, findLink, nextRow, type Row, saveLink } from './rows.ts'

/** Sends what waits; of one business one at a time, so that what one needs is there before the other. */
export const pushTask = taskName({
  name: 'quickbooks.push',
  payload: z.object({}),
  attempts: 5,
  queue: (_, businessId) => `quickbooks:${businessId}`,
  comesLater: true,
})

export const askToSend = (db: TenantDb, runAt?: string): Promise<void> =>
  enqueue(db, pushTask, {}, { key: 'push', ...(runAt ? { runAt } : {}) })

/** So many records are sent in one go; what is left goes in the next, so that other businesses, and mail to customers, have their turn. */
const mostPerRun = 10
/** After so many answers lost one after the other nobody is asked for a while. */
const mostLost = 3

const isReady = (connection: Connection | undefined): connection is Connection =>
  connection !== undefined &&
  connection.status === 'connected' &&
  connection.startOn !== null &&
  !(connection.pausedUntil && Date.parse(connection.pausedUntil) > clock.nowMs())

const pause = (actor: SystemActor, connection: Connection): Promise<void> =>
  withTenant(actor, async (db) => {
    const until = new Date(clock.nowMs() + busySeconds * 1000).toISOString()
    await db
      .updateTable('booksConnections')
      .set({ pausedUntil: until, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', connection.id)
      .execute()
    await askToSend(db, until)
    await publishChange(db, 'books')
  })

/** Sends what is due, in order. Ends when nothing is left, when we ask too much, or when nobody lets us in: then all of it is kept. */
export const sendWaiting = async (actor: SystemActor): Promise<void> => {
  let lost = 0
  for (let count = 0; count < mostPerRun; count++) {
    const next = await withTenant(actor, async (db) => {
      const connection = await findConnection(db)
      if (!isReady(connection)) return null
      const row = await nextRow(db, connection)
      return row ? { connection, row } : null
    })
    if (!next) return
    try {
      const sent = await sendRow({ actor, connection: next.connection }, next.row)
      lost = sent === 'lost' ? lost + 1 : 0
      if (lost >= mostLost) return
    } catch (error) {
      if (error instanceof BooksStopped) return
      if (error instanceof BooksError && (error.kind === 'busy' || error.kind === 'auth'))
        return pause(actor, next.connection)
      // One record that nobody foresaw must not hold back all that come after it.
      log.error(
        { err: error, businessId: actor.businessId, row: next.row.id },
        'a record could not be sent to the books',
      )
      await withTenant(actor, (db) => stumble(db, next.row))
    }
  }
  await withTenant(actor, (db) => askToSend(db))
}

const mostStumbles = 3

/** A try that ended by an error of ours: later again, and after a few a person is told. */
const stumble = async (db: TenantDb, row: Row): Promise<void> => {
  const tries = row.tries + 1
  if (tries < mostStumbles)
    return changeRow(db, row.id, {
      tries,
      runAfter: new Date(clock.nowMs() + waitAfterLost(tries) * 1000).toISOString(),
    })
  await failRow(db, row, {
    problem: 'other',
    message: 'Swath could not send this. Nothing of it is lost: try again, and if it stays so, tell our support.',
  })
}

/** What waits is sent now, not at its minute. */
export const sendNow = (actor: Actor): Promise<Books> =>
  withTenant(actor, async (db) => {
    const connection = await findConnection(db)
    refuse(booksRefusals.send({ state: stateOf(booksPeer().peer, connection), reason: null }))
    await db
      .updateTable('booksQueue')
      .set({ runAfter: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('connectionId', '=', connection?.id ?? '')
      .where('status', '=', 'waiting')
      .execute()
    await askToSend(db)
    return getBooks(db, actor)
  })

type Stored = {
  twin?: { id: string; name: string }
  seen?: { syncToken: string; totalCents: number }
  move?: { paymentIds: string[]; wanted: Record<string, number> }
}

const markGone = async (db: TenantDb, connection: Connection, key: { kind: BooksKind; id: string }, type: string) => {
  const link = await findLink(db, connection, key)
  if (link) await saveLink(db, connection, key, type, { state: 'gone', remoteId: null })
}

/** How the next try goes about it. What is sent again is looked up first: where it stands there all the same, no second one is made. */
const tryBy = (how: Fix, problem: string | null): 'force' | 'look' | 'resend' | null => {
  if (how === 'again') return 'resend'
  if (how !== 'retry') return null
  if (problem === 'unread') return 'look'
  return problem === 'changed_there' || problem === 'moved_there' ? 'force' : null
}

/** Does something about a row that did not go through. What it leads to is sent right after. */
export const fixRow = (actor: Actor, id: string, { how, reason }: { how: Fix; reason: string }): Promise<Books> =>
  withTenant(actor, async (db) => {
    const connection = await findConnection(db)
    const row = await db
      .selectFrom('booksQueue')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!connection || row?.connectionId !== connection.id) throw notFound('entry')
    refuse(booksRefusals.send({ state: stateOf(booksPeer().peer, connection), reason: null }))
    const { twin, seen, move } = row.detail as unknown as Stored
    if (!fixesOf(row.problem, row.status, twin !== undefined).includes(how))
      throw conflict('This was settled meanwhile, or needs something else now. Nothing was changed.')
    const key = { kind: row.kind, id: row.localId }
    const document = await loadDocument(db, connection, row.kind, row.localId)
    const type = document?.type ?? 'Customer'
    const waits = {
      status: 'waiting',
      problem: null,
      message: '',
      tries: 0,
      runAfter: clock.iso(),
      detail: '{}',
    } as const
    if (how === 'skip') {
      await changeRow(db, id, { status: 'skipped', reason, sendingAt: null })
      // it was deleted there and may stay so: no later look finds that anew
      if (row.problem === 'gone') await markGone(db, connection, key, type)
    } else if (how === 'accept') {
      // what stands there now is known from here on, and not said again
      if (seen) await saveLink(db, connection, key, type, seen)
      await sql`delete from books_queue where business_id = ${db.businessId} and id = ${id}`.execute(db)
    } else {
      if (how === 'link') {
        if (!twin) throw conflict('Nobody of that name was found in QuickBooks. Nothing was changed.')
        const other = await db
          .selectFrom('booksLinks')
          .select('localId')
          .where('businessId', '=', db.businessId)
          .where('connectionId', '=', connection.id)
          .where('remoteType', '=', type)
          .where('remoteId', '=', twin.id)
          .executeTakeFirst()
        if (other)
          throw conflict(
            `${twin.name} in QuickBooks is linked to another record of Swath already. Nothing was changed: send it under another name instead.`,
          )
        await saveLink(db, connection, key, type, { remoteId: twin.id, state: 'live', sent: '', fromBooks: true })
      }
      if (how === 'suffix') {
        const link = await findLink(db, connection, key)
        await saveLink(db, connection, key, type, { suffix: nextSuffix(row.kind, link?.suffix ?? '') })
      }
      if (how === 'follow' && move) {
        await moveMoneyTx(db, actor, move.paymentIds, new Map(Object.entries(move.wanted)), 'Moved in QuickBooks')
        if (seen) await saveLink(db, connection, key, type, seen)
      }
      await changeRow(db, id, {
        ...waits,
        problem: tryBy(how, row.problem),
        sendingAt: how === 'again' ? null : row.sendingAt,
      })
      await askToSend(db)
    }
    await audit(
      db,
      actor,
      `books.${how}`,
      { type: 'books', id },
      { after: { kind: row.kind, ...(reason ? { reason } : {}) } },
    )
    await publishChange(db, 'books')
    return getBooks(db, actor)
  })
