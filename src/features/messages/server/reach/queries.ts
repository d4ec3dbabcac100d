import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { toE164 } from '../../../../shared/phone.ts'
import { quietAtHome } from '../../zones/rules.ts'
import { homesOf } from '../../zones/server/queries.ts'

/** How each of many customers is reached with news of their visits: by text, else by mail, else not at all. */

export type Reach =
  | {
      channel: 'sms' | 'email'
      address: string
      /** Quiet hours hold it until then. */
      quietUntil: string | null
    }
  | { channel: null; reason: string }

/**
 * @param customers each by an id of the caller's; `customerId` is whose land says what hour it is, where that is another
 * @param at when it would leave
 */
export const reachOf = async (
  db: TenantDb,
  customers: readonly { id: string; customerId?: string; email: string | null; phone: string | null }[],
  at: string = clock.iso(),
): Promise<Map<string, Reach>> => {
  const addresses = customers.map(({ id, customerId, email, phone }) => ({
    id,
    customerId: customerId ?? id,
    sms: phone ? toE164(phone) : null,
    email: email?.trim().toLowerCase() || null,
  }))
  const all = addresses.flatMap(({ sms, email }) => [sms, email].filter((one) => one !== null))
  const [business, closed] = [
    await db
      .selectFrom('businesses')
      .select(['timeZone', 'quietStartMinute', 'quietEndMinute'])
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow(),
    all.length === 0
      ? []
      : await db
          .selectFrom('suppressions')
          .select(['channel', 'address', 'reason'])
          .where('businessId', '=', db.businessId)
          .where('purpose', '=', 'all')
          .where('address', 'in', all)
          .execute(),
  ]
  const closedFor = (channel: 'sms' | 'email', address: string | null) =>
    closed.find((row) => row.channel === channel && row.address === address)?.reason ?? null
  const homes = await homesOf(
    db,
    addresses.flatMap(({ customerId, sms }) => (sms ? [customerId] : [])),
  )
  const quiet = { startMinute: business.quietStartMinute, endMinute: business.quietEndMinute }
  const heldFor = (customerId: string): string | null =>
    quietAtHome('transactional', new Date(at), homes.get(customerId) ?? [], business.timeZone, quiet)
  return new Map(
    addresses.map(({ id, customerId, sms, email }): [string, Reach] => {
      const [noText, noMail] = [closedFor('sms', sms), closedFor('email', email)]
      if (sms && noText === null) return [id, { channel: 'sms', address: sms, quietUntil: heldFor(customerId) }]
      if (email && noMail === null) return [id, { channel: 'email', address: email, quietUntil: null }]
      return [id, { channel: null, reason: noText ?? noMail ?? 'No mobile number or e-mail on file' }]
    }),
  )
}

/** Whether a text that somebody asks for reaches one customer: to which number, or why not, and until when quiet hours hold it. */
export type TextReach = { number: string; why: null; quietUntil: string | null } | { number: null; why: string }

/** @param customer with their own number as it is on file */
export const textReachOf = async (
  db: TenantDb,
  { id, phone }: { id: string; phone: string | null },
): Promise<TextReach> => {
  if (!phone || !toE164(phone)) return { number: null, why: 'no mobile number is on file' }
  const reach = (await reachOf(db, [{ id, phone, email: null }])).get(id)
  return reach?.channel === 'sms'
    ? { number: reach.address, why: null, quietUntil: reach.quietUntil }
    : { number: null, why: reach?.channel === null ? reach.reason : 'no mobile number is on file' }
}
