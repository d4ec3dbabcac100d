import { systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { asBusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { providerNamed } from '../../../../platform/payments/providers.ts'
import type { StoredWebhook } from '../../../../platform/webhooks.ts'
import { endAutopay } from './settling.ts'

/** What a card on file is now, as its bank and the provider keep it: banks renew cards, and their networks tell of it. */
export const syncMethod = async (providerMethodId: string, account: string): Promise<void> => {
  const found = await database()
    .selectFrom('paymentAccountLookups')
    .select('businessId')
    .where('accountId', '=', account)
    .executeTakeFirst()
  if (!found) return
  const actor = systemActor(asBusinessId(found.businessId))
  const kept = await withTenant(actor, (db) =>
    db
      .selectFrom('paymentMethods')
      .select(['id', 'provider'])
      .where('businessId', '=', db.businessId)
      .where('providerMethodId', '=', providerMethodId)
      .where('accountId', '=', account)
      .where('removedAt', 'is', null)
      .executeTakeFirst(),
  )
  const provider = kept ? providerNamed(kept.provider) : null
  // one that somebody left with other software of the business, or that was removed here
  if (!kept || !provider) return
  const state = await provider.findMethod(providerMethodId, account)
  await withTenant(actor, async (db) => {
    const method = await db
      .selectFrom('paymentMethods')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', kept.id)
      .where('removedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!method) return
    if (!state) {
      if (method.autopay)
        await endAutopay(db, method, `What was on file was removed at ${provider.label}.`, providerMethodId)
      // nobody turns on again what is not there
      await db
        .updateTable('paymentMethods')
        .set({ removedAt: clock.iso() })
        .where('businessId', '=', db.businessId)
        .where('id', '=', method.id)
        .execute()
      await publishChange(db, 'customers', [method.customerId])
      return
    }
    const { brand, last4, expMonth, expYear } = state
    if (method.brand === brand && method.last4 === last4 && method.expMonth === expMonth && method.expYear === expYear)
      return
    // the new one is told of in its own time
    const isLonger = method.expMonth !== expMonth || method.expYear !== expYear
    await db
      .updateTable('paymentMethods')
      .set({ brand, last4, expMonth, expYear, ...(isLonger ? { warnedAt: null } : {}) })
      .where('businessId', '=', db.businessId)
      .where('id', '=', method.id)
      .execute()
    await publishChange(db, 'customers', [method.customerId])
  })
}

/** A stored event about a method of payment, or about one being kept: it names it, the provider is asked for its state. */
export const processMethodEvent = async (event: StoredWebhook): Promise<void> => {
  const { id, payment_method: kept } =
    (event.payload as { data?: { object?: { id?: string; payment_method?: unknown } } }).data?.object ?? {}
  const methodId = event.type.startsWith('payment_method.')
    ? id
    : event.type.startsWith('setup_intent.') && typeof kept === 'string'
      ? kept
      : undefined
  if (methodId && event.account) await syncMethod(methodId, event.account)
}
