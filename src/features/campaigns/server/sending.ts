import { sql } from 'kysely'
import { systemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { absoluteUrl, linkToken } from '../../../platform/links.ts'
import { linkTo } from '../../../shared/links.ts'
import { paths } from '../../../shared/paths.ts'
import { isSubscriptionActive } from '../../../shared/subscription.ts'
import { smsSegments } from '../../messages/rules.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { maxTries } from '../../messages/server/outbox/commands.ts'
import { smsUsage } from '../../messages/server/queries.ts'
import { quietAtHome } from '../../messages/zones/rules.ts'
import { homesOf } from '../../messages/zones/server/queries.ts'
import { notifyOffice, notifyUsers } from '../../notifications/server/commands.ts'
import { contentProblems } from '../content/rules.ts'
import {
  type Health,
  latestStartHours,
  paceOf,
  stopReason,
  type Variant,
  type VariantCounts,
  winnerOf,
} from '../rules.ts'
import { beginTx, freezeNextTx, partTx, sortChunkTx, sortOut, takeUpTx } from './audience.ts'
import { askForStep, pauseTx, setCampaignTx } from './commands.ts'
import { type CampaignSender, campaignSenderOf, mailFor, surroundingsOf, textFor } from './letter.ts'
import { type CampaignRow, lockCampaign } from './queries.ts'

const system = (db: TenantDb) => systemActor(db.businessId)

const set = async (db: TenantDb, id: string, change: Record<string, unknown>): Promise<void> => {
  await db
    .updateTable('campaigns')
    .set({ ...change, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  await publishChange(db, 'campaigns')
}

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

/** Why nothing of it may leave now, whatever it was when it began; null where nothing keeps it. */
const obstacleTo = async (db: TenantDb, { channel, content, testPercent }: CampaignRow): Promise<string | null> => {
  const sender = await campaignSenderOf(db)
  if (!isSubscriptionActive(sender, clock.nowMs())) return 'Your plan has ended. Choose one under Profile, Plan.'
  return contentProblems(channel, content, testPercent !== null, surroundingsOf(sender))[0]?.message ?? null
}

/** An offer of last week is not sent because a server was away: who made it looks at it first. */
const lateness = ({ startsAt }: CampaignRow): string | null =>
  startsAt && clock.nowMs() - Date.parse(startsAt) > latestStartHours * 3_600_000
    ? 'Its time went by before it could begin. Look at it and send it, or choose another time.'
    : null

/** Its day has come. What keeps it from leaving makes it a draft again, and who made it hears why. */
const beginScheduledTx = async (db: TenantDb, campaign: CampaignRow): Promise<boolean> => {
  const problem = lateness(campaign) ?? (await obstacleTo(db, campaign))
  const begun = problem ? null : await beginTx(db, campaign)
  if (begun && begun.chosen > 0) {
    await setCampaignTx(db, system(db), campaign, 'start', begun)
    return true
  }
  await setCampaignTx(db, system(db), campaign, 'unschedule', { status: 'draft', startsAt: null })
  await tell(db, campaign, {
    title: `${campaign.name} did not begin`,
    content: problem ?? 'Nobody is in its audience any more. Choose another one.',
    key: `unready:${campaign.version}`,
  })
  return false
}

/** What became of what was queued since somebody last looked. */
const healthOf = async (db: TenantDb, { id, resumedAt }: CampaignRow): Promise<Health> => {
  const { rows } = await sql<Health>`
    select count(*) filter (where m.status in ('sent', 'delivered', 'failed', 'unknown'))::int as sent,
      count(*) filter (where m.status = 'failed' and m.attempts < ${maxTries})::int as bounced,
      count(*) filter (where r.complained_at is not null)::int as complained
    from campaign_recipients r join messages m on m.business_id = r.business_id and m.id = r.message_id
    where r.business_id = ${db.businessId} and r.campaign_id = ${id} and r.state = 'queued'
      and (${resumedAt}::timestamptz is null or r.queued_at >= ${resumedAt}::timestamptz)`.execute(db)
  return rows[0] ?? { sent: 0, bounced: 0, complained: 0 }
}

/** Stops by itself, and who made it hears why. */
const stopTx = async (db: TenantDb, campaign: CampaignRow, reason: string, then: string): Promise<void> => {
  await pauseTx(db, system(db), campaign, reason)
  await tell(db, campaign, {
    title: `${campaign.name} was paused`,
    content: `${reason} ${then}`,
    key: `stopped:${campaign.version}`,
  })
}

type OnTheWay = { count: number; segments: number; nextAt: string | null }

const lookEveryMs = 60_000

/** Stops it by itself where too much comes back or is called spam. @returns whether it was stopped */
const stopIfIllTx = async (db: TenantDb, campaign: CampaignRow): Promise<boolean> => {
  if (campaign.lookedAt && clock.nowMs() - Date.parse(campaign.lookedAt) < lookEveryMs) return false
  const reason = stopReason(await healthOf(db, campaign))
  if (!reason) {
    await set(db, campaign.id, { lookedAt: clock.iso() })
    return false
  }
  await stopTx(db, campaign, reason, 'Look at who it went to before you let it go on.')
  return true
}

/** What of a campaign stands in the outbox and may still leave, and when the first of it comes back for another try. */
const onTheWayOf = async (db: TenantDb, id: string): Promise<OnTheWay> => {
  const { rows } = await sql<OnTheWay>`
    select count(*)::int as count, coalesce(sum(m.segments) filter (where m.status <> 'sending'), 0)::int as segments, min(m.run_after) as next_at
    from messages m where m.business_id = ${db.businessId} and m.entity_type = 'campaign' and m.entity_id = ${id}
      and m.direction = 'outbound' and m.status in ('pending', 'held', 'sending')`.execute(db)
  return rows[0] ?? { count: 0, segments: 0, nextAt: null }
}

/** Of a slow campaign so many may wait: one box that is full for now does not hold up all others. */
const fewOnTheWay = 5
const [soonestMs, latestMs] = [60_000, 10 * 60_000]

/** Nothing more can be done until what stands in the outbox has left. */
const waitForOutbox = async (db: TenantDb, campaign: CampaignRow, { nextAt }: OnTheWay): Promise<void> => {
  const aheadMs = nextAt ? Date.parse(nextAt) - clock.nowMs() : 0
  const stepAt = new Date(clock.nowMs() + Math.min(latestMs, Math.max(soonestMs, aheadMs))).toISOString()
  await set(db, campaign.id, { stepAt })
  await askForStep(db, campaign.id, stepAt)
}

/** What each subject brought of those whom it was tried out on. */
export const testedCounts = async (db: TenantDb, campaignId: string): Promise<Record<Variant, VariantCounts>> => {
  const { rows } = await sql<VariantCounts & { variant: Variant }>`
    select r.variant, count(*) filter (where m.status in ('sent', 'delivered') or m.status = 'failed' and m.attempts < ${maxTries})::int as sent,
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
const testStageTx = async (
  db: TenantDb,
  campaign: CampaignRow,
  onTheWay: OnTheWay,
): Promise<'tested' | 'wait' | 'all'> => {
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
    // the hours count from when all of them have left: what nobody got says nothing about a subject
    if (onTheWay.count > 0) {
      await waitForOutbox(db, campaign, onTheWay)
      return 'wait'
    }
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

/** @throws where they do not wait any more: nothing of this step may stand then */
const recipient = async (
  db: TenantDb,
  campaignId: string,
  customerId: string,
  change: Record<string, unknown>,
): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('campaignRecipients')
    .set(change)
    .where('businessId', '=', db.businessId)
    .where('campaignId', '=', campaignId)
    .where('customerId', '=', customerId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error(`somebody of campaign ${campaignId} waited and waits no more`)
}

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

type Person = { id: string; name: string; company: string | null; language: 'en' | 'es' }

/** Text segments that the plan has left this month when what stands in the outbox has left; null where nothing limits them. */
const segmentsLeft = async (db: TenantDb, onTheWay: OnTheWay): Promise<number | null> => {
  const { segmentLimit, segmentsUsed } = await smsUsage(db)
  return segmentLimit === null ? null : segmentLimit - segmentsUsed - onTheWay.segments
}

const queueOne = async (
  db: TenantDb,
  campaign: CampaignRow,
  sender: CampaignSender,
  next: Next,
  person: Person,
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

/**
 * Puts the next messages into the outbox. Who may not be written to now is left out; for whom it is night waits, and so do all from the first on
 * whose text is past what the plan has left.
 * @returns how many were queued, and left out
 */
const sendBatchTx = async (
  db: TenantDb,
  campaign: CampaignRow,
  batch: readonly Next[],
  onTheWay: OnTheWay,
): Promise<{ queued: number; leftOut: number; isUsedUp: boolean }> => {
  const ids = batch.map(({ customerId }) => customerId)
  const sender = await campaignSenderOf(db)
  const { people, reached } = await sortOut(db, campaign, ids)
  const quiet = await quietFor(db, campaign, sender, ids)
  const before = await writtenTo(
    db,
    campaign.id,
    [...reached.values()].flatMap((to) => (to.channel ? [to.address] : [])),
  )
  const counts = { queued: 0, leftOut: 0, isUsedUp: false }
  let free = campaign.channel === 'sms' ? await segmentsLeft(db, onTheWay) : null
  for (const next of batch) {
    const [to, person, until] = [reached.get(next.customerId), people.get(next.customerId), quiet.get(next.customerId)]
    if (!person || !to?.channel || before.has(to.address)) {
      const reason = to?.channel === null ? to.reason : person ? 'Same address as another customer' : 'Archived'
      await recipient(db, campaign.id, next.customerId, { state: 'left_out', reason })
      counts.leftOut++
    } else if (until) {
      await recipient(db, campaign.id, next.customerId, { notBefore: until })
    } else {
      if (free !== null) {
        free -= smsSegments(textFor(sender, campaign.content, person)).segments
        if (free < 0) return { ...counts, isUsedUp: true }
      }
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

/** Nobody can leave now: it is over, or waits until it is morning at the next of them, or until the last have left. */
const restTx = async (db: TenantDb, campaign: CampaignRow, onTheWay: OnTheWay): Promise<void> => {
  const { at } = await waitingOf(db, campaign.id)
    .select((eb) => eb.fn.min('notBefore').as('at'))
    .executeTakeFirstOrThrow()
  if (at === null) return onTheWay.count > 0 ? waitForOutbox(db, campaign, onTheWay) : finishTx(db, campaign)
  const stepAt = new Date(at).toISOString()
  await set(db, campaign.id, { stepAt })
  await askForStep(db, campaign.id, stepAt)
}

/** Freezes the rest of a large audience, looks at the next of it, or parts it once all were looked at. */
const sortTx = async (db: TenantDb, campaign: CampaignRow): Promise<void> => {
  const frozen = await freezeNextTx(db, campaign)
  if (frozen) return set(db, campaign.id, frozen)
  const leftOut = await sortChunkTx(db, campaign)
  if (leftOut !== null) return set(db, campaign.id, { leftOut: campaign.leftOut + leftOut })
  const parted = await partTx(db, campaign)
  await set(db, campaign.id, {
    toPlace: parted.toPlace,
    placed: parted.placed,
    leftOut: campaign.leftOut + parted.leftOut,
    ...(parted.isOver
      ? {
          sortedAt: clock.iso(),
          heldOut: parted.heldOut,
          // too few to try anything out on: there is nothing to wait for
          ...(campaign.testPercent !== null && parted.tested === 0 ? { decidedAt: clock.iso() } : {}),
        }
      : {}),
  })
}

const takeUpAgainTx = async (db: TenantDb, campaign: CampaignRow): Promise<void> => {
  const back = await takeUpTx(db, campaign.id)
  if (back === 0) return
  campaign.queued -= back
  await set(db, campaign.id, { queued: campaign.queued })
}

/** Why it may not go on, whatever it was when it began. @returns whether it was stopped */
const stopIfKeptTx = async (db: TenantDb, campaign: CampaignRow): Promise<boolean> => {
  const obstacle = await obstacleTo(db, campaign)
  if (obstacle) await stopTx(db, campaign, obstacle, 'Then let it go on.')
  return obstacle !== null
}

const usedUp = 'The text segments of your plan are used up for this month.'

/** @returns whether another step can follow at once */
const sendNextTx = async (
  db: TenantDb,
  campaign: CampaignRow,
  batch: readonly Next[],
  onTheWay: OnTheWay,
): Promise<boolean> => {
  const { queued, leftOut, isUsedUp } = await sendBatchTx(db, campaign, batch, onTheWay)
  campaign.queued += queued
  campaign.leftOut += leftOut
  await set(db, campaign.id, { queued: campaign.queued, leftOut: campaign.leftOut })
  if (isUsedUp && queued === 0) {
    // a pause takes back what stands in the outbox, for which there is room yet
    if (onTheWay.count > 0) await waitForOutbox(db, campaign, onTheWay)
    else await stopTx(db, campaign, usedUp, 'Take a larger plan, or let it go on next month.')
    return false
  }
  const stepAt = queued === 0 ? null : new Date(clock.nowMs() + (queued * 3_600_000) / campaign.perHour).toISOString()
  await set(db, campaign.id, { stepAt })
  if (stepAt === null) return true
  await askForStep(db, campaign.id, stepAt)
  return false
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
  if (!campaign.sortedAt || campaign.freezingAfter) {
    await sortTx(db, campaign)
    return true
  }
  if (campaign.stepAt && Date.parse(campaign.stepAt) > now) {
    await askForStep(db, id, campaign.stepAt)
    return false
  }
  await takeUpAgainTx(db, campaign)
  if (await stopIfIllTx(db, campaign)) return false
  const onTheWay = await onTheWayOf(db, id)
  const stage = await testStageTx(db, campaign, onTheWay)
  if (stage === 'wait') return false
  const { batch: limit } = paceOf(campaign.perHour)
  // what a provider that was away has not taken would leave all at once when it is back
  if (onTheWay.count > Math.max(limit, fewOnTheWay)) {
    await waitForOutbox(db, campaign, onTheWay)
    return false
  }
  const batch = await listNext(db, id, { onlyTested: stage === 'tested', limit })
  if (batch.length === 0) {
    await restTx(db, campaign, onTheWay)
    return false
  }
  if (await stopIfKeptTx(db, campaign)) return false
  return sendNextTx(db, campaign, batch, onTheWay)
}
