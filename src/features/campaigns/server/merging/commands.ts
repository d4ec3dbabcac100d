import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'

/**
 * Campaigns that these customers are in stand still until the transaction ends. Taken before their messages are touched, in the order in which a
 * campaign itself takes both.
 */
export const lockCampaignsOfTx = async (db: TenantDb, customerIds: readonly string[]): Promise<void> => {
  await sql`
    select c.id from campaigns c where c.business_id = ${db.businessId} and c.status in ('running', 'paused') and c.id in (
      select r.campaign_id from campaign_recipients r
      where r.business_id = ${db.businessId} and r.customer_id = any(${[...customerIds]}::uuid[]))
    order by c.id for update`.execute(db)
}

const samePerson = 'The same customer as another record'

type State = 'chosen' | 'waiting' | 'held_out' | 'queued' | 'left_out'
type Pair = { campaignId: string; gone: State; kept: State }

const isWaiting = (state: State): boolean => state === 'chosen' || state === 'waiting'

/** Which of a pair in one audience get nothing (any more), so that one person is written to once and never held out at the same time. */
const leftOutOf = ({ gone, kept }: Pair): ('gone' | 'kept')[] => {
  if (gone === 'held_out' && kept === 'held_out') return ['gone']
  if (gone === 'held_out') return isWaiting(kept) ? ['gone', 'kept'] : ['gone']
  if (kept === 'held_out') return isWaiting(gone) ? ['gone', 'kept'] : gone === 'queued' ? ['kept'] : []
  if (isWaiting(gone)) return ['gone']
  return gone === 'queued' && isWaiting(kept) ? ['kept'] : []
}

const leaveOut = async (db: TenantDb, campaignId: string, customerId: string, wasHeld: boolean): Promise<void> => {
  await sql`
    update campaign_recipients set state = 'left_out', reason = ${samePerson}, place = null
    where business_id = ${db.businessId} and campaign_id = ${campaignId} and customer_id = ${customerId}::uuid`.execute(
    db,
  )
  await sql`
    update campaigns set left_out = left_out + 1, held_out = held_out - ${wasHeld ? 1 : 0}
    where business_id = ${db.businessId} and id = ${campaignId}`.execute(db)
}

/**
 * In the audiences of campaigns a customer takes the place of another record of theirs. Where both are in one, who got it keeps it and the other
 * gets nothing; where one was held out, the other does not get it either, and they count in neither group.
 */
export const moveRecipientsTx = async (db: TenantDb, fromId: string, toId: string): Promise<void> => {
  await lockCampaignsOfTx(db, [fromId, toId])
  const { rows } = await sql<Pair>`
    select g.campaign_id, g.state as gone, k.state as kept from campaign_recipients g
    join campaign_recipients k on k.business_id = g.business_id and k.campaign_id = g.campaign_id and k.customer_id = ${toId}::uuid
    join campaigns c on c.business_id = g.business_id and c.id = g.campaign_id
    where g.business_id = ${db.businessId} and g.customer_id = ${fromId}::uuid and c.status in ('running', 'paused')
    for update of g, k`.execute(db)
  for (const pair of rows) {
    const ids = { gone: fromId, kept: toId }
    const out = leftOutOf(pair)
    for (const side of out) await leaveOut(db, pair.campaignId, ids[side], pair[side] === 'held_out')
    // who got it beside a record that was held out is in neither group
    if (pair.gone !== pair.kept && out.some((side) => pair[side] === 'held_out'))
      await sql`
        update campaign_recipients set place = null
        where business_id = ${db.businessId} and campaign_id = ${pair.campaignId}
          and customer_id in (${fromId}::uuid, ${toId}::uuid)`.execute(db)
  }
  await sql`
    update campaign_recipients r set customer_id = ${toId}::uuid
    where r.business_id = ${db.businessId} and r.customer_id = ${fromId}::uuid and not exists (
      select 1 from campaign_recipients o
      where o.business_id = r.business_id and o.campaign_id = r.campaign_id and o.customer_id = ${toId}::uuid)`.execute(
    db,
  )
}
