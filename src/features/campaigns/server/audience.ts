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

/** So many are frozen, looked at or put in order in one statement: each is over in a moment, however many customers a business has. */
const chunk = 1000
const freezeAtOnce = 5 * chunk
const beforeAll = '00000000-0000-0000-0000-000000000000'

/**
 * A row for the next of those who fit, and who were customers `before`. What a row's rank is comes from its ids alone, so it is the same whenever
 * it is asked.
 * @returns how many, and after whom it goes on; null when all are in
 */
const freezeChunkTx = async (
  db: TenantDb,
  { id, conditions }: Pick<CampaignRow, 'id' | 'conditions'>,
  { before, after }: { before: string | null; after: string },
): Promise<{ count: number; freezingAfter: string | null }> => {
  const { rows } = await sql<{ id: string }>`
    select c.id from customers c where ${await fitting(db, conditions)} and c.id > ${after}
      and (${before}::timestamptz is null or c.created_at <= ${before}::timestamptz)
    order by c.id limit ${freezeAtOnce}`.execute(db)
  const ids = rows.map((row) => row.id)
  await sql`
    insert into campaign_recipients (business_id, campaign_id, customer_id, rank)
    select ${db.businessId}, ${id}::uuid, n.id, ('x' || left(md5(${id}::text || n.id::text), 12))::bit(48)::bigint
    from unnest(${ids}::uuid[]) as n(id) on conflict do nothing`.execute(db)
  return { count: ids.length, freezingAfter: ids.length < freezeAtOnce ? null : (ids.at(-1) ?? null) }
}

/** How many are in the audience, or wait in it. */
export const countRows = async (db: TenantDb, campaignId: string, state?: 'waiting'): Promise<number> => {
  let query = db
    .selectFrom('campaignRecipients')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', campaignId)
  if (state) query = query.where('state', '=', state)
  return Number((await query.executeTakeFirstOrThrow()).count)
}

/** Freezes it: who fits at this moment is in it. Of a large audience the rest follows in the next steps, before anybody is looked at. */
export const beginTx = async (db: TenantDb, campaign: CampaignRow) => {
  const { count, freezingAfter } = await freezeChunkTx(db, campaign, { before: null, after: beforeAll })
  const all = async () =>
    (
      await sql<{ count: number }>`select count(*)::int as count from customers c
        where ${await fitting(db, campaign.conditions)}`.execute(db)
    ).rows[0]?.count ?? count
  return {
    status: 'running' as const,
    chosen: freezingAfter === null ? count : await all(),
    freezingAfter,
    startedAt: clock.iso(),
    startsAt: null,
    stepAt: null,
  }
}

/** Goes on freezing. @returns what it changes in the campaign; null when all are in */
export const freezeNextTx = async (
  db: TenantDb,
  campaign: CampaignRow,
): Promise<{ freezingAfter: string | null; chosen?: number; sortedAt?: null } | null> => {
  if (campaign.freezingAfter === null) return null
  const { freezingAfter } = await freezeChunkTx(db, campaign, {
    before: campaign.startedAt,
    after: campaign.freezingAfter,
  })
  return freezingAfter
    ? { freezingAfter }
    : // the last release sorts what it finds, which may have been before all were in
      { freezingAfter, chosen: await countRows(db, campaign.id), sortedAt: null }
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
  // any() bounds what is joined also while the database has not counted the rows yet and takes a hundred thousand for one
  await sql`
    update campaign_recipients r set state = case when n.reason is null then 'waiting' else 'left_out' end, reason = n.reason, address = n.address
    from jsonb_to_recordset(${JSON.stringify(sorted)}::jsonb) as n(id uuid, address text, reason text)
    where r.business_id = ${db.businessId} and r.campaign_id = ${campaign.id} and r.customer_id = any(${ids}::uuid[])
      and r.customer_id = n.id and r.state = 'chosen'`.execute(db)
  return sorted.filter((one) => 'reason' in one).length
}

const chunksOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / chunk) }, (_, at) => ids.slice(at * chunk, (at + 1) * chunk))

/** An address that two records have is written to once: the first of them by rank keeps it. @returns how many are left out */
const leaveOutTwiceTx = async (db: TenantDb, id: string): Promise<number> => {
  const { rows } = await sql<{ id: string }>`
    select customer_id as id from (
      select customer_id, row_number() over (partition by address order by rank, customer_id) as turn from campaign_recipients
      where business_id = ${db.businessId} and campaign_id = ${id} and state = 'waiting') n where turn > 1`.execute(db)
  for (const ids of chunksOf(rows.map((row) => row.id)))
    await db
      .updateTable('campaignRecipients')
      .set({ state: 'left_out', reason: 'Same address as another customer' })
      .where('businessId', '=', db.businessId)
      .where('campaignId', '=', id)
      .where('customerId', '=', sql<string>`any(${ids}::uuid[])`)
      .execute()
  return rows.length
}

type Parted = { toPlace: number; placed: number; heldOut: number; leftOut: number; tested: number; isOver: boolean }

/**
 * Parts those who can be reached: held out, tried out, the rest; and gives each a place in the order. The first call counts them, each gives the next
 * of them their places.
 */
export const partTx = async (
  db: TenantDb,
  { id, holdoutPercent, testPercent, toPlace: counted, placed }: CampaignRow,
): Promise<Parted> => {
  const leftOut = counted === null ? await leaveOutTwiceTx(db, id) : 0
  const toPlace = counted ?? (await countRows(db, id, 'waiting'))
  const { heldOut, a, b } = partsOf(toPlace, { holdoutPercent, testPercent })
  const next = await db
    .selectFrom('campaignRecipients')
    .select('customerId')
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', id)
    .where('state', '=', 'waiting')
    .where('place', 'is', null)
    .orderBy('rank')
    .orderBy('customerId')
    .limit(chunk)
    .execute()
  const ids = next.map(({ customerId }) => customerId)
  await sql`
    update campaign_recipients r set place = n.place,
      state = case when n.place <= ${heldOut} then 'held_out' else 'waiting' end,
      variant = case when n.place <= ${heldOut} then null when n.place <= ${heldOut + a} then 'a' when n.place <= ${heldOut + a + b} then 'b' end
    from (select o.id, ${placed}::int + o.at::int as place from unnest(${ids}::uuid[]) with ordinality as o(id, at)) n
    where r.business_id = ${db.businessId} and r.campaign_id = ${id} and r.customer_id = any(${ids}::uuid[]) and r.customer_id = n.id`.execute(
    db,
  )
  return { toPlace, placed: placed + ids.length, heldOut, leftOut, tested: a + b, isOver: ids.length < chunk }
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

/** Who waits for their turn gets nothing, a part of them at a time. @returns how many */
export const leaveOutWaitingTx = async (db: TenantDb, campaignId: string, reason: string): Promise<number> => {
  for (let all = 0; ; ) {
    const { rows } = await sql<{ id: string }>`
      select customer_id as id from campaign_recipients where business_id = ${db.businessId} and campaign_id = ${campaignId}
        and state in ('chosen', 'waiting') limit ${freezeAtOnce}`.execute(db)
    if (rows.length === 0) return all
    await sql`
      update campaign_recipients set state = 'left_out', reason = ${reason} where business_id = ${db.businessId} and campaign_id = ${campaignId}
        and customer_id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(db)
    all += rows.length
  }
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
