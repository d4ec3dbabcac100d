import type { z } from 'zod'
import { type Actor, systemActor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { invalid } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatPhone, toE164 } from '../../../../shared/phone.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { findCustomerByAddress } from '../../../customers/contacts/server/queries.ts'
import { lockAddress, queueMessage } from '../../../messages/server/commands.ts'
import { findSuppression } from '../../../messages/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { missedCallTx } from '../../../tasks/server/commands.ts'
import { missedCallWords } from '../../rules.ts'
import { receiveLeadTx } from '../../server/receive.ts'
import type { LeadWays, leadWaysApi } from '../contract.ts'
import { missedText, ringsItself } from '../rules.ts'
import { getKeptWays, getLeadWays } from './queries.ts'

/** Changes what holds for mail and calls. @throws AppError version_conflict, validation_failed */
export const saveLeadWays = (
  actor: Actor,
  { version, ...change }: z.output<typeof leadWaysApi.save.body>,
): Promise<LeadWays> =>
  withTenant(actor, async (db) => {
    const before = await getKeptWays(db)
    requireVersion(before, version, 'these settings')
    const now = { ...before, ...change }
    if (ringsItself(now))
      throw invalid([
        { path: 'forwardTo', message: 'This is the number that people dial. Type the phone that is to ring.' },
      ])
    if (now.textOn && !now.forwardTo)
      throw invalid([
        { path: 'forwardTo', message: 'Type the phone that is to ring: only then it is known that nobody picked up.' },
      ])
    const values = { ...now, version: version + 1, updatedAt: clock.iso() }
    await db
      .insertInto('leadWays')
      .values({ ...values, businessId: db.businessId })
      .onConflict((c) => c.column('businessId').doUpdateSet(values))
      .execute()
    await audit(db, actor, 'leads.ways', { type: 'business', id: actor.businessId }, { before, after: change })
    return getLeadWays(db, true)
  })

/** The one text of a day to who was not answered; nothing goes to a number that wants no texts. */
const textBackTx = async (
  db: TenantDb,
  to: { phone: string; customerId: string | null; leadId: string | null },
): Promise<void> => {
  const ways = await getKeptWays(db)
  if (!ways.textOn || (await findSuppression(db, 'sms', to.phone))?.purpose === 'all') return
  const customer = to.customerId
    ? await db
        .selectFrom('customers')
        .select('language')
        .where('businessId', '=', db.businessId)
        .where('id', '=', to.customerId)
        .executeTakeFirst()
    : null
  const known = customer ? customer.language : ways.strangerLanguage
  const language = known === 'es' ? 'es' : 'en'
  await queueMessage(db, {
    channel: 'sms',
    purpose: 'transactional',
    address: to.phone,
    dedupeKey: `missed-call:${to.phone}:${await todayOf(db)}`,
    text: missedText(language === 'es' ? ways.textEs : ways.textEn, language),
    customerId: to.customerId,
    // In quiet hours it waits; who was called back by then does not get it.
    ...(to.leadId ? { entity: { type: 'lead', id: to.leadId }, asks: true } : {}),
  })
}

/**
 * A call that nobody took: of a customer it stands in their timeline and under Needs you, anybody else is a lead. Both get the text where it is on.
 * @param from as the provider says it; a caller who hides the number leaves none
 */
export const missCall = (businessId: BusinessId, call: { id: string; from: string }): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const phone = toE164(call.from)
    if (!phone)
      return notifyOffice(db, {
        type: 'quote',
        title: 'A call without a number was missed',
        content: 'Whoever it was hides the number, so nobody can call back.',
        path: linkTo.leads(),
        dedupeKey: `missed-call:${call.id}`,
      })
    // Two calls in one moment wait for each other, so that one lead and one task come of them.
    await lockAddress(db, 'sms', phone)
    const known = await findCustomerByAddress(db, 'sms', phone)
    if (known) {
      await missedCallTx(db, systemActor(businessId), known.customerId)
      return textBackTx(db, { phone, customerId: known.customerId, leadId: null })
    }
    // one's own phone that tries it out is nobody who asks
    if (phone === (await getKeptWays(db)).forwardTo) return
    const { id, isSpam } = await receiveLeadTx(
      db,
      { name: formatPhone(phone), phone, wants: missedCallWords, source: 'call' },
      'call',
    )
    if (!isSpam) await textBackTx(db, { phone, customerId: null, leadId: id })
  })
