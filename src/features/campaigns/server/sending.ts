import { sql } from 'kysely'
import { systemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { absoluteUrl, linkToken } from '../../../platform/links.ts'
import { linkTo } from '../../../shared/links.ts'
import { paths } from '../../../shared/paths.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { maxTries } from '../../messages/server/outbox/commands.ts'
import { quietAtHome } from '../../messages/zones/rules.ts'
import { homesOf } from '../../messages/zones/server/queries.ts'
import { notifyOffice, notifyUsers } from '../../notifications/server/commands.ts'
import { contentProblems } from '../content/rules.ts'
import { type Health, paceOf, stopReason, type Variant, type VariantCounts, winnerOf } from '../rules.ts'
import { beginTx, partTx, sortChunkTx, sortOut } from './audience.ts'
import { askForStep, pauseTx, setCampaignTx } from './commands.ts'
import { type CampaignSender, campaignSenderOf, mailFor, surroundingsOf, textFor } from './letter.ts'
import { type CampaignRow, lockCampaign } from './queries.ts'

const system = (db: TenantDb) => systemActor(db.businessId)

const set = (db: TenantDb, id: string, change: Record<string, unknown>) =>
  db
    .updateTable('campaigns')
    .set({ ...change, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()

/** Who made it hears of it, or the office where they are gone; each thing once. */
const tell = async (
  db: TenantDb,
  campaign: CampaignRow,
  { title, content, key }: { title: string; content: string; key: string },
): Promise<void> => {
  const notice = {
    type: campaign.channel === 'sms' ? ('sms' as const) : ('email' as const),
    topic: 'needsYou' as const,
    title,
    content,
    path: linkTo.campaign(campaign.id),
    dedupeKey: `campaign:${campaign.id}:${key}`,
  }
  const maker = campaign.byUserId
    ? await db
        .selectFrom('users')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('id', '=', campaign.byUserId)
        .where('status', '!=', 'disabled')
        .where('archivedAt', 'is', null)
        .executeTakeFirst()
    : undefined
  if (maker) await notifyUsers(db, [maker.id], notice)
  else await notifyOffice(db, notice)
}

/** Its day has come. What keeps it from leaving makes it a draft again, and who made it hears why. */
const beginScheduledTx = async (db: TenantDb, campaign: CampaignRow): Promise<boolean> => {
  const around = surroundingsOf(await campaignSenderOf(db))
  const [problem] = contentProblems(campaign.channel, campaign.content, campaign.testPercent !== null, around)
  const begun = problem ? null : await beginTx(db, campaign)
  if (begun && begun.chosen > 0) {
    await setCampaignTx(db, system(db), campaign, 'start', begun)
    return true
  }
  await setCampaignTx(db, system(db), campaign, 'unschedule', { status: 'draft', startsAt: null })
  await tell(db, campaign, {
    title: `${campaign.name} did not begin`,
    content: problem ? problem.message : 'Nobody fits its segment any more. Choose another one.',
    key: `unready:${campaign.version}`,
  })
  return false
}

/** What became of what left since somebody last looked. */
const healthOf = async (db: TenantDb, { id, countedFrom }: CampaignRow): Promise<Health> => {
  const { rows } = await sql<Health>`
    select count(*) filter (where m.status in ('sent', 'delivered', 'failed', 'unknown'))::int as sent,
      count(*) filter (where m.status = 'failed' and m.attempts < ${maxTries})::int as bounced,
      count(*) filter (where r.complained_at is not null)::int as complained
    from campaign_recipients r join messages m on m.business_id = r.business_id and m.id = r.message_id
    where r.business_id = ${db.businessId} and r.campaign_id = ${id} and r.state = 'queued' and r.place > ${countedFrom}`.execute(
    db,
  )
  return rows[0] ?? { sent: 0, bounced: 0, complained: 0 }
}

const lookEveryMs = 60_000

/** Stops it by itself where too much comes back or is called spam. @returns whether it was stopped */
const stopIfIllTx = async (db: TenantDb, campaign: CampaignRow): Promise<boolean> => {
  if (campaign.lookedAt && clock.nowMs() - Date.parse(campaign.lookedAt) < lookEveryMs) return false
  const reason = stopReason(await healthOf(db, campaign))
  if (!reason) {
    await set(db, campaign.id, { lookedAt: clock.iso() })
    return false
  }
  await pauseTx(db, system(db), campaign, reason)
  await tell(db, campaign, {
    title: `${campaign.name} was paused`,
    content: `${reason} Look at who it went to before you let it go on.`,
    key: `stopped:${campaign.version}`,
  })
  return true
}

/** What each subject brought of those whom it was tried out on. */
export const testedCounts = async (db: TenantDb, campaignId: string): Promise<Record<Variant, VariantCounts>> => {
  const { rows } = await sql<VariantCounts & { variant: Variant }>`
    select r.variant, count(*) filter (where m.status in ('sent', 'delivered'))::int as sent,
      count(*) filter (where r.opened_at is not null)::int as opened, count(*) filter (where r.clicked_at is not null)::int as clicked
    from campaign_recipients r join messages m on m.business_id = r.business_id and m.id = r.message_id
    where r.business_id = ${db.businessId} and r.campaign_id = ${campaignId} and r.state = 'queued' and r.variant is not null
    group by 1`.execute(db)
  const of = (variant: Variant): VariantCounts => {
    const { sent = 0, opened = 0, clicked = 0 } = rows.find((row) => row.variant === variant) ?? {}
    return { sent, opened, clicked }
  }
  return { a: of('a'), b: of('b') }
}

const waitingOf = (db: TenantDb, campaignId: string) =>
  db
    .selectFrom('campaignRecipients')
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'waiting')

const finishTx = async (db: TenantDb, campaign: CampaignRow): Promise<void> => {
  await setCampaignTx(db, system(db), campaign, 'finish', { status: 'finished', endedAt: clock.iso(), stepAt: null })
}

/**
 * While two subjects are tried out only those go on whom they are tried out on; then it waits, and the better one goes to the rest.
 * @returns `tested`: only they may leave now; `wait`: nobody; `all`: everybody
 */
const testStageTx = async (db: TenantDb, campaign: CampaignRow): Promise<'tested' | 'wait' | 'all'> => {
  if (campaign.testPercent === null || campaign.decidedAt) return 'all'
  const tested = await waitingOf(db, campaign.id)
    .where('variant', 'is not', null)
    .select('customerId')
    .limit(1)
    .execute()
  if (tested.length > 0) return 'tested'
  const rest = await waitingOf(db, campaign.id).select('customerId').limit(1).execute()
  if (rest.length === 0) return 'all'
  if (!campaign.decideAt) {
    const decideAt = new Date(clock.nowMs() + (campaign.testHours ?? 1) * 3_600_000).toISOString()
    await set(db, campaign.id, { decideAt, stepAt: decideAt })
    await askForStep(db, campaign.id, decideAt)
    return 'wait'
  }
  if (Date.parse(campaign.decideAt) > clock.nowMs()) {
    await askForStep(db, campaign.id, campaign.decideAt)
    return 'wait'
  }
  const winner = winnerOf(await testedCounts(db, campaign.id), campaign.testBy ?? 'opens')
  await set(db, campaign.id, { winner, decidedAt: clock.iso() })
  campaign.winner = winner
  return 'all'
}

type Next = { customerId: string; variant: Variant | null; tries: number }

const listNext = async (
  db: TenantDb,
  campaignId: string,
  { onlyTested, limit }: { onlyTested: boolean; limit: number },
): Promise<Next[]> => {
  let query = waitingOf(db, campaignId)
    .select(['customerId', 'variant', 'tries'])
    .where((eb) => eb.or([eb('notBefore', 'is', null), eb('notBefore', '<=', clock.iso())]))
    .orderBy('place')
    .limit(limit)
  if (onlyTested) query = query.where('variant', 'is not', null)
  return (await query.execute()) as Next[]
}

/** Until when it is quiet where each of these lives; who is not in it can be texted now. */
const quietFor = async (
  db: TenantDb,
  { channel }: CampaignRow,
  sender: CampaignSender,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  if (channel !== 'sms') return new Map()
  const homes = await homesOf(db, ids)
  const quiet = { startMinute: sender.quietStartMinute, endMinute: sender.quietEndMinute }
  return new Map(
    ids.flatMap((id): [string, string][] => {
      const until = quietAtHome('marketing', clock.now(), homes.get(id) ?? [], sender.timeZone, quiet)
      return until ? [[id, until]] : []
    }),
  )
}

const recipient = (db: TenantDb, campaignId: string, customerId: string, change: Record<string, unknown>) =>
  db
    .updateTable('campaignRecipients')
    .set(change)
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', campaignId)
    .where('customerId', '=', customerId)
    .where('state', '=', 'waiting')
    .execute()

/** Addresses that this campaign has written to. */
const writtenTo = async (db: TenantDb, campaignId: string, addresses: readonly string[]): Promise<Set<string>> => {
  if (addresses.length === 0) return new Set()
  const rows = await db
    .selectFrom('campaignRecipients')
    .select('address')
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'queued')
    .where('address', 'in', [...addresses])
    .execute()
  return new Set(rows.flatMap(({ address }) => address ?? []))
}

const queueOne = async (
  db: TenantDb,
  campaign: CampaignRow,
  sender: CampaignSender,
  next: Next,
  person: { id: string; name: string; company: string | null; language: 'en' | 'es' },
  address: string,
): Promise<string> => {
  const { id, channel, content } = campaign
  const mail =
    channel === 'email'
      ? mailFor(sender, content, person, {
          variant: next.variant ?? campaign.winner,
          reading: {
            stopUrl: absoluteUrl(paths.unsubscribe(await linkToken(db, 'unsubscribe', person.id))),
            reader: { businessId: db.businessId, campaignId: id, customerId: person.id },
          },
        })
      : null
  return queueMessage(db, {
    channel,
    purpose: 'marketing',
    address,
    // a try is only another one where the message before was taken back before it left
    dedupeKey: `campaign:${id}:${person.id}:${next.tries}`,
    customerId: person.id,
    entity: { type: 'campaign', id },
    ...(mail
      ? { subject: mail.subject, text: mail.text, html: mail.html }
      : { text: textFor(sender, content, person) }),
  })
}

/** Puts the next messages into the outbox. Who may not be written to now is left out; for whom it is night waits. @returns how many were queued, and left out */
const sendBatchTx = async (
  db: TenantDb,
  campaign: CampaignRow,
  batch: readonly Next[],
): Promise<{ queued: number; leftOut: number }> => {
  const ids = batch.map(({ customerId }) => customerId)
  const sender = await campaignSenderOf(db)
  const { people, reached } = await sortOut(db, campaign, ids)
  const quiet = await quietFor(db, campaign, sender, ids)
  const before = await writtenTo(
    db,
    campaign.id,
    [...reached.values()].flatMap((to) => (to.channel ? [to.address] : [])),
  )
  const counts = { queued: 0, leftOut: 0 }
  for (const next of batch) {
    const [to, person, until] = [reached.get(next.customerId), people.get(next.customerId), quiet.get(next.customerId)]
    if (!person || !to?.channel || before.has(to.address)) {
      const reason = to?.channel === null ? to.reason : person ? 'Same address as another customer' : 'Archived'
      await recipient(db, campaign.id, next.customerId, { state: 'left_out', reason })
      counts.leftOut++
    } else if (until) {
      await recipient(db, campaign.id, next.customerId, { notBefore: until })
    } else {
      const messageId = await queueOne(db, campaign, sender, next, person, to.address)
      before.add(to.address)
      await recipient(db, campaign.id, next.customerId, {
        state: 'queued',
        address: to.address,
        messageId,
        queuedAt: clock.iso(),
        notBefore: null,
        tries: next.tries + 1,
      })
      counts.queued++
    }
  }
  return counts
}

/** Nobody can leave now: it is over, or waits until it is morning at the next of them. */
const restTx = async (db: TenantDb, campaign: CampaignRow): Promise<void> => {
  const { at } = await waitingOf(db, campaign.id)
    .select((eb) => eb.fn.min('notBefore').as('at'))
    .executeTakeFirstOrThrow()
  if (at === null) return finishTx(db, campaign)
  const stepAt = new Date(at).toISOString()
  await set(db, campaign.id, { stepAt })
  await askForStep(db, campaign.id, stepAt)
}

/** Looks at the next of the audience, or parts it once all were looked at. */
const sortTx = async (db: TenantDb, campaign: CampaignRow): Promise<void> => {
  const leftOut = await sortChunkTx(db, campaign)
  if (leftOut !== null) {
    await set(db, campaign.id, { leftOut: campaign.leftOut + leftOut })
    return
  }
  const parted = await partTx(db, campaign)
  await set(db, campaign.id, {
    sortedAt: clock.iso(),
    heldOut: parted.heldOut,
    leftOut: campaign.leftOut + parted.leftOut,
  })
}

/**
 * One step of a campaign, in one transaction and under its lock: cut off, nothing of it happened, and it is done again. Two workers at once come
 * one after the other, and the second finds that it is too early.
 * @returns whether another one can follow at once
 */
export const campaignStepTx = async (db: TenantDb, id: string): Promise<boolean> => {
  const campaign = await lockCampaign(db, id)
  if (!campaign) return false
  const now = clock.nowMs()
  if (campaign.status === 'scheduled') {
    if (Date.parse(campaign.startsAt ?? '') > now) {
      await askForStep(db, id, campaign.startsAt)
      return false
    }
    return beginScheduledTx(db, campaign)
  }
  if (campaign.status !== 'running') return false
  if (!campaign.sortedAt) {
    await sortTx(db, campaign)
    return true
  }
  if (campaign.stepAt && Date.parse(campaign.stepAt) > now) {
    await askForStep(db, id, campaign.stepAt)
    return false
  }
  if (await stopIfIllTx(db, campaign)) return false
  const stage = await testStageTx(db, campaign)
  if (stage === 'wait') return false
  const { batch: limit } = paceOf(campaign.perHour)
  const batch = await listNext(db, id, { onlyTested: stage === 'tested', limit })
  if (batch.length === 0) {
    await restTx(db, campaign)
    return false
  }
  const { queued, leftOut } = await sendBatchTx(db, campaign, batch)
  const stepAt = queued === 0 ? null : new Date(now + (queued * 3_600_000) / campaign.perHour).toISOString()
  await set(db, id, { queued: campaign.queued + queued, leftOut: campaign.leftOut + leftOut, stepAt })
  if (stepAt === null) return true
  await askForStep(db, id, stepAt)
  return false
}
