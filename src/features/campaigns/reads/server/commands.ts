import { sql } from 'kysely'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Reader, readReader } from '../../../../platform/links.ts'
import { burstOf, isMachine } from '../../../desk/rules.ts'
import { resultDays } from '../../rules.ts'
import { campaignSenderOf, countLinks, linkAt } from '../../server/letter.ts'
import { getCampaignRow } from '../../server/queries.ts'

export type Visitor = { method: string; userAgent: string }

/** A mail that thousands look at, or somebody who plays with its picture, does not fill the database. */
const mostEvents = 200

type Event = { kind: 'open' | 'click'; link: number | null }

const eventsOf = (db: TenantDb, { campaignId, customerId }: Reader) =>
  db
    .selectFrom('campaignEvents')
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', campaignId)
    .where('customerId', '=', customerId)

/** Counts again what a person did, from all that was noted (decision 022): a burst makes clicks a machine's that counted before. */
const recount = async (db: TenantDb, { campaignId, customerId }: Reader): Promise<void> => {
  await sql`
    update campaign_recipients r set opened_at = n.first_at, clicked_at = n.clicked_at
    from (select min(at) as first_at, min(at) filter (where kind = 'click') as clicked_at from campaign_events
      where business_id = ${db.businessId} and campaign_id = ${campaignId} and customer_id = ${customerId} and not is_machine) n
    where r.business_id = ${db.businessId} and r.campaign_id = ${campaignId} and r.customer_id = ${customerId}`.execute(
    db,
  )
  await publishChange(db, 'campaigns')
}

const note = async (
  db: TenantDb,
  reader: Reader,
  event: Event,
  { visitor, links }: { visitor: Visitor; links: number },
): Promise<void> => {
  const row = await db
    .selectFrom('campaignRecipients')
    .select(['messageId'])
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', reader.campaignId)
    .where('customerId', '=', reader.customerId)
    .forUpdate()
    .executeTakeFirst()
  if (!row?.messageId) return
  const before = await eventsOf(db, reader).select(['id', 'kind', 'link', 'at']).limit(mostEvents).execute()
  if (before.length >= mostEvents) return
  const message = await db
    .selectFrom('messages')
    .select('sentAt')
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.messageId)
    .executeTakeFirst()
  const secondsSinceSent = message?.sentAt ? (clock.nowMs() - Date.parse(message.sentAt)) / 1000 : null
  const made = { id: newId(), at: clock.iso(), ...event }
  await db
    .insertInto('campaignEvents')
    .values({
      businessId: db.businessId,
      campaignId: reader.campaignId,
      customerId: reader.customerId,
      ...made,
      isMachine: isMachine({ ...visitor, secondsSinceSent }),
    })
    .execute()
  const clicks = [...before, made].filter(({ kind }) => kind === 'click')
  const burst = burstOf(
    clicks.map(({ id, link, at }) => ({ id, linkId: String(link), atMs: Date.parse(at) })),
    links,
  )
  if (burst.length > 0)
    await db
      .updateTable('campaignEvents')
      .set({ isMachine: true })
      .where('businessId', '=', db.businessId)
      .where('id', 'in', burst)
      .execute()
  await recount(db, reader)
}

/** Notes that the picture of a mail was fetched; a way that nobody signed changes nothing. */
export const readOpen = async (business: string, token: string, visitor: Visitor): Promise<boolean> => {
  const reader = readReader('open', business, token)
  if (!reader) return false
  await withTenant(reader, (db) => note(db, reader, { kind: 'open', link: null }, { visitor, links: 0 }))
  return true
}

/** Notes a click and says where the link leads: an address of the campaign, or null for a way that nobody signed. */
export const readClick = async (business: string, token: string, visitor: Visitor): Promise<string | null> => {
  const reader = readReader('click', business, token)
  if (!reader) return null
  return withTenant(reader, async (db) => {
    const { content } = await getCampaignRow(db, reader.campaignId)
    const sender = await campaignSenderOf(db)
    const url = linkAt(content, sender, reader.at)
    if (url)
      await note(
        db,
        reader,
        { kind: 'click', link: reader.at },
        { visitor, links: countLinks(content, sender, reader.at) },
      )
    return url
  })
}

/** Offers to an address have ended: it is told of the campaign that reached it last, or of the one whose mail was called spam. */
export const noteEnded = async (
  db: TenantDb,
  {
    channel,
    address,
    why,
    messageId,
    at,
  }: {
    channel: 'email' | 'sms'
    address: string
    why: 'unsubscribed' | 'complained'
    messageId: string | null
    at: string
  },
): Promise<void> => {
  const since = new Date(Date.parse(at) - resultDays * 86_400_000).toISOString()
  const { rows } = await sql<{ campaignId: string; customerId: string }>`
    select r.campaign_id, r.customer_id from messages m
    join campaign_recipients r on r.business_id = m.business_id and r.message_id = m.id
    where m.business_id = ${db.businessId} and m.channel = ${channel} and m.entity_type = 'campaign'
      and ${messageId ? sql`m.id = ${messageId}` : sql`m.address = ${address} and m.sent_at between ${since}::timestamptz and ${at}::timestamptz`}
    order by m.sent_at desc, m.id desc limit 1`.execute(db)
  const [last] = rows
  if (!last) return
  await db
    .updateTable('campaignRecipients')
    .set(why === 'complained' ? { complainedAt: at } : { unsubscribedAt: at })
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', last.campaignId)
    .where('customerId', '=', last.customerId)
    .where(why === 'complained' ? 'complainedAt' : 'unsubscribedAt', 'is', null)
    .execute()
  await publishChange(db, 'campaigns')
}
