import { sql } from 'kysely'
import { type Actor, type SystemActor, systemActor, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { asBusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { log } from '../../../../platform/log.ts'
import type { AccountState, PaymentProvider } from '../../../../platform/payments/provider.ts'
import { accountProvider, listProviderEvents, providerNamed } from '../../../../platform/payments/providers.ts'
import { enqueue } from '../../../../platform/tasks/task.ts'
import { noteEventLook, readEventLook, type StoredWebhook, storeWebhook } from '../../../../platform/webhooks.ts'
import { refuse } from '../../../../shared/can.ts'
import { AppError } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { endPagesTask } from '../../server/commands.ts'
import type { CardAccount } from '../contract.ts'
import { connectRefusals, connectState, connectWords, requirementLabels, takesCards } from '../rules.ts'
import { factsOf, findAccountRow, getCardAccount } from './queries.ts'

export const settingsPath = `${paths.profile}?section=money#cards`

const say = (db: TenantDb): Promise<void> => publishChange(db, 'business', [db.businessId])

/** The business's account at the provider, opened when there is none: presses at once end in one, by the provider's key. */
const ensureAccount = async (actor: Actor, provider: PaymentProvider): Promise<string> => {
  const before = await withTenant(actor, async (db) => {
    const row = await findAccountRow(db)
    const business = await db
      .selectFrom('businesses')
      .select(['name', 'email'])
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    const { had } = await db
      .selectFrom('paymentAccounts')
      .select((eb) => eb.fn.countAll<number>().as('had'))
      .where('businessId', '=', db.businessId)
      .where('removedAt', 'is not', null)
      .executeTakeFirstOrThrow()
    return { row, business, had: Number(had) }
  })
  if (before.row && before.row.removedAt === null) return before.row.accountId
  const made = await provider.openAccount(
    { businessId: actor.businessId, ...before.business },
    `account:${actor.businessId}:${before.had}`,
  )
  await withTenant(actor, async (db) => {
    await db
      .insertInto('paymentAccounts')
      .values({
        businessId: db.businessId,
        id: newId(),
        provider: provider.name,
        accountId: made.id,
        ...stateColumns(made),
        createdAt: clock.iso(),
      })
      .onConflict((c) => c.doNothing())
      .execute()
    await sql`insert into payment_account_lookups (account_id, business_id) values (${made.id}, ${db.businessId}) on conflict do nothing`.execute(
      db,
    )
    await audit(db, actor, 'payments.connect', { type: 'business', id: db.businessId }, { after: { account: made.id } })
    await say(db)
  })
  return made.id
}

const stateColumns = (state: AccountState) => ({
  livemode: state.livemode,
  chargesEnabled: state.chargesEnabled,
  payoutsEnabled: state.payoutsEnabled,
  detailsSubmitted: state.detailsSubmitted,
  requirements: JSON.stringify(state.requirements),
  pausedReason: state.pausedReason,
  updatedAt: clock.iso(),
})

/** The address of the provider's form for the business's account. It is good once and for minutes, so it is neither kept nor logged. */
export const connect = async (actor: Actor): Promise<{ url: string }> => {
  const taker = accountProvider()
  refuse(
    connectRefusals.connect({
      state: taker.provider ? 'none' : 'unavailable',
      reason: taker.provider ? null : taker.reason,
    }),
  )
  if (!taker.provider) throw new AppError('unavailable', 'Card payments cannot be set up right now.')
  const accountId = await ensureAccount(actor, taker.provider)
  await withTenant(actor, async (db) => {
    await db
      .updateTable('paymentAccounts')
      .set({ disconnectedAt: null, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('accountId', '=', accountId)
      .where('disconnectedAt', 'is not', null)
      .execute()
    await say(db)
  })
  const page = { refreshPath: paths.connectRefresh, returnPath: paths.connectReturn }
  return { url: await taker.provider.openOnboarding(accountId, page) }
}

/** What the office hears when cards begin or stop to be taken, once for each change. */
const tellOffice = async (db: TenantDb, before: Row, after: Row, look: number): Promise<void> => {
  const [was, is] = [takesCards(factsOf(before)), takesCards(factsOf(after))]
  const state = connectState(factsOf(after))
  const due = requirementLabels(factsOf(after).requirements)
  const asksMore = state === 'needsInfo' && connectState(factsOf(before)) !== 'needsInfo'
  if (was === is && !asksMore) return
  const words = connectWords(state, after.pausedReason)
  await notifyOffice(db, {
    type: 'invoice',
    title:
      is && !was
        ? 'Customers can pay by card now'
        : state === 'paused'
          ? words.title
          : `Card payments: ${words.title.replace(/^./, (first) => first.toLowerCase())}`,
    content: due.length > 0 && state !== 'ready' ? `${words.message} Asked for: ${due.join('; ')}.` : words.message,
    path: settingsPath,
    dedupeKey: `card-account:${after.id}:${look}`,
  })
}

type Row = NonNullable<Awaited<ReturnType<typeof findAccountRow>>>

/**
 * Brings an account in line with what the provider says of it now. Return page, webhook and button all come here, as often as they like and in
 * any order: a look that began earlier never replaces what a later one saw.
 */
export const syncAccount = async (actor: SystemActor | Actor, accountId: string): Promise<void> => {
  const asked = await withTenant(actor, (db) =>
    db
      .updateTable('paymentAccounts')
      .set((eb) => ({ syncAsked: eb('syncAsked', '+', 1) }))
      .where('businessId', '=', db.businessId)
      .where('accountId', '=', accountId)
      .where('removedAt', 'is', null)
      .returning(['provider', 'syncAsked'])
      .executeTakeFirst(),
  )
  const provider = asked ? providerNamed(asked.provider) : null
  if (!asked || !provider) return
  const state = await provider.findAccount(accountId)
  if (state && state.businessId !== actor.businessId) {
    log.error({ accountId, businessId: actor.businessId }, 'an account carries the mark of another business')
    return
  }
  await withTenant(actor, async (db) => {
    const before = await db
      .selectFrom('paymentAccounts')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('accountId', '=', accountId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (Number(before.syncApplied) >= Number(asked.syncAsked) || before.removedAt !== null) return
    const after = await db
      .updateTable('paymentAccounts')
      .set({
        ...(state
          ? stateColumns(state)
          : { removedAt: clock.iso(), chargesEnabled: false, payoutsEnabled: false, updatedAt: clock.iso() }),
        syncApplied: asked.syncAsked,
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await tellOffice(db, before, after, Number(asked.syncAsked))
    await say(db)
    if (takesCards(factsOf(before)) && !takesCards(factsOf(after))) await enqueue(db, endPagesTask, {}, { key: 'all' })
  })
}

/** Asks the provider now, for whoever looks at the settings. */
export const syncCardAccount = async (actor: Actor): Promise<CardAccount> => {
  const row = await withTenant(actor, findAccountRow)
  if (row && row.removedAt === null) await syncAccount(actor, row.accountId)
  return withTenant(actor, (db) => getCardAccount(db, actor))
}

/** Takes no more cards. The account stays the business's own, and what was paid into it can still be given back. */
export const disconnect = async (actor: Actor): Promise<CardAccount> => {
  await withTenant(actor, async (db) => {
    const row = await findAccountRow(db)
    refuse(connectRefusals.disconnect({ state: connectState(row ? factsOf(row) : null), reason: null }))
    await db
      .updateTable('paymentAccounts')
      .set({ disconnectedAt: clock.iso(), updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', row?.id ?? '')
      .execute()
    await audit(db, actor, 'payments.disconnect', { type: 'business', id: db.businessId }, {})
    await enqueue(db, endPagesTask, {}, { key: 'all' })
    await say(db)
  })
  return withTenant(actor, (db) => getCardAccount(db, actor))
}

/** A stored event about an account: it names the account, whose business we look up, and the provider is asked for its state. */
export const processAccountEvent = async (event: StoredWebhook): Promise<void> => {
  const isOurs = ['account.', 'capability.', 'person.'].some((beginning) => event.type.startsWith(beginning))
  if (!isOurs || !event.account) return
  const found = await database()
    .selectFrom('paymentAccountLookups')
    .select('businessId')
    .where('accountId', '=', event.account)
    .executeTakeFirst()
  if (!found) {
    log.warn({ account: event.account, type: event.type }, 'an event of an account that no business has')
    return
  }
  await syncAccount(systemActor(asBusinessId(found.businessId)), event.account)
}

const dayMs = 86_400_000
/** So far back our own side is asked the first time. */
const firstDays = 5
/** The provider tells no event that is older. */
const mostDays = 30

const at = (ms: number): string => new Date(ms).toISOString()

/** From when on events are asked for: from a day before where the last look stopped, however long the server was away. */
const lookedFrom = (lookedAt: string): number =>
  Math.max(clock.nowMs() - mostDays * dayMs, Date.parse(lookedAt) - dayMs)

/**
 * Stores the events since an instant that are not here, a day after the other, the oldest day first. A look that is cut off has come as far as
 * the last day that was read to its end, and the next one goes on there: nothing is left out, however much there is.
 * @param note keeps how far it came
 */
const storeEvents = async (
  accountId: string | null,
  fromMs: number,
  note: (lookedAt: string) => Promise<void>,
): Promise<number> => {
  const begunMs = clock.nowMs()
  let count = 0
  try {
    for (let from = fromMs; from < begunMs; from += dayMs) {
      const isLast = from + dayMs >= begunMs
      const span = { since: at(from), until: isLast ? null : at(from + dayMs) }
      for await (const { id, type, payload } of listProviderEvents(accountId, span))
        if (await storeWebhook({ provider: 'stripe', account: accountId ?? '', eventId: id, type, payload })) count += 1
      await note(at(isLast ? begunMs : from + dayMs))
    }
  } finally {
    if (count > 0) log.warn({ account: accountId, count }, 'events of the card provider came by no webhook')
  }
  return count
}

/** Stores what happened on our own side and no webhook brought; what came before is not stored twice. @returns how many */
export const storeOwnMissedEvents = async (): Promise<number> => {
  const lookedAt = (await readEventLook('stripe')) ?? at(clock.nowMs() - (firstDays - 1) * dayMs)
  return storeEvents(null, lookedFrom(lookedAt), (now) => noteEventLook('stripe', now))
}

/** Stores what happened in the account of a business and no webhook brought, since where the last look stopped. @returns how many */
export const storeMissedEvents = (
  who: Who,
  account: { id: string; accountId: string; eventsLookedAt: string | null; createdAt: string },
): Promise<number> =>
  storeEvents(account.accountId, lookedFrom(account.eventsLookedAt ?? account.createdAt), async (now) => {
    await withTenant(who, (db) =>
      db
        .updateTable('paymentAccounts')
        .set({ eventsLookedAt: now })
        .where('businessId', '=', db.businessId)
        .where('id', '=', account.id)
        .execute(),
    )
  })
