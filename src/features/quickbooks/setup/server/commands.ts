import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { booksPeer } from '../../../../platform/books/peer.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { refuse } from '../../../../shared/can.ts'
import { addMonths } from '../../../../shared/dates.ts'
import { AppError, invalid } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { accountsOf, findConnection, stateOf } from '../../connect/server/queries.ts'
import { askBooksNow } from '../../connect/server/token.ts'
import type { Books, BooksChoices, Match, quickbooksApi } from '../../contract.ts'
import { askToSend } from '../../queue/server/commands.ts'
import { findLink, markTx, saveLink } from '../../queue/server/rows.ts'
import { ownItems } from '../../queue/server/shapes.ts'
import { accountRoles, booksRefusals, pairsOf, roleNames } from '../../rules.ts'
import { getBooks } from '../../server/queries.ts'
import { gatherTx } from './gather.ts'

/** The accounts and tax codes of the books, as they are now. */
export const listChoices = async (actor: Actor): Promise<BooksChoices> => {
  const { accounts, taxCodes } = await askBooksNow(actor, async (client) => ({
    accounts: await client.list('Account', 'Active = true'),
    taxCodes: await client.list('TaxCode', ''),
  }))
  const categories = await withTenant(actor, (db) =>
    db
      .selectFrom('expenseCategories')
      .select(['id', 'name'])
      .where('businessId', '=', db.businessId)
      .where('archivedAt', 'is', null)
      .orderBy('position')
      .execute(),
  )
  const named = (one: { Id?: string; Name?: string }) => ({ id: one.Id ?? '', name: one.Name ?? '' })
  return {
    accounts: Object.fromEntries(
      roleNames.map((role) => [
        role,
        accounts.filter(({ AccountType }) => accountRoles[role].types.includes(AccountType ?? '')).map(named),
      ]),
    ) as BooksChoices['accounts'],
    taxCodes: taxCodes.map(named).filter(({ id }) => id !== 'NON'),
    categories,
  }
}

/** How far back a start may lie, in months: more is an import, not a connection. */
const mostMonths = 24

