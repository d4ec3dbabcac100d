import { type SqlBool, sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { keyset } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, dayOf } from '../../../../shared/dates.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { sumBilledWithin } from '../../../invoices/brought/server/queries.ts'
import { maxTries } from '../../../messages/server/outbox/commands.ts'
import { type RecipientState, resultDays, type Variant } from '../../rules.ts'
import { type CampaignRow, getCampaignRow } from '../../server/queries.ts'
import type { CampaignPerson, CampaignResults } from '../contract.ts'

/** Somebody of the audience `r` with their message `m`: where they stand. */
const stateSql = sql<RecipientState>`case when r.state = 'held_out' then 'heldOut' when r.state = 'left_out' then 'notSent'
  when r.state in ('chosen', 'waiting') then 'waiting' when m.status in ('sent', 'delivered') then 'sent'
  when m.status = 'suppressed' then 'notSent' when m.status in ('failed', 'unknown') then 'failed' else 'waiting' end`

const isLeft = sql`m.status in ('sent', 'delivered')`

type Counts = Omit<CampaignResults, 'notSent' | 'billed' | 'test'>

const countsOf = async (db: TenantDb, id: string): Promise<Counts> => {
  const { rows } = await sql<Counts>`
    select count(*)::int as chosen, count(*) filter (where r.state in ('chosen', 'waiting'))::int as waiting,
      count(*) filter (where r.state = 'held_out')::int as held_out,
      count(*) filter (where ${isLeft})::int as sent,
      count(*) filter (where m.status = 'delivered' or ${isLeft} and r.opened_at is not null)::int as delivered,
      count(*) filter (where r.opened_at is not null)::int as opened,
      count(*) filter (where r.clicked_at is not null)::int as clicked,
      count(*) filter (where r.unsubscribed_at is not null)::int as unsubscribed,
      count(*) filter (where r.complained_at is not null)::int as complained,
      count(*) filter (where m.status = 'failed' and m.attempts < ${maxTries})::int as bounced,
      count(*) filter (where m.status = 'unknown' or m.status = 'failed' and m.attempts >= ${maxTries})::int as failed,
      count(*) filter (where m.status in ('pending', 'held', 'sending'))::int as on_the_way
    from campaign_recipients r left join messages m on m.business_id = r.business_id and m.id = r.message_id
    where r.business_id = ${db.businessId} and r.campaign_id = ${id}`.execute(db)
  return rows[0] as Counts
}

const notSentOf = async (db: TenantDb, id: string) =>
  (
    await sql<{ reason: string; count: number }>`
      select coalesce(case when r.state = 'left_out' then r.reason else m.reason end, 'Not sent') as reason, count(*)::int as count
      from campaign_recipients r left join messages m on m.business_id = r.business_id and m.id = r.message_id
      where r.business_id = ${db.businessId} and r.campaign_id = ${id} and (r.state = 'left_out' or m.status = 'suppressed')
      group by 1 order by 2 desc, 1 limit 20`.execute(db)
  ).rows

/** What those who got it, and those who were held out, were billed: from the day on which each got it, the others from the day on which it began. */
const billedOf = async (db: TenantDb, campaign: CampaignRow): Promise<CampaignResults['billed']> => {
  const { rows } = await sql<{ customerId: string; isHeld: boolean; at: string | null }>`
    select r.customer_id, r.state = 'held_out' as is_held, m.sent_at as at
    from campaign_recipients r left join messages m on m.business_id = r.business_id and m.id = r.message_id
    where r.business_id = ${db.businessId} and r.campaign_id = ${campaign.id} and (r.state = 'held_out' or ${isLeft})`.execute(
    db,
  )
  const timeZone = await timeZoneOf(db)
  const begunAt = campaign.startedAt ?? clock.iso()
  const windows = rows.map(({ customerId, isHeld, at }) => ({
    customerId,
    isHeld,
    fromOn: dayOf(isHeld ? begunAt : (at ?? begunAt), timeZone),
  }))
  const cents = await sumBilledWithin(db, windows, resultDays)
  const groupOf = (held: boolean) => {
    const group = windows.filter(({ isHeld }) => isHeld === held)
    const totalCents = group.reduce((sum, { customerId }) => sum + (cents.get(customerId) ?? 0), 0)
    return {
      customers: group.length,
      totalCents,
      perCustomerCents: group.length === 0 ? 0 : Math.round(totalCents / group.length),
    }
  }
  const [sent, heldOut] = [groupOf(false), groupOf(true)]
  const last = windows
    .map(({ fromOn }) => fromOn)
    .sort()
    .at(-1)
  return {
    days: resultDays,
    untilOn: last ? addDays(last, resultDays) : null,
    sent,
    heldOut,
    morePerCustomerCents:
      sent.customers > 0 && heldOut.customers > 0 ? sent.perCustomerCents - heldOut.perCustomerCents : null,
  }
}

