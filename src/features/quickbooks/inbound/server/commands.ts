import { sql } from 'kysely'
import { z } from 'zod'
import { type SystemActor, systemActor } from '../../../../platform/actor.ts'
import { BooksError, centsOf, type Remote, type RemoteType, remoteTypes } from '../../../../platform/books/client.ts'
import { booksPeer } from '../../../../platform/books/peer.ts'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { asBusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { log } from '../../../../platform/log.ts'
import { type StoredWebhook, storeWebhook } from '../../../../platform/webhooks.ts'
import { isDay } from '../../../../shared/dates.ts'
import { AppError } from '../../../../shared/errors.ts'
import { formatCents } from '../../../../shared/money.ts'
import { paths } from '../../../../shared/paths.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { openDayTx } from '../../../invoices/closing/server/commands.ts'
import { lockInvoicesTx } from '../../../invoices/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { bookPaymentTx, endPagesTx } from '../../../payments/server/commands.ts'
import { type Connection, findConnection } from '../../connect/server/queries.ts'
import { askBooks, BooksStopped } from '../../connect/server/token.ts'
import { changedRow, movedOf } from '../../queue/server/changed.ts'
import { readPaid } from '../../queue/server/moved.ts'
import { changeRow, ensureRow, failRow, findRow, type Link, saveLink } from '../../queue/server/rows.ts'
import { isName, unreadOf } from '../../rules.ts'
import { isBooksSignature, readNotices } from './notices.ts'

/** What of the books is looked at when it changes there. */
const watched: readonly RemoteType[] = ['Payment', 'Invoice', 'CreditMemo', 'Purchase', 'Deposit']

/** Keeps the notices of a call, each once, and answers at once; what they are about is asked for later. @throws AppError forbidden, bad_request */
export const takeNotices = async (raw: string, signature: string): Promise<void> => {
  const { peer } = booksPeer()
  if (!peer || !isBooksSignature(raw, signature, peer.webhookSecrets()))
    throw new AppError('forbidden', 'The signature does not fit.')
  let notices: ReturnType<typeof readNotices>
  try {
    notices = readNotices(raw)
  } catch (cause) {
    throw new AppError('bad_request', 'This is no notice that we know.', { cause })
  }
  for (const { id, realmId, type, remoteId, operation } of notices)
    await storeWebhook({
      provider: 'quickbooks',
      account: realmId,
      eventId: id,
      type: `${type}.${operation}`,
      payload: { provider: peer.provider, type, id: remoteId },
    })
}

const linkThere = (db: TenantDb, connection: Connection, type: RemoteType, id: string): Promise<Link | undefined> =>
  db
    .selectFrom('booksLinks')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('connectionId', '=', connection.id)
    .where('remoteType', '=', type)
    .where('remoteId', '=', id)
    .executeTakeFirst()

/** A payment that was put on other invoices there: said, with ways to settle it. @returns whether it was */
const sayMoved = async (db: TenantDb, connection: Connection, link: Link, remote: Remote): Promise<boolean> => {
  if (link.kind !== 'payment' || link.state !== 'live') return false
  const key = { kind: link.kind, id: link.localId }
  const waits = await findRow(db, connection, key)
  // it was changed here too, and that is on its way there
  if (waits?.status === 'waiting') return false
  const moved = await movedOf(db, connection, link, remote)
  if (!moved) return false
  await failRow(db, await ensureRow(db, connection, key), moved)
  return true
}

/** A record of ours that was changed or deleted there by somebody: said, never changed back by itself. */
const sayChanged = async (db: TenantDb, connection: Connection, link: Link, remote: Remote | null): Promise<void> => {
  const cents = remote ? centsOf(remote.TotalAmt) : null
  const key = { kind: link.kind, id: link.localId }
  if (remote && cents === link.totalCents) {
    if (await sayMoved(db, connection, link, remote)) return
    // A payment that was put on it raises its number; nothing of it changed.
    await saveLink(db, connection, key, link.remoteType, { syncToken: remote.SyncToken ?? link.syncToken })
    return
  }
  if (link.state !== 'live' || isName(link.kind) || link.kind === 'use') return
  const row = await ensureRow(db, connection, key)
  await failRow(db, row, await changedRow(db, connection, link, remote))
}

/** A record of ours that the books do not show: said, and looked up again when somebody asks for it. @returns whether it is ours */
const sayUnread = (
  actor: SystemActor,
  connection: Connection,
  type: RemoteType,
  id: string,
  code: string,
): Promise<boolean> =>
  withTenant(actor, async (db) => {
    const link = await linkThere(db, connection, type, id)
    if (!link) return false
    if (link.state !== 'live' || isName(link.kind) || link.kind === 'use') return true
    const key = { kind: link.kind, id: link.localId }
    const waits = await findRow(db, connection, key)
    if (!waits) await failRow(db, await ensureRow(db, connection, key), unreadOf(code))
    // What waits is looked at when it is sent, and what failed has been told; what came from there is not sent, so it is looked at by itself.
    else if (link.fromBooks && waits.status === 'waiting') await changeRow(db, waits.id, { problem: 'look' })
    return true
  })

/** A credit that was used there cannot be used here by itself: nobody says which one of ours it is. */
const sayCredit = (db: TenantDb, connection: Connection, remote: Remote, cents: number): Promise<void> =>
  notifyOffice(db, {
    type: 'invoice',
    title: `A credit of ${formatCents(cents)} was used in QuickBooks`,
    content: `A payment of ${formatCents(centsOf(remote.TotalAmt))} taken there used it too. Swath booked the money; put the credit on the invoice here as well, so that it is not asked for again.`,
    path: paths.quickbooks,
    dedupeKey: `books-credit:${connection.id}:${remote.Id ?? ''}`,
  })

/** Books a payment that was made there for invoices of ours, once. */
const bringIn = (actor: SystemActor, connection: Connection, remote: Remote): Promise<void> =>
  withTenant(actor, async (db) => {
    const id = remote.Id ?? ''
    if (await linkThere(db, connection, 'Payment', id)) return
    const [paid] = await readPaid(db, connection, [remote])
    if (!paid) return
    const { on, moneyCents, creditCents } = paid
    const elsewhere = [...paid.movements.values()].reduce((sum, cents) => sum + cents, paid.elsewhereCents)
    const parts = [...on]
    if (creditCents > 0) await sayCredit(db, connection, remote, creditCents)
    if (parts.length === 0) return
    const today = await todayOf(db)
    const wanted = remote.TxnDate && isDay(remote.TxnDate) && remote.TxnDate <= today ? remote.TxnDate : today
    const { day, note } = await openDayTx(db, wanted)
    // What lies on no invoice of ours comes with the first one, as the customer's credit.
    const rest = Math.max(0, moneyCents - parts.reduce((sum, [, cents]) => sum + cents, elsewhere))
    // invoices come before their pages, as wherever a page is opened or ended
    await lockInvoicesTx(
      db,
      parts.map(([invoiceId]) => invoiceId),
    )
    let first: string | null = null
    for (const [at, [invoiceId, cents]] of parts.entries()) {
      await endPagesTx(db, invoiceId)
      const booked = await bookPaymentTx(db, actor, invoiceId, {
        method: 'other',
        amountCents: cents + (at === 0 ? rest : 0),
        // what is on no invoice there is on none here, however much is open
        shares: [{ invoiceId, cents }],
        receivedOn: day,
        note: ['Taken in QuickBooks', remote.PaymentRefNum, note].filter(Boolean).join('. '),
        provider: 'quickbooks',
        providerPaymentId: `qbo:${connection.realmId}:${id}:${invoiceId}`,
      })
      first ??= booked?.id ?? null
    }
    if (first)
      await saveLink(db, connection, { kind: 'payment', id: first }, 'Payment', {
        remoteId: id,
        syncToken: remote.SyncToken ?? '0',
        totalCents: centsOf(remote.TotalAmt),
        fromBooks: true,
      })
    await publishChange(db, 'books')
  })

const isVoided = (remote: Remote): boolean =>
  /^voided/i.test(remote.PrivateNote ?? '') && centsOf(remote.TotalAmt) === 0

/** Looks at one record of the books. Our own changes come back as notices too: their number is the one that we kept. */
export const lookAt = async (
  actor: SystemActor,
  connection: Connection,
  type: RemoteType,
  id: string,
  known?: Remote,
): Promise<void> => {
  if (!watched.includes(type)) return
  let read: Remote | null
  try {
    read = known ?? (await askBooks(actor, connection.realmId, (client) => client.readIfThere(type, id)))
  } catch (error) {
    if (!(error instanceof BooksError) || error.kind !== 'fault') throw error
    if (await sayUnread(actor, connection, type, id, error.code)) return
    // It may be money for an invoice of ours: asked for again, and told where it stays so.
    if (type === 'Payment') throw error
    log.info({ type, id, code: error.code }, 'a record of the books that is not ours was not shown')
    return
  }
  const remote = read
  const gone = remote === null || remote.status === 'Deleted'
  const isNew = await withTenant(actor, async (db) => {
    const link = await linkThere(db, connection, type, id)
    if (!link) return true
    if (gone) await sayChanged(db, connection, link, null)
    else if (remote.SyncToken !== link.syncToken) await sayChanged(db, connection, link, remote)
    return false
  })
  // Our own one, whose answer was not booked yet.
  const isOurs = /\bswath:/.test(remote?.PrivateNote ?? '')
  if (isNew && !gone && type === 'Payment' && !isOurs && !isVoided(remote) && centsOf(remote.TotalAmt) > 0)
    await bringIn(actor, connection, remote)
}

const Payload = z.object({ provider: z.string(), type: z.enum(remoteTypes), id: z.string() })

/** A stored notice: the company leads to its business, whatever else the notice says. */
export const processBooksEvent = async (event: StoredWebhook): Promise<void> => {
  const payload = Payload.parse(event.payload)
  const found = await database()
    .selectFrom('booksRealms')
    .select('businessId')
    .where('provider', '=', payload.provider)
    .where('realmId', '=', event.account)
    .executeTakeFirst()
  if (!found) {
    log.info({ realm: event.account }, 'a notice of books that no business has')
    return
  }
  const actor = systemActor(asBusinessId(found.businessId))
  const connection = await withTenant(actor, findConnection)
  if (connection?.realmId !== event.account || connection.startOn === null) return
  try {
    await lookAt(actor, connection, payload.type, payload.id)
  } catch (error) {
    // Nobody lets us in: the look after the next connect finds it.
    if (!(error instanceof BooksStopped)) throw error
  }
}

const dayMs = 86_400_000
/** The provider remembers changes for so long. */
const longestMs = 30 * dayMs

/** Asks for everything that changed since the last time: what a lost notice told, and what happened while nobody was let in. */
export const lookAtChanges = async (actor: SystemActor): Promise<void> => {
  const connection = await withTenant(actor, findConnection)
  if (connection?.status !== 'connected' || connection.startOn === null) return
  const now = clock.nowMs()
  const since = Math.max(Date.parse(connection.seenAt ?? connection.createdAt) - 3_600_000, now - longestMs)
  try {
    const changes = await askBooks(actor, connection.realmId, (client) =>
      client.changedSince(watched, new Date(since).toISOString()),
    )
    for (const { type, record } of changes) if (record.Id) await lookAt(actor, connection, type, record.Id, record)
    await withTenant(actor, (db) =>
      sql`update books_connections set seen_at = ${new Date(now).toISOString()}::timestamptz
        where business_id = ${db.businessId} and id = ${connection.id}`.execute(db),
    )
  } catch (error) {
    if (error instanceof BooksStopped) return
    throw error
  }
}
