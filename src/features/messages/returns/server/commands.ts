import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { addDays, dayOf } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { lockAddress, recordConsent, suppress } from '../../server/commands.ts'
import { boxReason, boxRestDays, complaintShuts, spamReason, troubleDays, troubleWithinDays } from '../rules.ts'

const sentMail = (db: TenantDb, id: string) =>
  db
    .selectFrom('messages')
    .select(['address', 'purpose', 'customerId', 'entityType'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('direction', '=', 'outbound')
    .where('channel', '=', 'email')
    // a link that signs somebody in is theirs, whatever became of it: it never shuts their address
    .where('purpose', '!=', 'account')
    .executeTakeFirst()

/** Somebody pressed "spam" on a mail: what it was about ends for their address, and the office is told once. */
export const receiveComplaint = (businessId: BusinessId, messageId: string): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const mail = await sentMail(db, messageId)
    if (!mail) return
    const { address, customerId } = mail
    // how a visit was is asked in the way of offers
    const shuts = mail.entityType === 'review_ask' ? 'marketing' : complaintShuts(mail.purpose)
    await lockAddress(db, 'email', address)
    const before = await db
      .selectFrom('suppressions')
      .select('purpose')
      .where('businessId', '=', businessId)
      .where('channel', '=', 'email')
      .where('address', '=', address)
      .where('purpose', 'in', ['all', shuts])
      .executeTakeFirst()
    // told a second time, or of a second mail that left before; what that mail belongs to hears of it all the same
    if (before) {
      await emit(db, 'offers.ended', { channel: 'email', address, why: 'complained', messageId, at: clock.iso() })
      return
    }
    await recordConsent(db, {
      channel: 'email',
      address,
      purpose: 'marketing',
      action: 'revoke',
      source: 'complaint',
      wording: spamReason,
      messageId,
    })
    await suppress(db, 'email', address, shuts, spamReason)
    const customer = customerId
      ? await db
          .selectFrom('customers')
          .select(['id', 'name'])
          .where('businessId', '=', businessId)
          .where('id', '=', customerId)
          .executeTakeFirst()
      : undefined
    await notifyOffice(db, {
      type: 'email',
      topic: 'needsYou',
      title: `${customer?.name ?? address} marked your mail as spam`,
      content:
        shuts === 'all'
          ? `No more mail leaves to ${address}. Texts and paper still reach them; call before you write again.`
          : `No more offers leave to ${address}. News of their visits and their invoices still do.`,
      customerId,
      path: customer ? linkTo.thread(customer.id) : null,
      dedupeKey: `complaint:${address}:${shuts}`,
    })
    await publishChange(db, 'messages')
    await publishChange(db, 'customers', customerId ? [customerId] : [])
  })

/** A mail came back for now. On the third day within two weeks nothing more is sent to that address. */
export const noteTrouble = (businessId: BusinessId, messageId: string, reason: string): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const mail = await sentMail(db, messageId)
    if (!mail) return
    const { address } = mail
    await lockAddress(db, 'email', address)
    const today = dayOf(clock.now(), await timeZoneOf(db))
    const own = () => db.deleteFrom('mailTroubles').where('businessId', '=', businessId).where('address', '=', address)
    await own().where('day', '<=', addDays(today, -troubleWithinDays)).execute()
    await db
      .insertInto('mailTroubles')
      .values({ businessId, address, day: today, reason: reason.slice(0, 300) })
      .onConflict((c) => c.columns(['businessId', 'address', 'day']).doNothing())
      .execute()
    const { days } = await db
      .selectFrom('mailTroubles')
      .select((eb) => eb.fn.countAll<number>().as('days'))
      .where('businessId', '=', businessId)
      .where('address', '=', address)
      .executeTakeFirstOrThrow()
    if (Number(days) < troubleDays) return
    await suppress(db, 'email', address, 'all', boxReason)
    await own().execute()
  })

/** Boxes that have rested are tried again. */
export const openRestedBoxes = (businessId: BusinessId): Promise<void> =>
  withTenant({ businessId }, async (db) => {
    const before = new Date(clock.nowMs() - boxRestDays * 86_400_000).toISOString()
    await db
      .deleteFrom('suppressions')
      .where('businessId', '=', businessId)
      .where('channel', '=', 'email')
      .where('reason', '=', boxReason)
      .where('at', '<', before)
      .execute()
  })

/** Who writes from an address reads mail there: what came back for now is forgotten, and the address is open again. */
export const forgetTroublesTx = async (db: TenantDb, address: string): Promise<void> => {
  await db.deleteFrom('mailTroubles').where('businessId', '=', db.businessId).where('address', '=', address).execute()
  await db
    .deleteFrom('suppressions')
    .where('businessId', '=', db.businessId)
    .where('channel', '=', 'email')
    .where('address', '=', address)
    .where('reason', '=', boxReason)
    .execute()
}
