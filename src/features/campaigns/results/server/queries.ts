import { type SqlBool, sql } from 'kysely'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { keyset } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { addDays, dayOf, daysBetween } from '../../../../shared/dates.ts'
import { timeZoneOf, todayOf } from '../../../businesses/server/queries.ts'
import { sumBilledBetween } from '../../../invoices/brought/server/queries.ts'
import { maxTries } from '../../../messages/server/outbox/commands.ts'
import { type RecipientState, resultDays, type Variant } from '../../rules.ts'
import { namedReason } from '../../segments/rules.ts'
import { requireMoneyFor } from '../../segments/server/queries.ts'
import { type CampaignRow, getCampaignRow } from '../../server/queries.ts'
import type { CampaignBilled, CampaignPerson, CampaignResults } from '../contract.ts'

/** Somebody of the audience `r` with their message `m`: where they stand. */
const stateSql = sql<RecipientState>`case when r.state = 'held_out' then 'heldOut' when r.state = 'left_out' then 'notSent'
  when r.state in ('chosen', 'waiting') then 'waiting' when m.status in ('sent', 'delivered') then 'sent'
  when m.status = 'suppressed' then 'notSent' when m.status in ('failed', 'unknown') then 'failed' else 'waiting' end`

const isBack = sql`m.status = 'failed' and m.attempts < ${maxTries}`
/** Left this server, whatever became of it then: what came back is part of it, so that the figures add up. */
const isLeft = sql`(m.status in ('sent', 'delivered') or ${isBack})`

type Counts = Omit<CampaignResults, 'notSent' | 'test'>

const countsOf = async (db: TenantDb, id: string): Promise<Counts> => {
  const { rows } = await sql<Counts>`
    select count(*)::int as chosen, count(*) filter (where r.state in ('chosen', 'waiting'))::int as waiting,
      count(*) filter (where r.state = 'held_out')::int as held_out,
      count(*) filter (where ${isLeft})::int as sent,
      count(*) filter (where m.status = 'delivered' or m.status = 'sent' and r.opened_at is not null)::int as delivered,
      count(*) filter (where r.opened_at is not null)::int as opened,
      count(*) filter (where r.clicked_at is not null)::int as clicked,
      count(*) filter (where r.unsubscribed_at is not null)::int as unsubscribed,
      count(*) filter (where r.complained_at is not null)::int as complained,
      count(*) filter (where ${isBack})::int as bounced,
      count(*) filter (where m.status = 'unknown' or m.status = 'failed' and m.attempts >= ${maxTries})::int as failed,
      count(*) filter (where m.status in ('pending', 'held', 'sending'))::int as on_the_way
    from campaign_recipients r left join messages m on m.business_id = r.business_id and m.id = r.message_id
    where r.business_id = ${db.businessId} and r.campaign_id = ${id}`.execute(db)
  return rows[0] as Counts
}

const notSentOf = async (db: TenantDb, id: string) =>
  (
    await sql<{ reason: string; count: number }>`
      select regexp_replace(coalesce(case when r.state = 'left_out' then r.reason else m.reason end, 'Not sent'),
        ${namedReason}, '\\1 another customer') as reason, count(*)::int as count
      from campaign_recipients r left join messages m on m.business_id = r.business_id and m.id = r.message_id
      where r.business_id = ${db.businessId} and r.campaign_id = ${id} and (r.state = 'left_out' or m.status = 'suppressed')
      group by 1 order by 2 desc, 1 limit 20`.execute(db)
  ).rows

/**
 * What everybody to whom it was to be sent was billed since it left to them, and everybody held out, in the same days: whoever it did not reach stays
 * among the first, else those who have an address that works would be compared with all. For them and for who was held out it counts from the moment
 * at which half of the messages had left; who waits has nothing that counts.
 */
const billedOf = async (db: TenantDb, campaign: CampaignRow): Promise<NonNullable<CampaignBilled['billed']>> => {
  const halfLeft = sql`
    select percentile_disc(0.5) within group (order by n.sent_at) from campaign_recipients q
    join messages n on n.business_id = q.business_id and n.id = q.message_id
    where q.business_id = ${db.businessId} and q.campaign_id = ${campaign.id}`
  const people = sql`
    select r.customer_id, case when r.state = 'held_out' then 'held_out' else 'sent' end as in_group,
      case when r.state in ('chosen', 'waiting') or m.status in ('pending', 'held', 'sending') then null
        else coalesce(m.sent_at, (${halfLeft})) end as from_at
    from campaign_recipients r left join messages m on m.business_id = r.business_id and m.id = r.message_id
    where r.business_id = ${db.businessId} and r.campaign_id = ${campaign.id} and r.place is not null`
  const { rows } = await sql<{ inGroup: string; count: number }>`
    select p.in_group, count(*)::int as count from (${people}) p group by 1`.execute(db)
  const today = await todayOf(db)
  const fromOn = dayOf(campaign.startedAt ?? clock.iso(), await timeZoneOf(db))
  const untilOn = addDays(fromOn, resultDays - 1)
  const cents = await sumBilledBetween(db, people, { fromOn, untilOn })
  const groupOf = (inGroup: 'sent' | 'held_out') => {
    const customers = rows.find((row) => row.inGroup === inGroup)?.count ?? 0
    const totalCents = cents.get(inGroup) ?? 0
    return { customers, totalCents, perCustomerCents: customers === 0 ? 0 : Math.round(totalCents / customers) }
  }
  const [sent, heldOut] = [groupOf('sent'), groupOf('held_out')]
  const isOver = today > untilOn
  return {
    days: resultDays,
    daysSoFar: isOver ? resultDays : daysBetween(fromOn, today) + 1,
    untilOn,
    sent,
    heldOut,
    morePerCustomerCents:
      isOver && sent.customers > 0 && heldOut.customers > 0 ? sent.perCustomerCents - heldOut.perCustomerCents : null,
  }
}

/** Reads what the audience was billed in these days; what the business did before or since costs nothing. @throws not_found */
export const getBilled = async (db: TenantDb, actor: Actor, id: string): Promise<CampaignBilled> => {
  const campaign = await getCampaignRow(db, id)
  return { billed: hasPermission(actor, 'money') ? await billedOf(db, campaign) : null }
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

/** @throws not_found */
export const getResults = async (db: TenantDb, id: string): Promise<CampaignResults> => {
  const campaign = await getCampaignRow(db, id)
  return {
    ...(await countsOf(db, id)),
    notSent: await notSentOf(db, id),
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

/** The audience in the order in which its turn comes. @throws not_found, forbidden where it says who owes */
export const listCampaignPeople = async (
  db: TenantDb,
  actor: Actor,
  id: string,
  query: { show?: RecipientState | undefined; cursor?: string | undefined; limit: number },
): Promise<{ items: CampaignPerson[]; nextCursor: string | null }> => {
  requireMoneyFor(actor, (await getCampaignRow(db, id)).conditions)
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

/** All of the audience, for a file. @throws not_found, forbidden where it says who owes */
export const listAllPeople = async (
  db: TenantDb,
  actor: Actor,
  id: string,
  show: RecipientState | undefined,
): Promise<CampaignPerson[]> => {
  requireMoneyFor(actor, (await getCampaignRow(db, id)).conditions)
  const { rows } = await sql<CampaignPerson>`
    select p.* from (${peopleSql(db, id, show)}) p order by lower(p.name), p.id`.execute(db)
  return rows
}
