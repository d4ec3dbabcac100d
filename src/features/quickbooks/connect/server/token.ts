import { setTimeout as sleep } from 'node:timers/promises'
import type { SystemActor, Who } from '../../../../platform/actor.ts'
import { type BooksClient, BooksError, booksClient } from '../../../../platform/books/client.ts'
import { GrantEnded, refreshBooksTokens } from '../../../../platform/books/oauth.ts'
import { type BooksPeer, booksPeer } from '../../../../platform/books/peer.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { decryptField, encryptField } from '../../../../platform/keys.ts'
import { AppError } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { type Connection, findConnection } from './queries.ts'

// The refresh token changes with each use, and two who use the same one end the connection: one at a time, and what came is kept before it is used.

/** Refreshed when it is good for less than this. */
const reserveMs = 120_000
/** Who trades the token has so long; whoever died meanwhile is not waited for any longer. */
const leaseMs = 30_000
const askAgainMs = 150

/** The books cannot be asked until a person does something; what waits is kept. */
export class BooksStopped extends Error {}

const endConnection = async (db: TenantDb, connection: Connection): Promise<void> => {
  const ended = await db
    .updateTable('booksConnections')
    .set({ status: 'reconnect_needed', refreshingUntil: null, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', connection.id)
    .where('status', '=', 'connected')
    .where('tokenVersion', '=', connection.tokenVersion)
    .returning('id')
    .executeTakeFirst()
  if (!ended) return
  await notifyOffice(db, {
    type: 'invoice',
    title: 'QuickBooks has to be connected again',
    content:
      'It does not let us in any more: the leave ran out or was taken back there. Nothing is lost: what happens meanwhile waits, and goes as soon as the owner connects again.',
    path: paths.quickbooks,
    dedupeKey: `books-ended:${connection.id}:${connection.tokenVersion}`,
  })
  await publishChange(db, 'books')
}

type Turn = { token: string } | { trade: Connection } | 'wait'

/** Whose turn it is: the token when it is good, the connection for who trades now, or to wait for who does. */
const takeTurn = (who: Who, staleToken: string | null): Promise<Turn> =>
  withTenant(who, async (db) => {
    const found = await findConnection(db)
    if (!found) throw new BooksStopped('none')
    const connection = await db
      .selectFrom('booksConnections')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', found.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (connection.status !== 'connected' || !connection.accessCipher || !connection.refreshCipher)
      throw new BooksStopped(connection.status)
    const token = decryptField(connection.accessCipher)
    if (Date.parse(connection.accessUntil ?? '') - clock.nowMs() > reserveMs && token !== staleToken) return { token }
    if (connection.refreshingUntil && Date.parse(connection.refreshingUntil) > clock.nowMs()) return 'wait'
    await db
      .updateTable('booksConnections')
      .set({ refreshingUntil: new Date(clock.nowMs() + leaseMs).toISOString() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', connection.id)
      .execute()
    return { trade: connection }
  })

const trade = async (who: Who, peer: BooksPeer, connection: Connection): Promise<string> => {
  try {
    const tokens = await refreshBooksTokens(peer, decryptField(connection.refreshCipher ?? ''))
    await withTenant(who, (db) =>
      db
        .updateTable('booksConnections')
        .set((eb) => ({
          accessCipher: encryptField(tokens.access),
          refreshCipher: encryptField(tokens.refresh),
          accessUntil: tokens.until,
          tokenVersion: eb('tokenVersion', '+', 1),
          refreshingUntil: null,
          updatedAt: clock.iso(),
        }))
        .where('businessId', '=', db.businessId)
        .where('id', '=', connection.id)
        // somebody connected or disconnected meanwhile: theirs stays
        .where('tokenVersion', '=', connection.tokenVersion)
        .execute(),
    )
    return tokens.access
  } catch (error) {
    if (error instanceof GrantEnded) {
      await withTenant(who, (db) => endConnection(db, connection))
      throw new BooksStopped('reconnect_needed')
    }
    await withTenant(who, (db) =>
      db
        .updateTable('booksConnections')
        .set({ refreshingUntil: null })
        .where('businessId', '=', db.businessId)
        .where('id', '=', connection.id)
        .execute(),
    )
    throw new BooksError('lost', 'token', 'The sign-in of the books does not answer.', error)
  }
}

/**
 * An access token that is good now.
 * @param staleToken one that was just refused, so that another is wanted
 * @throws BooksStopped when a person has to connect (again), BooksError when the provider does not answer
 */
export const accessToken = async (who: Who, peer: BooksPeer, staleToken: string | null = null): Promise<string> => {
  for (let asked = 0; asked < (2 * leaseMs) / askAgainMs; asked++) {
    const turn = await takeTurn(who, staleToken)
    if (turn === 'wait') await sleep(askAgainMs)
    else return 'token' in turn ? turn.token : trade(who, peer, turn.trade)
  }
  throw new BooksError('lost', 'token', 'Another process has been renewing the sign-in for too long.')
}

/**
 * Asks the books of a business; a token that is refused is renewed once.
 * @throws BooksStopped, BooksError
 */
export const askBooks = async <T>(
  who: Who | SystemActor,
  realmId: string,
  work: (client: BooksClient) => Promise<T>,
): Promise<T> => {
  const { peer } = booksPeer()
  if (!peer) throw new BooksStopped('unavailable')
  const token = await accessToken(who, peer)
  try {
    return await work(booksClient(peer, realmId, token))
  } catch (error) {
    if (!(error instanceof BooksError) || error.kind !== 'auth') throw error
    return work(booksClient(peer, realmId, await accessToken(who, peer, token)))
  }
}

/** The same for somebody in front of a screen: what went wrong is said in words. @throws AppError */
export const askBooksNow = async <T>(
  who: Who,
  work: (client: BooksClient, connection: Connection) => Promise<T>,
): Promise<T> => {
  const connection = await withTenant(who, findConnection)
  if (!connection) throw new AppError('state_conflict', 'QuickBooks is not connected. Nothing was changed.')
  try {
    return await askBooks(who, connection.realmId, (client) => work(client, connection))
  } catch (error) {
    if (error instanceof BooksStopped)
      throw new AppError('state_conflict', 'QuickBooks has to be connected again first. Nothing was changed.')
    if (error instanceof BooksError && error.kind === 'busy')
      throw new AppError(
        'unavailable',
        'QuickBooks asks us to slow down. Please try again in a minute; nothing was changed.',
      )
    if (error instanceof BooksError)
      throw new AppError(
        'unavailable',
        error.kind === 'fault'
          ? `QuickBooks did not answer this: ${error.detail || error.code}. Nothing was changed.`
          : 'QuickBooks does not answer right now. Please try again; nothing was changed.',
        { cause: error },
      )
    throw error
  }
}
