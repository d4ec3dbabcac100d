import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { canOf } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { smsSegments } from '../../messages/rules.ts'
import { type Content, contentProblems, picturesIn } from '../content/rules.ts'
import { type Campaign, type CampaignItem, type CampaignPreview, campaignsApi } from '../contract.ts'
import {
  type CampaignAction,
  type CampaignChannel,
  campaignActions,
  campaignRefusals,
  type TestMeasure,
  type Variant,
} from '../rules.ts'
import type { Condition } from '../segments/rules.ts'
import { campaignSenderOf, mailFor, surroundingsOf, textFor } from './letter.ts'

const rowsOf = (db: TenantDb) => db.selectFrom('campaigns').selectAll().where('businessId', '=', db.businessId)
type Stored = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>

export type CampaignRow = Omit<Stored, 'conditions' | 'content' | 'channel' | 'testBy' | 'winner'> & {
  conditions: Condition[]
  content: Content
  channel: CampaignChannel
  testBy: TestMeasure | null
  winner: Variant | null
}

const read = (row: Stored): CampaignRow => row as unknown as CampaignRow

/** @throws not_found */
export const getCampaignRow = async (
  db: TenantDb,
  id: string,
  options: { lock?: boolean } = {},
): Promise<CampaignRow> => {
  const query = rowsOf(db).where('id', '=', id)
  const row = await (options.lock ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw notFound('campaign')
  return read(row)
}

/** Locked until the transaction ends, or null where it is gone. */
export const lockCampaign = async (db: TenantDb, id: string): Promise<CampaignRow | null> => {
  const row = await rowsOf(db).where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? read(row) : null
}

const needs = Object.fromEntries(campaignActions.map((action) => [action, campaignsApi[action]])) as Record<
  CampaignAction,
  (typeof campaignsApi)[CampaignAction]
>

const itemOf = (actor: Actor, row: CampaignRow & { byName: string | null }): CampaignItem => ({
  id: row.id,
  name: row.name,
  channel: row.channel,
  status: row.status,
  startsAt: row.startsAt,
  startedAt: row.startedAt,
  endedAt: row.endedAt,
  pauseReason: row.pauseReason,
  chosen: row.chosen,
  isSorted: row.sortedAt !== null,
  heldOut: row.heldOut,
  leftOut: row.leftOut,
  queued: row.queued,
  byName: row.byName,
  createdAt: row.createdAt,
  version: row.version,
  can: canOf(actor, needs, campaignRefusals, row),
})

const byName = (of: string) =>
  sql<
    string | null
  >`(select u.name from users u where u.business_id = ${sql.ref(`${of}.businessId`)} and u.id = ${sql.ref(`${of}.byUserId`)})`

/** The newest first; ids are UUIDv7. */
export const listCampaigns = async (
  db: TenantDb,
  actor: Actor,
  query: { status?: CampaignRow['status'] | undefined; cursor?: string | undefined; limit: number },
): Promise<{ items: CampaignItem[]; nextCursor: string | null }> => {
  const { beyond, order, values, limit, page } = keyset([{ of: sql`campaigns.id`, type: 'uuid' }], {
    ...query,
    order: 'desc',
  })
  let found = rowsOf(db)
    .select([values.as('cursorKeys'), byName('campaigns').as('byName')])
    .where(beyond)
    .orderBy(order)
    .limit(limit)
  if (query.status) found = found.where('status', '=', query.status)
  const { items, nextCursor } = page(await found.execute())
  return {
    items: items.map((row) => itemOf(actor, { ...read(row as Stored), byName: row.byName })),
    nextCursor,
  }
}

/** @throws not_found */
export const getCampaign = async (db: TenantDb, actor: Actor, id: string): Promise<Campaign> => {
  const row = await rowsOf(db).select(byName('campaigns').as('byName')).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('campaign')
  const campaign = read(row)
  const { testPercent: percent, testHours: hours, testBy: by } = campaign
  const surroundings = surroundingsOf(await campaignSenderOf(db))
  return {
    ...itemOf(actor, { ...campaign, byName: row.byName }),
    conditions: campaign.conditions,
    content: campaign.content,
    test: percent !== null && hours !== null && by !== null ? { percent, hours, by } : null,
    holdoutPercent: campaign.holdoutPercent,
    perHour: campaign.perHour,
    leaveOutRecent: campaign.leaveOutRecent,
    nextAt: campaign.status === 'running' ? campaign.stepAt : null,
    decideAt: campaign.decideAt,
    decidedAt: campaign.decidedAt,
    winner: campaign.winner,
    pausedAt: campaign.pausedAt,
    pictures: Object.fromEntries(
      picturesIn(campaign.content).map((fileId) => [fileId, signedFilePath(db.businessId, fileId)]),
    ),
    surroundings,
    problems: campaign.startedAt
      ? []
      : contentProblems(campaign.channel, campaign.content, percent !== null, surroundings),
  }
}

/** Somebody to read a preview with. */
const sample = { en: 'Pat Moss', es: 'Rosa Díaz' } as const

/** How what is written comes out, for somebody who does not exist. */
export const previewCampaign = async (
  db: TenantDb,
  {
    channel,
    content,
    language,
    variant,
  }: { channel: CampaignChannel; content: Content; language: 'en' | 'es'; variant: Variant },
): Promise<CampaignPreview> => {
  const sender = await campaignSenderOf(db)
  const person = { name: sample[language], company: null, language }
  if (channel === 'sms') {
    const text = textFor(sender, content, person)
    return { html: '', darkHtml: '', text, subject: '', segments: smsSegments(text).segments }
  }
  const asRead = mailFor(sender, content, person, { variant, reading: null, preview: 'asRead' })
  const dark = mailFor(sender, content, person, { variant, reading: null, preview: 'dark' })
  return { html: asRead.html, darkHtml: dark.html, text: asRead.text, subject: asRead.subject, segments: 0 }
}

const overdueMs = 10 * 60_000

/** Campaigns that should have moved on some minutes ago and did not. */
export const listOverdue = async (db: TenantDb, nowMs: number): Promise<string[]> => {
  const before = new Date(nowMs - overdueMs).toISOString()
  const rows = await db
    .selectFrom('campaigns')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'scheduled'), eb('startsAt', '<', before)]),
        eb.and([
          eb('status', '=', 'running'),
          eb.or([eb('stepAt', '<', before), eb.and([eb('stepAt', 'is', null), eb('updatedAt', '<', before)])]),
        ]),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}
