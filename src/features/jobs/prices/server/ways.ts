import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { listRecipients } from '../../../customers/contacts/server/queries.ts'
import { limitReason, plainText, smsSegments } from '../../../messages/rules.ts'
import { smsUsage } from '../../../messages/server/queries.ts'
import { type Reach, reachOf } from '../../../messages/server/reach/queries.ts'

/** By which way customers are told of new prices. */

type Payer = { id: string; email: string | null; phone: string | null }

/** Whom a customer's prices are told: who gets the invoices, the first of them. */
export const payersOf = async (db: TenantDb, customerIds: readonly string[]): Promise<Payer[]> => {
  const recipients = await listRecipients(db, customerIds, 'invoices')
  return customerIds.map((id) => {
    const [first] = recipients(id)
    return { id, email: first?.email ?? null, phone: first?.phone ?? null }
  })
}

/** Segments of the month that no text of this change is going to take; null is without limit. */
const segmentsLeft = async (db: TenantDb, changeId: string | null): Promise<number | null> => {
  const { segmentLimit, segmentsUsed } = await smsUsage(db)
  if (segmentLimit === null) return null
  const waiting = changeId
    ? await db
        .selectFrom('messages')
        .select(sql<number>`coalesce(sum(segments), 0)::int`.as('segments'))
        .where('businessId', '=', db.businessId)
        .where('entityType', '=', 'price_change')
        .where('entityId', '=', changeId)
        .where('channel', '=', 'sms')
        .where('direction', '=', 'outbound')
        .where('status', 'in', ['pending', 'held', 'sending'])
        .executeTakeFirst()
    : undefined
  return segmentLimit - segmentsUsed - (waiting?.segments ?? 0)
}

/**
 * How each of these customers hears of new prices: by text, else by mail; by mail as well where the texts of the month do not hold theirs any more.
 * @param textOf what a customer would read as a text
 * @param at when it would leave
 * @param changeId of a change some of whose notices stand in the outbox by now
 */
export const waysOf = async (
  db: TenantDb,
  customerIds: readonly string[],
  textOf: (customerId: string) => string,
  at: string,
  changeId: string | null = null,
): Promise<Map<string, Reach>> => {
  const payers = await payersOf(db, customerIds.toSorted())
  const ways = await reachOf(db, payers, at)
  let left = await segmentsLeft(db, changeId)
  if (left === null) return ways
  const over: Payer[] = []
  for (const payer of payers) {
    if (ways.get(payer.id)?.channel !== 'sms') continue
    const { segments } = smsSegments(plainText(textOf(payer.id)))
    if (segments > left) over.push(payer)
    else left -= segments
  }
  const mails = await reachOf(
    db,
    over.map((payer) => ({ ...payer, phone: null })),
    at,
  )
  for (const { id } of over) {
    const mail = mails.get(id)
    ways.set(id, mail && mail.channel !== null ? mail : { channel: null, reason: limitReason })
  }
  return ways
}