const testOf = async (db: TenantDb, campaign: CampaignRow): Promise<CampaignResults['test']> => {
  if (campaign.testBy === null) return null
  type Row = { variant: Variant; sent: number; opened: number; clicked: number; unsubscribed: number }
  const { rows } = await sql<Row>`
    select r.variant, count(*) filter (where ${isLeft})::int as sent, count(*) filter (where r.opened_at is not null)::int as opened,
      count(*) filter (where r.clicked_at is not null)::int as clicked, count(*) filter (where r.unsubscribed_at is not null)::int as unsubscribed
    from campaign_recipients r left join messages m on m.business_id = r.business_id and m.id = r.message_id
    where r.business_id = ${db.businessId} and r.campaign_id = ${campaign.id} and r.variant is not null group by 1`.execute(
    db,
  )
  const of = (variant: Variant, subject: string) => {
    const { sent = 0, opened = 0, clicked = 0, unsubscribed = 0 } = rows.find((row) => row.variant === variant) ?? {}
    return { subject, sent, opened, clicked, unsubscribed }
  }
  const { subject, subjectB } = campaign.content.en
  return {
    by: campaign.testBy,
    decidedAt: campaign.decidedAt,
    winner: campaign.winner,
    a: of('a', subject),
    b: of('b', subjectB),
  }
}

/** Reads the audience and what it was billed in these days; what the business did before or since costs nothing. @throws not_found */
export const getResults = async (db: TenantDb, actor: Actor, id: string): Promise<CampaignResults> => {
  const campaign = await getCampaignRow(db, id)
  return {
    ...(await countsOf(db, id)),
    notSent: await notSentOf(db, id),
    billed: hasPermission(actor, 'money') ? await billedOf(db, campaign) : null,
    test: await testOf(db, campaign),
  }
}

const peopleSql = (db: TenantDb, id: string, show: RecipientState | undefined) => sql`
  select r.customer_id as id, c.name, coalesce(m.address, r.address) as address, ${stateSql} as state,
    case when r.state = 'left_out' then r.reason else coalesce(m.reason, r.reason) end as reason,
    r.variant, m.sent_at, r.opened_at, r.clicked_at, r.unsubscribed_at, r.rank
  from campaign_recipients r
  join customers c on c.business_id = r.business_id and c.id = r.customer_id
  left join messages m on m.business_id = r.business_id and m.id = r.message_id
  where r.business_id = ${db.businessId} and r.campaign_id = ${id} and ${show ? sql<SqlBool>`${stateSql} = ${show}` : sql<SqlBool>`true`}`

/** The audience in the order in which its turn comes. @throws not_found */
export const listCampaignPeople = async (
  db: TenantDb,
  id: string,
  query: { show?: RecipientState | undefined; cursor?: string | undefined; limit: number },
): Promise<{ items: CampaignPerson[]; nextCursor: string | null }> => {
  await getCampaignRow(db, id)
  const { beyond, order, values, limit, page } = keyset(
    [
      { of: sql`p.rank`, type: 'int' },
      { of: sql`p.id`, type: 'uuid' },
    ],
    { ...query, order: 'asc' },
  )
  const { rows } = await sql<CampaignPerson & { cursorKeys: string[] }>`
    select p.*, ${values} as cursor_keys from (${peopleSql(db, id, query.show)}) p
    where ${beyond} order by ${order} limit ${limit}`.execute(db)
  return page(rows)
}

/** All of the audience, for a file. @throws not_found */
export const listAllPeople = async (
  db: TenantDb,
  id: string,
  show: RecipientState | undefined,
): Promise<{ name: string; people: CampaignPerson[] }> => {
  const { name } = await getCampaignRow(db, id)
  const { rows } = await sql<CampaignPerson>`
    select p.* from (${peopleSql(db, id, show)}) p order by lower(p.name), p.id`.execute(db)
  return { name, people: rows }
}
