import { sql } from 'kysely'
import { createSegment } from '../features/campaigns/segments/server/commands.ts'
import { createCampaign, scheduleCampaign, startCampaign } from '../features/campaigns/server/commands.ts'
import { campaignStepTx } from '../features/campaigns/server/sending.ts'
import { type Starter, starters } from '../features/campaigns/starters/rules.ts'
import { recordConsent } from '../features/messages/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { addDays, dayOf } from '../shared/dates.ts'

const ofKey = (key: string): Starter => {
  const found = starters.find((one) => one.key === key)
  if (!found) throw new Error(`There is no campaign to begin with that is called ${key}.`)
  return found
}

const pace = { test: null, holdoutPercent: 0, perHour: 300, leaveOutRecent: false }
const inputOf = ({ name, channel, conditions, content }: Starter) => ({ name, channel, conditions, content, ...pace })

/** Who agreed to offers by e-mail, on the paper that the office has. */
const agree = (owner: Actor): Promise<void> =>
  withTenant(owner, async (db) => {
    const people = await db
      .selectFrom('customers')
      .select('email')
      .where('businessId', '=', db.businessId)
      .where('archivedAt', 'is', null)
      .where('email', 'is not', null)
      .orderBy('id')
      .limit(60)
      .execute()
    for (const { email } of people)
      await recordConsent(db, {
        channel: 'email',
        address: (email ?? '').trim().toLowerCase(),
        purpose: 'marketing',
        action: 'grant',
        source: 'office',
        wording: 'Agreed to offers by e-mail when they signed up',
      })
  })

const daysAgo = 24

/** It went out weeks ago: most arrived, some were opened and followed, one came back and one wants no more. */
const letItBeOver = (owner: Actor, id: string): Promise<void> =>
  withTenant(owner, async (db) => {
    const at = new Date(clock.nowMs() - daysAgo * 86_400_000).toISOString()
    const run = async () => {
      while (await campaignStepTx(db, id));
    }
    await run()
    for (let turn = 0; turn < 5; turn++) {
      // its hours go by
      await sql`update campaigns set step_at = null, decide_at = case when decide_at is null then null else ${at}::timestamptz end
        where business_id = ${db.businessId} and id = ${id}`.execute(db)
      await sql`update messages set status = 'delivered', sent_at = ${at}, delivered_at = ${at}, created_at = ${at}
        where business_id = ${db.businessId} and entity_type = 'campaign' and entity_id = ${id} and status = 'pending'`.execute(
        db,
      )
      await sql`update campaign_recipients set opened_at = case when place % 5 in (1, 3) then ${at}::timestamptz + interval '5 hours' end,
          clicked_at = case when place % 5 = 1 then ${at}::timestamptz + interval '5 hours' end, queued_at = ${at}
        where business_id = ${db.businessId} and campaign_id = ${id} and state = 'queued'`.execute(db)
      await run()
    }
    await sql`update messages m set status = 'failed', delivered_at = null, attempts = 1, reason = '550 5.1.1 no such user'
      from campaign_recipients r where r.business_id = m.business_id and r.message_id = m.id and m.business_id = ${db.businessId}
        and r.campaign_id = ${id} and r.place = (select max(place) from campaign_recipients where business_id = ${db.businessId} and campaign_id = ${id})`.execute(
      db,
    )
    await sql`update campaign_recipients set opened_at = null, clicked_at = null
      where business_id = ${db.businessId} and campaign_id = ${id}
        and place = (select max(place) from campaign_recipients where business_id = ${db.businessId} and campaign_id = ${id})`.execute(
      db,
    )
    await sql`update campaign_recipients set unsubscribed_at = ${at}::timestamptz + interval '1 day'
      where business_id = ${db.businessId} and campaign_id = ${id} and state = 'queued'
        and place = (select min(place) from campaign_recipients where business_id = ${db.businessId} and campaign_id = ${id} and state = 'queued')`.execute(
      db,
    )
    await sql`update campaigns set created_at = ${at}, started_at = ${at}, sorted_at = ${at}, decided_at = ${at}::timestamptz + interval '4 hours',
        ended_at = ${at}::timestamptz + interval '5 hours' where business_id = ${db.businessId} and id = ${id}`.execute(
      db,
    )
    // threads and the inbox go by ids, which begin with their time: as of weeks ago nothing of it is anybody's newest word
    const hex = Date.parse(at).toString(16).padStart(12, '0')
    const aged = (column: string) =>
      sql`overlay(${sql.ref(column)}::text placing ${`${hex.slice(0, 8)}-${hex.slice(8)}`} from 1 for 13)::uuid`
    await sql`update messages set id = ${aged('id')}
      where business_id = ${db.businessId} and entity_type = 'campaign' and entity_id = ${id}`.execute(db)
    await sql`update campaign_recipients set message_id = ${aged('message_id')}
      where business_id = ${db.businessId} and campaign_id = ${id} and message_id is not null`.execute(db)
  })

/** Campaigns of the office: one that was sent with what it brought, one that waits for its day, and one that is being written. */
export const runCampaigns = async (owner: Actor): Promise<void> => {
  await agree(owner)
  await createSegment(owner, {
    name: 'Regular customers',
    conditions: [
      { kind: 'stage', stages: ['active'] },
      { kind: 'job', has: true },
    ],
  })
  const sent = await createCampaign(owner, {
    ...inputOf(ofKey('aeration')),
    test: { percent: 50, hours: 4, by: 'clicks' },
    holdoutPercent: 10,
    perHour: 5000,
  })
  await startCampaign(owner, sent.id, sent.version).catch((error: unknown) => {
    // a business with hardly anybody in its list has nobody to write to
    if (!(error instanceof Error && error.message.startsWith('Nobody is in'))) throw error
  })
  await letItBeOver(owner, sent.id)
  const next = await createCampaign(owner, inputOf(ofKey('refer')))
  await scheduleCampaign(owner, next.id, {
    version: next.version,
    day: addDays(dayOf(clock.now(), owner.timeZone), 6),
    minute: 9 * 60 + 30,
  })
  await createCampaign(owner, inputOf(ofKey('leaves')))
}
