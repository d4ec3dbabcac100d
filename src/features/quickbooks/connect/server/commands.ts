import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { booksClient } from '../../../../platform/books/client.ts'
import {
  booksAuthorizationUrl,
  GrantEnded,
  revokeBooksToken,
  tradeBooksCode,
} from '../../../../platform/books/oauth.ts'
import { booksPeer } from '../../../../platform/books/peer.ts'
import { clock } from '../../../../platform/clock.ts'
import { afterCommit, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { decryptField, encryptField } from '../../../../platform/keys.ts'
import { log } from '../../../../platform/log.ts'
import { seal, takeOnce, unseal } from '../../../../platform/sealed.ts'
import { refuse } from '../../../../shared/can.ts'
import { AppError, conflict } from '../../../../shared/errors.ts'
import type { Books, quickbooksApi } from '../../contract.ts'
import { booksRefusals } from '../../rules.ts'
import { getBooks } from '../../server/queries.ts'
import { gatherTx } from '../../setup/server/gather.ts'
import { findConnection, stateOf } from './queries.ts'

const purpose = 'books-away'
const minutesAway = 15

type Away = { businessId: string; userId: string }

/** Sends the owner to give leave; what has to come back is sealed for this business and this person. */
export const beginBooks = async (actor: Actor): Promise<{ url: string }> => {
  const found = booksPeer()
  const { peer } = found
  refuse(booksRefusals.connect({ state: peer ? 'none' : 'unavailable', reason: peer ? null : found.reason }))
  if (!peer) throw new AppError('unavailable', 'QuickBooks cannot be connected right now.')
  const state = seal<Away>(purpose, { businessId: actor.businessId, userId: actor.userId }, minutesAway * 60)
  const url = booksAuthorizationUrl(peer, state)
  if (peer.provider !== 'local') return { url }
  const name = await withTenant(actor, async (db) => {
    const connection = await findConnection(db)
    if (connection) return connection.companyName
    const business = await db
      .selectFrom('businesses')
      .select('name')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    return business.name
  })
  return { url: `${url}&company=${encodeURIComponent(name)}` }
}

const expired = () =>
  conflict('Connecting took too long, or it was begun in another sign-in. Nothing was changed: press Connect again.')

/** A company belongs to one business: two that wrote into the same books would each find the other's money missing. */
const claimRealm = async (db: TenantDb, provider: 'intuit' | 'local', realmId: string): Promise<void> => {
  await sql`insert into books_realms (provider, realm_id, business_id) values (${provider}, ${realmId}, ${db.businessId})
    on conflict do nothing`.execute(db)
  const { rows } = await sql<{ own: boolean }>`select business_id = ${db.businessId} as own from books_realms
    where provider = ${provider} and realm_id = ${realmId}`.execute(db)
  if (!rows[0]?.own)
    throw conflict(
      'This QuickBooks company is connected to another business in Swath. Nothing was changed: choose another company, or disconnect it there first.',
    )
}

/** Takes what the browser brought back. A second time, a reload or a second tab find the connection that the first one made. */
export const finishBooks = async (
  actor: Actor,
  { state, code, realmId, error }: z.output<(typeof quickbooksApi)['finish']['body']>,
): Promise<Books> => {
  const answer = () => withTenant(actor, (db) => getBooks(db, actor))
  const sealed = unseal<Away>(purpose, state)
  if (sealed?.data.businessId !== actor.businessId || sealed.data.userId !== actor.userId) throw expired()
  if (error)
    throw conflict(
      error === 'access_denied'
        ? 'You did not let Swath in, so QuickBooks is not connected. Nothing was changed.'
        : 'QuickBooks did not let us in. Nothing was changed: press Connect again.',
    )
  const { peer } = booksPeer()
  if (!peer || !code || !/^\d{1,40}$/.test(realmId)) throw expired()
  if (!(await takeOnce(sealed))) return answer()
  const tokens = await tradeBooksCode(peer, code, state).catch((cause: unknown) => {
    if (cause instanceof GrantEnded) throw expired()
    throw new AppError(
      'unavailable',
      'QuickBooks does not answer right now. Nothing was changed: press Connect again.',
      {
        cause,
      },
    )
  })
  // The company that the browser names is only believed because this token opens it.
  const [company] = await booksClient(peer, realmId, tokens.access)
    .find('CompanyInfo', '')
    .catch((cause: unknown) => {
      throw new AppError(
        'unavailable',
        'QuickBooks did not open this company for us. Nothing was changed: press Connect again.',
        {
          cause,
        },
      )
    })
  return withTenant(actor, async (db) => {
    await claimRealm(db, peer.provider, realmId)
    const before = await findConnection(db)
    if (before && before.realmId !== realmId)
      throw conflict(
        `${before.companyName || 'Another company'} is connected. Disconnect it first if you want to use another company; nothing was changed.`,
      )
    const values = {
      companyName: (company?.CompanyName ?? '').slice(0, 200),
      status: 'connected' as const,
      livemode: peer.livemode,
      accessCipher: encryptField(tokens.access),
      refreshCipher: encryptField(tokens.refresh),
      accessUntil: tokens.until,
      refreshingUntil: null,
      pausedUntil: null,
      connectedBy: actor.userId,
      updatedAt: clock.iso(),
    }
    const away = await db
      .selectFrom('booksConnections')
      .select(['id', 'startOn'])
      .where('businessId', '=', db.businessId)
      .where('provider', '=', peer.provider)
      .where('realmId', '=', realmId)
      .where('status', '=', 'disconnected')
      .executeTakeFirst()
    await db
      .insertInto('booksConnections')
      .values({
        businessId: db.businessId,
        id: newId(),
        provider: peer.provider,
        realmId,
        seenAt: clock.iso(),
        createdAt: clock.iso(),
        ...values,
      })
      .onConflict((c) =>
        c
          .columns(['businessId', 'provider', 'realmId'])
          .doUpdateSet((eb) => ({ ...values, tokenVersion: eb('booksConnections.tokenVersion', '+', 1) })),
      )
      .execute()
    // while it was disconnected nothing was marked
    if (away?.startOn) await gatherTx(db, away.id)
    await audit(db, actor, 'books.connect', { type: 'business', id: db.businessId }, { after: { realmId } })
    await publishChange(db, 'books')
    return getBooks(db, actor)
  })
}

/** Ends the connection here and there. Its row and what is linked stay, so that the same company goes on where it stopped. */
export const disconnectBooks = (actor: Actor): Promise<Books> =>
  withTenant(actor, async (db) => {
    const { peer } = booksPeer()
    const connection = await findConnection(db)
    refuse(booksRefusals.disconnect({ state: stateOf(peer, connection), reason: null }))
    if (!connection || !peer) throw new AppError('unavailable', 'QuickBooks cannot be disconnected right now.')
    await db
      .updateTable('booksConnections')
      .set((eb) => ({
        status: 'disconnected',
        accessCipher: null,
        refreshCipher: null,
        accessUntil: null,
        tokenVersion: eb('tokenVersion', '+', 1),
        version: eb('version', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', connection.id)
      .execute()
    await sql`delete from books_realms where provider = ${connection.provider} and realm_id = ${connection.realmId}
      and business_id = ${db.businessId}`.execute(db)
    const refresh = connection.refreshCipher
    if (refresh)
      afterCommit(db, () =>
        revokeBooksToken(peer, decryptField(refresh)).catch((err: unknown) =>
          log.warn(
            { err, businessId: db.businessId },
            'our leave to the books could not be given back; it runs out by itself',
          ),
        ),
      )
    await audit(db, actor, 'books.disconnect', { type: 'business', id: db.businessId })
    await publishChange(db, 'books')
    return getBooks(db, actor)
  })
