import type { z } from 'zod'
import { type Actor, systemActor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { invalid } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { plainText } from '../../../../shared/plain-text.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { findCustomerByAddress } from '../../../customers/contacts/server/queries.ts'
import {
  lockAddress,
  missedCallOf,
  queueMessage,
  recallFollowUpsTx,
  recallTextBackTx,
} from '../../../messages/server/commands.ts'
import { findSuppression, stopLine } from '../../../messages/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { missedCallTx } from '../../../tasks/server/commands.ts'
import { missedCallWords } from '../../rules.ts'
import { receiveLeadTx } from '../../server/receive.ts'
import { recallLeadTx } from '../../server/rows.ts'
import type { LeadWays, leadWaysApi } from '../contract.ts'
import { callerOf, hoursBetweenTexts, missedText, mostTextsBack, ringsItself } from '../rules.ts'
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

const hourMs = 3_600_000
const ago = (hours: number): string => new Date(clock.nowMs() - hours * hourMs).toISOString()
/** So long a call is known by its id. */
const keptHours = 40 * 24

type Called = { callId: string; phone: string; textable: boolean; customerId: string | null; leadId: string | null }

/** Whether this number got its text already, or is not to get one at all. */
const wantsNone = async (db: TenantDb, phone: string): Promise<boolean> => {
  if ((await findSuppression(db, 'sms', phone))?.purpose === 'all') return true
  const before = await db
    .selectFrom('messages')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('address', '=', phone)
    .where('createdAt', '>', ago(hoursBetweenTexts))
    .where('dedupeKey', 'like', 'missed-call:%')
    .limit(1)
    .executeTakeFirst()
  return before !== undefined
}

/** Whether this business may text one more of those who called; the office hears of it once a day where not. */
const isWithinDay = async (db: TenantDb): Promise<boolean> => {
  await lockAddress(db, 'sms', 'missed-calls')
  const texted = await db
    .selectFrom('missedCalls')
    .select('callId')
    .where('businessId', '=', db.businessId)
    .where('at', '>', ago(24))
    .where('texted', '=', true)
    .limit(mostTextsBack)
    .execute()
  if (texted.length < mostTextsBack) return true
  await notifyOffice(db, {
    type: 'quote',
    title: `${mostTextsBack} missed callers were texted in a day`,
    content: 'No more texts go back for now: so many calls may be a machine that dials. Each call is still kept.',
    path: linkTo.leads(),
    dedupeKey: `missed-calls-most:${await todayOf(db)}`,
  })
  return false
}

/** The one text in a day to who was not answered; nothing goes to a number that wants none, cannot read it, or costs more than a text. */
const textBackTx = async (db: TenantDb, to: Called): Promise<void> => {
  const ways = await getKeptWays(db)
  if (!ways.textOn || !to.textable || (await wantsNone(db, to.phone)) || !(await isWithinDay(db))) return
  const customer = to.customerId
    ? await db
        .selectFrom('customers')
        .select('language')
        .where('businessId', '=', db.businessId)
        .where('id', '=', to.customerId)
        .executeTakeFirst()
    : null
  const { name } = await db
    .selectFrom('businesses')
    .select('name')
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const known = customer ? customer.language : ways.strangerLanguage
  const language = known === 'es' ? 'es' : 'en'
  const { customerId, phone: address } = to
  const stop = await stopLine(db, { customerId, address, language })
  await queueMessage(db, {
    channel: 'sms',
    purpose: 'transactional',
    address,
    dedupeKey: `missed-call:${to.callId}`,
    text: missedText(language === 'es' ? ways.textEs : ways.textEn, plainText(name), stop),
    customerId,
    // In quiet hours it waits; who was called back by then does not get it.
    ...(to.leadId ? { entity: { type: 'lead', id: to.leadId }, asks: true } : {}),
    ...(customerId ? { entity: missedCallOf(customerId), asks: true } : {}),
  })
  await db
    .updateTable('missedCalls')
    .set({ texted: true })
    .where('businessId', '=', db.businessId)
    .where('callId', '=', to.callId)
    .execute()
}

/** Keeps a call by its id, in the transaction of all that comes of it. @returns false when it was here before */
const keepCall = async (db: TenantDb, callId: string): Promise<boolean> => {
  await db.deleteFrom('missedCalls').where('businessId', '=', db.businessId).where('at', '<', ago(keptHours)).execute()
  const made = await db
    .insertInto('missedCalls')
    .values({ businessId: db.businessId, callId, at: clock.iso() })
    .onConflict((c) => c.columns(['businessId', 'callId']).doNothing())
    .returning('callId')
    .executeTakeFirst()
  return made !== undefined
}

/**
 * A call that nobody took: of a customer it stands in their timeline and under Needs you, anybody else is a lead. Both get the text where it is on. Told
 * again, as after a crash, it changes nothing.
 * @param from as the provider says it; a caller who hides the number leaves none
 */
export const missCall = (businessId: BusinessId, call: { id: string; from: string }): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    if (!(await keepCall(db, call.id))) return
    const caller = callerOf(call.from)
    if (caller.kind !== 'number')
      return notifyOffice(db, {
        type: 'quote',
        ...(caller.kind === 'hidden'
          ? {
              title: 'A call without a number was missed',
              content: 'Whoever it was hides the number, so nobody can call back.',
            }
          : {
              title: `A call from ${caller.shown} was missed`,
              content: 'This is no number that can be called back or texted.',
            }),
        path: linkTo.leads(),
        dedupeKey: `missed-call:${call.id}`,
      })
    const { phone, textable } = caller
    // Two calls in one moment wait for each other, so that one lead and one task come of them.
    await lockAddress(db, 'sms', phone)
    const known = await findCustomerByAddress(db, 'sms', phone)
    const to = { callId: call.id, phone, textable }
    if (known) {
      await missedCallTx(db, systemActor(businessId), known.customerId)
      return textBackTx(db, { ...to, customerId: known.customerId, leadId: null })
    }
    // one's own phone that tries it out is nobody who asks
    if (phone === (await getKeptWays(db)).forwardTo) return
    const { id, isSpam } = await receiveLeadTx(
      db,
      { name: formatPhone(phone), phone, wants: missedCallWords, source: 'call' },
      'call',
    )
    if (!isSpam) await textBackTx(db, { ...to, customerId: null, leadId: id })
  })

/** A call that somebody took: what still waits to say that an earlier one was missed says nothing any more. */
export const takeCall = (businessId: BusinessId, from: string): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const caller = callerOf(from)
    if (caller.kind !== 'number') return
    const known = await findCustomerByAddress(db, 'sms', caller.phone)
    if (known) {
      await recallTextBackTx(db, known.customerId)
      await recallFollowUpsTx(db, known.customerId)
    }
    const waiting = await db
      .selectFrom('messages')
      .select('entityId')
      .where('businessId', '=', db.businessId)
      .where('address', '=', caller.phone)
      .where('entityType', '=', 'lead')
      .where('status', 'in', ['pending', 'held'])
      .limit(20)
      .execute()
    for (const { entityId } of waiting) if (entityId) await recallLeadTx(db, entityId)
  })
