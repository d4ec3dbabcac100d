import { sql } from 'kysely'
import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { addDays, dayOf, minuteOfDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { timeZoneOf, todayOf } from '../../../businesses/server/queries.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { followUpDays, isWaiting, quoteName } from '../../rules.ts'
import { lockQuoteTx, noteTx, setQuoteTx, tellCustomerTx } from '../../server/rows.ts'
import { isDaylight } from '../rules.ts'

/** So many quotes of a business are looked at in one go; the next hour takes the rest. */
const most = 200
const kinds = ['first', 'second', 'last'] as const

/**
 * Asks after quotes that nobody answered, two, five and ten days after they were sent, by daylight. Whatever the customer wrote meanwhile is an answer, and so is a call
 * of theirs or one in which they were talked to: nothing asks any more. A quote that is asked after once is not asked after twice a day, however often this runs.
 */
export const followUp = async (actor: SystemActor): Promise<void> => {
  const due = await withTenant(actor, async (db) => {
    // quiet hours hold texts only, and a mail of half past midnight is no friendly word either
    if (!isDaylight(minuteOfDay(clock.now(), await timeZoneOf(db)))) return []
    const today = await todayOf(db)
    return db
      .selectFrom('quotes')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('followOn', '<=', today)
      .orderBy('followOn')
      .limit(most)
      .execute()
  })
  for (const { id } of due)
    await withTenant(actor, async (db) => {
      const quote = await lockQuoteTx(db, id)
      const today = await todayOf(db)
      if (!quote.followOn || quote.followOn > today) return
      const answered = await db
        .selectFrom('messages')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('customerId', '=', quote.customerId)
        .where('direction', '=', 'inbound')
        // what came with a reason, like an automatic answer, was written by nobody
        .where('reason', 'is', null)
        .where('createdAt', '>', quote.sentAt ?? clock.iso())
        .limit(1)
        .executeTakeFirst()
      const talked = await db
        .selectFrom('customerCalls')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('customerId', '=', quote.customerId)
        .where('at', '>', quote.sentAt ?? clock.iso())
        .where((eb) => eb.or([eb('outcome', '=', 'talked'), eb('direction', '=', 'in')]))
        .limit(1)
        .executeTakeFirst()
      const over = quote.validUntil !== null && quote.validUntil < today
      const kind = kinds[quote.followStep]
      if (!isWaiting(quote.status) || answered || talked || over || !kind) {
        await setQuoteTx(db, quote, { followOn: null })
        return
      }
      const step = quote.followStep + 1
      const sentOn = dayOf(quote.sentAt ?? clock.iso(), await timeZoneOf(db))
      const days = followUpDays[step]
      const next = days === undefined ? null : addDays(sentOn, days)
      // a server that stood still asks once, not three times
      const followOn = next !== null && next <= today ? addDays(today, 1) : next
      const told = await tellCustomerTx(db, quote, kind, await waysOf(db, id), `follow:${step}`, { asks: true })
      await setQuoteTx(db, quote, { followStep: step, followOn: told === 0 ? null : followOn })
      if (told > 0) await noteTx(db, quote, 'follow_up')
    })
}

/** By which ways the quote itself went. */
const waysOf = async (db: Parameters<typeof lockQuoteTx>[0], quoteId: string) => {
  const rows = await db
    .selectFrom('messages')
    .select('channel')
    .distinct()
    .where('businessId', '=', db.businessId)
    .where('entityType', '=', 'quote')
    .where('entityId', '=', quoteId)
    .execute()
  return {
    mail: rows.some(({ channel }) => channel === 'email'),
    text: rows.some(({ channel }) => channel === 'sms'),
  }
}

/** Quotes that nobody answered until their day are over. */
export const expireQuotes = async (actor: SystemActor): Promise<void> => {
  const due = await withTenant(actor, async (db) => {
    const today = await todayOf(db)
    return db
      .selectFrom('quotes')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where(sql<boolean>`status in ('sent', 'viewed')`)
      .where('validUntil', '<', today)
      .orderBy('validUntil')
      .limit(most)
      .execute()
  })
  for (const { id } of due)
    await withTenant(actor, async (db) => {
      const quote = await lockQuoteTx(db, id)
      if (!isWaiting(quote.status) || !quote.validUntil || quote.validUntil >= (await todayOf(db))) return
      await setQuoteTx(db, quote, { status: 'expired', followOn: null })
      await noteTx(db, quote, 'expired')
      await notifyOffice(db, {
        type: 'quote',
        title: `${quoteName(quote.number)} has expired`,
        content: `${(await getContact(db, quote.customerId)).name} has not answered. A new version gives it a later day.`,
        customerId: quote.customerId,
        path: linkTo.quote(id),
        dedupeKey: `quote-expired:${id}:${quote.revision}`,
      })
    })
}
