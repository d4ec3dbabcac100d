import { sql } from 'kysely'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Reached } from '../../mailings/rules.ts'
import { type Addressee, listAddressees, listReached } from '../../mailings/server/queries.ts'
import { neverResendTx, takeBackWaitingTx } from '../../messages/pauses/server/commands.ts'
import { limitReason } from '../../messages/rules.ts'
import { partsOf } from '../rules.ts'
import { fitting, listRecent, recentDays } from '../segments/server/queries.ts'
import type { CampaignRow } from './queries.ts'

/** The audience of a campaign: frozen as it begins, sorted once, then only worked off. */

/** Freezes it: a row for everybody who fits at this moment. What a row's rank is comes from its ids alone, so it is the same whenever it is asked. */
export const beginTx = async (db: TenantDb, { id, conditions }: CampaignRow) => {
  const made = await sql`
    insert into campaign_recipients (business_id, campaign_id, customer_id, rank)
    select c.business_id, ${id}::uuid, c.id, ('x' || left(md5(${id}::text || c.id::text), 12))::bit(48)::bigint
    from customers c where ${await fitting(db, conditions)}
    on conflict do nothing`.execute(db)
  return {
    status: 'running' as const,
    chosen: Number(made.numAffectedRows ?? 0),
    startedAt: clock.iso(),
    startsAt: null,
    stepAt: null,
  }
}

const recentReason = `Had a campaign in the last ${recentDays} days`

/** Of some of the audience: who is reached where now, and who is not and why. */
export const sortOut = async (
  db: TenantDb,
  { channel, leaveOutRecent }: Pick<CampaignRow, 'channel' | 'leaveOutRecent'>,
  ids: readonly string[],
): Promise<{ people: Map<string, Addressee>; reached: Map<string, Reached> }> => {
  const people = new Map((await listAddressees(db, ids)).map((person) => [person.id, person]))
  const found = await listReached(db, [...people.values()], { way: channel, about: 'offer' })
  const recent = leaveOutRecent ? await listRecent(db, ids) : new Set<string>()
  return {
    people,
    reached: new Map(
      ids.map((id) => [
        id,
        recent.has(id)
          ? { channel: null, reason: recentReason }
          : (found.get(id) ?? { channel: null, reason: 'Archived' }),
      ]),
    ),
  }
}

const chunk = 1000

/** Looks at the next of the audience. @returns how many are left out; null when all were looked at */
export const sortChunkTx = async (db: TenantDb, campaign: CampaignRow): Promise<number | null> => {
  const rows = await db
    .selectFrom('campaignRecipients')
    .select('customerId')
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', campaign.id)
    .where('state', '=', 'chosen')
    .orderBy('customerId')
    .limit(chunk)
    .execute()
  if (rows.length === 0) return null
  const ids = rows.map(({ customerId }) => customerId)
  const { reached } = await sortOut(db, campaign, ids)
  const sorted = ids.map((id) => {
    const to = reached.get(id)
    return to?.channel ? { id, address: to.address } : { id, reason: to?.channel === null ? to.reason : 'Not reached' }
  })
  await sql`
    update campaign_recipients r set state = case when n.reason is null then 'waiting' else 'left_out' end, reason = n.reason, address = n.address
    from jsonb_to_recordset(${JSON.stringify(sorted)}::jsonb) as n(id uuid, address text, reason text)
    where r.business_id = ${db.businessId} and r.campaign_id = ${campaign.id} and r.customer_id = n.id and r.state = 'chosen'`.execute(
    db,
  )
  return sorted.filter((one) => 'reason' in one).length
}

/** Parts those who can be reached: held out, tried out, the rest; and gives each a place in the order. */
export const partTx = async (
  db: TenantDb,
  { id, holdoutPercent, testPercent }: CampaignRow,
): Promise<{ heldOut: number; leftOut: number; tested: number }> => {
  // an address that two records have is written to once: the first of them by rank keeps it
  const twice = await sql`
    update campaign_recipients r set state = 'left_out', reason = 'Same address as another customer'
    from (select customer_id, row_number() over (partition by address order by rank, customer_id) as turn from campaign_recipients
      where business_id = ${db.businessId} and campaign_id = ${id} and state = 'waiting') n
    where r.business_id = ${db.businessId} and r.campaign_id = ${id} and r.customer_id = n.customer_id and n.turn > 1`.execute(
    db,
  )
  const { count } = await db
    .selectFrom('campaignRecipients')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  const { heldOut, a, b } = partsOf(Number(count), { holdoutPercent, testPercent })
  await sql`
    update campaign_recipients r set place = n.place,
      state = case when n.place <= ${heldOut} then 'held_out' else 'waiting' end,
      variant = case when n.place <= ${heldOut} then null when n.place <= ${heldOut + a} then 'a' when n.place <= ${heldOut + a + b} then 'b' end
    from (select customer_id, row_number() over (order by rank, customer_id)::int as place from campaign_recipients
      where business_id = ${db.businessId} and campaign_id = ${id} and state = 'waiting') n
    where r.business_id = ${db.businessId} and r.campaign_id = ${id} and r.customer_id = n.customer_id`.execute(db)
  return { heldOut, leftOut: Number(twice.numAffectedRows ?? 0), tested: a + b }
}

const pausedReason = 'The campaign was paused before it left'

const waitAgain = async (db: TenantDb, campaignId: string, messageIds: readonly string[]): Promise<number> => {
  if (messageIds.length === 0) return 0
  const { rows } = await sql<{ id: string }>`
    update campaign_recipients set state = 'waiting', message_id = null, queued_at = null
    where business_id = ${db.businessId} and campaign_id = ${campaignId} and state = 'queued' and message_id = any(${[...messageIds]}::uuid[])
    returning customer_id as id`.execute(db)
  return rows.length
}

/** What stands in the outbox and has not left is taken back; whom it was for waits again. @returns how many */
export const takeBackTx = async (db: TenantDb, campaignId: string): Promise<number> =>
  waitAgain(db, campaignId, await takeBackWaitingTx(db, { type: 'campaign', id: campaignId }, pausedReason))

/**
 * Whom a message was for that the outbox let not leave for a reason that passes waits again: the provider asked for another try during a pause, or
 * the texts of the plan were used up before its turn. What somebody sent again by hand is none of them.
 * @returns how many
 */
export const takeUpTx = async (db: TenantDb, campaignId: string): Promise<number> => {
  const { rows } = await sql<{ id: string }>`
    select m.id from campaign_recipients r join messages m on m.business_id = r.business_id and m.id = r.message_id
    where r.business_id = ${db.businessId} and r.campaign_id = ${campaignId} and r.state = 'queued' and m.status = 'suppressed'
      and m.reason in (${pausedReason}, ${limitReason})
      and not exists (select 1 from messages n where n.business_id = m.business_id and n.dedupe_key = 'resend:' || m.id::text)
    for update of r, m`.execute(db)
  const ids = rows.map(({ id }) => id)
  await neverResendTx(db, ids)
  return waitAgain(db, campaignId, ids)
}

/** Whom these messages were for gets nothing. @returns how many */
export const leaveOutTx = async (
  db: TenantDb,
  campaignId: string,
  messageIds: readonly string[],
  reason: string,
): Promise<number> => {
  if (messageIds.length === 0) return 0
  const left = await db
    .updateTable('campaignRecipients')
    .set({ state: 'left_out', reason })
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'queued')
    .where('messageId', 'in', [...messageIds])
    .executeTakeFirst()
  return Number(left.numUpdatedRows)
}