/** Saves which accounts things are booked to. From now on what happens goes there; an earlier start gathers what was before. */
export const setUpBooks = (actor: Actor, input: z.output<(typeof quickbooksApi)['setUp']['body']>): Promise<Books> =>
  withTenant(actor, async (db) => {
    const connection = await findConnection(db)
    refuse(booksRefusals.setUp({ state: stateOf(booksPeer().peer, connection), reason: null }))
    if (!connection) throw new AppError('unavailable', 'QuickBooks is not connected.')
    requireVersion(connection, input.version, 'these settings')
    const today = await todayOf(db)
    if (input.startOn > today) throw invalid([{ path: 'startOn', message: 'This day has not come yet' }])
    if (input.startOn < addMonths(today, -mostMonths))
      throw invalid([{ path: 'startOn', message: `Begin at most ${mostMonths} months back; older books are closed` }])
    if (input.taxMode === 'code' && !input.taxCode)
      throw invalid([{ path: 'taxCode', message: 'Choose the tax code that QuickBooks should use' }])
    const isEarlier = connection.startOn === null || input.startOn < connection.startOn
    await db
      .updateTable('booksConnections')
      .set((eb) => ({
        accounts: JSON.stringify(input.accounts),
        taxMode: input.taxMode,
        taxCode: input.taxMode === 'code' ? input.taxCode : null,
        startOn: input.startOn,
        holdsPayments: accountsOf(connection).deposit === input.accounts.deposit ? connection.holdsPayments : null,
        version: eb('version', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', connection.id)
      .execute()
    if (isEarlier) await gatherTx(db, connection.id)
    // what stands there already is moved to the account that was chosen now
    const discount = { kind: 'item', id: ownItems.discount.id } as const
    if (
      accountsOf(connection).discounts !== input.accounts.discounts &&
      (await findLink(db, connection, discount)) !== undefined
    ) {
      await markTx(db, discount)
      await askToSend(db)
    }
    await audit(
      db,
      actor,
      'books.setUp',
      { type: 'business', id: db.businessId },
      { after: { startOn: input.startOn } },
    )
    await publishChange(db, 'books')
    return getBooks(db, actor)
  })

const blank = (text: string | undefined): string | null => text?.trim() || null

/** Customers of the books who are probably ours and are not linked yet. Nobody is linked by it. */
export const listMatches = async (actor: Actor): Promise<{ items: Match[]; linked: number; remote: number }> => {
  const { remote, connectionId } = await askBooksNow(actor, async (client, connection) => ({
    remote: await client.list('Customer', ''),
    connectionId: connection.id,
  }))
  const { ours, links } = await withTenant(actor, async (db) => ({
    links: await db
      .selectFrom('booksLinks')
      .select(['localId', 'remoteId'])
      .where('businessId', '=', db.businessId)
      .where('connectionId', '=', connectionId)
      .where('kind', '=', 'customer')
      .where('remoteId', 'is not', null)
      .execute(),
    ours: await db
      .selectFrom('customers')
      .select(['id', 'name', 'email', 'phone'])
      .where('businessId', '=', db.businessId)
      .where('archivedAt', 'is', null)
      .orderBy('name')
      .execute(),
  }))
  const [mine, theirs] = [new Set(links.map(({ localId }) => localId)), new Set(links.map(({ remoteId }) => remoteId))]
  const pairs = pairsOf(
    ours.filter(({ id }) => !mine.has(id)),
    remote
      .filter(({ Id }) => !theirs.has(Id ?? ''))
      .map((one) => ({
        id: one.Id ?? '',
        name: one.DisplayName ?? '',
        email: one.PrimaryEmailAddr?.Address ?? '',
        phone: one.PrimaryPhone?.FreeFormNumber ?? '',
      })),
  )
  return {
    items: pairs.map(({ customer, remote: one, by }) => ({
      customer,
      remote: { id: one.id, name: one.name, email: blank(one.email), phone: blank(one.phone) },
      by,
    })),
    linked: links.length,
    remote: remote.length,
  }
}

/** Links customers to whom a person said that they are. What is linked is theirs to name there: we send our bills to them. */
export const linkCustomers = (
  actor: Actor,
  pairs: readonly { customerId: string; remoteId: string }[],
): Promise<{ linked: number }> =>
  withTenant(actor, async (db) => {
    const connection = await findConnection(db)
    refuse(booksRefusals.setUp({ state: stateOf(booksPeer().peer, connection), reason: null }))
    if (!connection) throw new AppError('unavailable', 'QuickBooks is not connected.')
    const ids = pairs.map(({ customerId }) => customerId)
    const own = await db
      .selectFrom('customers')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .execute()
    const taken = await db
      .selectFrom('booksLinks')
      .select(['localId', 'remoteId'])
      .where('businessId', '=', db.businessId)
      .where('connectionId', '=', connection.id)
      .where('remoteType', '=', 'Customer')
      .where('remoteId', 'is not', null)
      .execute()
    const known = new Set(own.map(({ id }) => id))
    const used = new Set(taken.flatMap(({ localId, remoteId }) => [localId, `there:${remoteId}`]))
    let linked = 0
    for (const { customerId, remoteId } of pairs) {
      if (!known.has(customerId))
        throw new AppError('not_found', 'We could not find one of these customers. Nothing was changed.')
      if (used.has(customerId) || used.has(`there:${remoteId}`)) continue
      used.add(customerId).add(`there:${remoteId}`)
      const key = { kind: 'customer', id: customerId } as const
      await saveLink(db, connection, key, 'Customer', { remoteId, state: 'live', sent: '', fromBooks: true })
      linked++
    }
    await sql`update books_queue set status = 'waiting', problem = null, message = '', run_after = ${clock.iso()}::timestamptz
      where business_id = ${db.businessId} and connection_id = ${connection.id} and kind = 'customer' and status = 'failed'
        and local_id = any(${ids}::uuid[])`.execute(db)
    await audit(db, actor, 'books.match', { type: 'business', id: db.businessId }, { after: { linked } })
    await askToSend(db)
    await publishChange(db, 'books')
    return { linked }
  })
