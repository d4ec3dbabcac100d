import { z } from 'zod'
import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { signedFilePath } from '../../../platform/links.ts'
import { enqueue, taskName } from '../../../platform/tasks/task.ts'
import { refuse } from '../../../shared/can.ts'
import { formatDay, formatTime, instantAt } from '../../../shared/dates.ts'
import { AppError, conflict, invalid } from '../../../shared/errors.ts'
import { timeZoneOf } from '../../businesses/server/queries.ts'
import { addFileTx, storeImage } from '../../files/server/commands.ts'
import { takeBackWaitingTx } from '../../messages/pauses/server/commands.ts'
import { stopMessagesTx } from '../../messages/server/commands.ts'
import { type Content, contentProblems, picturesIn } from '../content/rules.ts'
import type { Campaign, campaignsApi } from '../contract.ts'
import { type CampaignChannel, campaignRefusals, mostCampaigns } from '../rules.ts'
import { requireMoneyFor } from '../segments/server/queries.ts'
import { beginTx, countRows, leaveOutTx, leaveOutWaitingTx, takeBackTx, takeUpTx } from './audience.ts'
import { campaignSenderOf, surroundingsOf } from './letter.ts'
import { type CampaignRow, getCampaign, getCampaignRow } from './queries.ts'

/** Moves a campaign on: begins it, sorts its audience, puts the next messages into the outbox. */
export const campaignStepTask = taskName({ name: 'campaigns.step', payload: z.object({ campaignId: z.uuid() }) })

/** Asks for the next step; a second wish takes the place of the first. */
export const askForStep = (db: TenantDb, campaignId: string, runAt?: string | null): Promise<void> =>
  enqueue(db, campaignStepTask, { campaignId }, { key: campaignId, ...(runAt ? { runAt } : {}) })

type Change = Partial<{ [K in keyof CampaignRow]: CampaignRow[K] }>

/** Writes a change of a campaign and says so: to the log, and to open screens. */
export const setCampaignTx = async (
  db: TenantDb,
  who: Who,
  row: CampaignRow,
  action: string,
  { content, conditions, ...change }: Change,
): Promise<void> => {
  await db
    .updateTable('campaigns')
    .set({
      ...change,
      ...(content ? { content: JSON.stringify(content) } : {}),
      ...(conditions ? { conditions: JSON.stringify(conditions) } : {}),
      version: row.version + 1,
      updatedAt: clock.iso(),
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  await audit(db, who, `campaign.${action}`, { type: 'campaign', id: row.id }, { after: change })
  await publishChange(db, 'campaigns')
}

/** Pictures are the business's own, put up for campaigns. @throws invalid */
const checkPictures = async (db: TenantDb, content: Content): Promise<void> => {
  const ids = picturesIn(content)
  if (ids.length === 0) return
  const found = await db
    .selectFrom('files')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('kind', '=', 'campaign')
    .where('id', 'in', ids)
    .execute()
  if (found.length < ids.length)
    throw invalid([{ path: 'content', message: 'A picture in it is not there any more. Put it in again.' }])
}

const testColumns = (test: Campaign['test']) => ({
  testPercent: test?.percent ?? null,
  testHours: test?.hours ?? null,
  testBy: test?.by ?? null,
})

/** @throws invalid for a text, which has no subject */
const checkTest = (channel: CampaignChannel, test: Campaign['test']): void => {
  if (channel === 'sms' && test)
    throw invalid([{ path: 'test', message: 'Two subjects are tried out in e-mails. A text has none.' }])
}

type Written = z.output<typeof campaignsApi.create.body>

const insertTx = async (
  db: TenantDb,
  who: Actor,
  { test, content, conditions, ...fields }: Written,
): Promise<string> => {
  const { count } = await db
    .selectFrom('campaigns')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('status', 'in', ['draft', 'scheduled'])
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostCampaigns)
    throw conflict(`${mostCampaigns} campaigns wait to begin already. Throw some away first. Nothing was saved.`)
  const id = newId()
  const now = clock.iso()
  await db
    .insertInto('campaigns')
    .values({
      businessId: db.businessId,
      id,
      ...fields,
      ...testColumns(test),
      content: JSON.stringify(content),
      conditions: JSON.stringify(conditions),
      byUserId: userIdOf(who),
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  await audit(db, who, 'campaign.create', { type: 'campaign', id }, { after: fields })
  await publishChange(db, 'campaigns')
  return id
}

export const createCampaign = (who: Actor, written: Written): Promise<Campaign> =>
  withTenant(who, async (db) => {
    requireMoneyFor(who, written.conditions)
    checkTest(written.channel, written.test)
    await checkPictures(db, written.content)
    return getCampaign(db, who, await insertTx(db, who, written))
  })

/** @throws not_found, version_conflict, state_conflict once it has begun */
export const updateCampaign = (
  who: Actor,
  id: string,
  { version, test, ...changes }: z.output<typeof campaignsApi.update.body>,
): Promise<Campaign> =>
  withTenant(who, async (db) => {
    const row = await getCampaignRow(db, id, { lock: true })
    refuse(campaignRefusals.update(row))
    requireVersion(row, version, 'this campaign')
    if (changes.conditions) requireMoneyFor(who, changes.conditions)
    if (test !== undefined) checkTest(row.channel, test)
    if (changes.content) await checkPictures(db, changes.content)
    const next = { ...row, ...changes, ...(test === undefined ? {} : testColumns(test)) }
    // what waits for its day has to be able to leave on it
    if (row.status === 'scheduled') await requireReady(db, next)
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    await setCampaignTx(db, who, row, 'update', { ...given, ...(test === undefined ? {} : testColumns(test)) })
    return getCampaign(db, who, id)
  })

export const removeCampaign = (who: Actor, id: string): Promise<{ removed: true }> =>
  withTenant(who, async (db) => {
    const row = await getCampaignRow(db, id, { lock: true })
    refuse(campaignRefusals.remove(row))
    await db.deleteFrom('campaigns').where('businessId', '=', db.businessId).where('id', '=', id).execute()
    await audit(db, who, 'campaign.remove', { type: 'campaign', id }, { before: { name: row.name } })
    await publishChange(db, 'campaigns')
    return { removed: true }
  })

export const copyCampaign = (who: Actor, id: string): Promise<Campaign> =>
  withTenant(who, async (db) => {
    const { test, ...row } = await getCampaign(db, who, id)
    requireMoneyFor(who, row.conditions)
    const made = await insertTx(db, who, {
      name: `${row.name.slice(0, 73)} (copy)`,
      channel: row.channel,
      content: row.content,
      conditions: row.conditions,
      test,
      holdoutPercent: row.holdoutPercent,
      perHour: row.perHour,
      leaveOutRecent: row.leaveOutRecent,
    })
    return getCampaign(db, who, made)
  })

type Writing = Pick<CampaignRow, 'channel' | 'content' | 'testPercent'>

const problemsOf = async (db: TenantDb, { channel, content, testPercent }: Writing) =>
  contentProblems(channel, content, testPercent !== null, surroundingsOf(await campaignSenderOf(db)))

/** What keeps it from beginning, said where it stands. @throws invalid */
const requireReady = async (db: TenantDb, written: Writing): Promise<void> => {
  const problems = await problemsOf(db, written)
  if (problems.length > 0) throw invalid(problems)
}

/** Begins by itself at a time of the business's clock. @throws invalid for a time that is gone */
export const scheduleCampaign = (
  who: Actor,
  id: string,
  { version, day, minute }: z.output<typeof campaignsApi.schedule.body>,
): Promise<Campaign> =>
  withTenant(who, async (db) => {
    const row = await getCampaignRow(db, id, { lock: true })
    refuse(campaignRefusals.schedule(row))
    requireVersion(row, version, 'this campaign')
    requireMoneyFor(who, row.conditions)
    await requireReady(db, row)
    const timeZone = await timeZoneOf(db)
    const startsAt = instantAt(day, minute, timeZone)
    if (Date.parse(startsAt) <= clock.nowMs())
      throw invalid([
        { path: 'day', message: `${formatDay(day)}, ${formatTime(startsAt, timeZone)} is gone. Choose a later time.` },
      ])
    if (Date.parse(startsAt) > clock.nowMs() + 366 * 86_400_000)
      throw invalid([{ path: 'day', message: 'That is more than a year ahead. Choose an earlier day.' }])
    await setCampaignTx(db, who, row, 'schedule', { status: 'scheduled', startsAt })
    await askForStep(db, id, startsAt)
    return getCampaign(db, who, id)
  })

export const unscheduleCampaign = (who: Actor, id: string): Promise<Campaign> =>
  withTenant(who, async (db) => {
    const row = await getCampaignRow(db, id, { lock: true })
    if (row.status !== 'draft') {
      refuse(campaignRefusals.unschedule(row))
      await setCampaignTx(db, who, row, 'unschedule', { status: 'draft', startsAt: null })
    }
    return getCampaign(db, who, id)
  })

/** Begins now. @throws conflict where nobody fits */
export const startCampaign = (who: Actor, id: string, version: number): Promise<Campaign> =>
  withTenant(who, async (db) => {
    const row = await getCampaignRow(db, id, { lock: true })
    refuse(campaignRefusals.start(row))
    requireVersion(row, version, 'this campaign')
    requireMoneyFor(who, row.conditions)
    await requireReady(db, row)
    const begun = await beginTx(db, row)
    if (begun.chosen === 0) throw conflict('Nobody is in this audience now. Choose another one. Nothing was sent.')
    await setCampaignTx(db, who, row, 'start', begun)
    await askForStep(db, id)
    return getCampaign(db, who, id)
  })

/** Nothing more leaves: who has it in the outbox waits again, so that nobody is lost and nobody gets it twice. */
export const pauseTx = async (db: TenantDb, who: Who, row: CampaignRow, reason: string | null): Promise<void> => {
  const back = await takeBackTx(db, row.id)
  await setCampaignTx(db, who, row, 'pause', {
    status: 'paused',
    pausedAt: clock.iso(),
    pauseReason: reason,
    queued: row.queued - back,
  })
}

export const pauseCampaign = (who: Actor, id: string): Promise<Campaign> =>
  withTenant(who, async (db) => {
    const row = await getCampaignRow(db, id, { lock: true })
    if (row.status !== 'paused') {
      refuse(campaignRefusals.pause(row))
      await pauseTx(db, who, row, null)
    }
    return getCampaign(db, who, id)
  })

/** Goes on with who waits. What came back or was called spam so far was seen by who says so, and counts no more. */
export const resumeCampaign = (who: Actor, id: string): Promise<Campaign> =>
  withTenant(who, async (db) => {
    const row = await getCampaignRow(db, id, { lock: true })
    if (row.status !== 'running') {
      refuse(campaignRefusals.resume(row))
      const [problem] = await problemsOf(db, row)
      if (problem) throw conflict(`${problem.message} Until then it stays paused.`)
      await setCampaignTx(db, who, row, 'resume', {
        status: 'running',
        pausedAt: null,
        pauseReason: null,
        lookedAt: null,
        resumedAt: clock.iso(),
      })
      await askForStep(db, id, row.stepAt)
    }
    return getCampaign(db, who, id)
  })

const canceledReason = 'The campaign was canceled before it left'

/** Ends it for good. What waits in the outbox does not leave, and what failed is not sent again. */
export const cancelCampaign = (who: Actor, id: string): Promise<Campaign> =>
  withTenant(who, async (db) => {
    const row = await getCampaignRow(db, id, { lock: true })
    if (row.status !== 'canceled') {
      refuse(campaignRefusals.cancel(row))
      const entity = { type: 'campaign', id }
      const back = await takeUpTx(db, id)
      const taken = await leaveOutTx(db, id, await takeBackWaitingTx(db, entity, canceledReason), canceledReason)
      // and what failed is not sent again by hand
      await stopMessagesTx(db, entity, canceledReason)
      const kept = await leaveOutWaitingTx(db, id, canceledReason)
      await setCampaignTx(db, who, row, 'cancel', {
        status: 'canceled',
        endedAt: clock.iso(),
        startsAt: null,
        ...(row.freezingAfter ? { freezingAfter: null, chosen: await countRows(db, id) } : {}),
        leftOut: row.leftOut + taken + kept,
        queued: row.queued - back - taken,
      })
    }
    return getCampaign(db, who, id)
  })

/** A picture for a mail, cleaned like every picture. @throws AppError unsupported_media */
export const addPicture = async (who: Actor, bytes: Uint8Array): Promise<{ fileId: string; url: string }> => {
  if (!(bytes instanceof Uint8Array)) throw new AppError('unsupported_media', 'Choose a picture. Nothing was changed.')
  const image = await storeImage(who, bytes)
  return withTenant(who, async (db) => {
    const fileId = await addFileTx(db, who, 'campaign', image, 'Picture of a campaign')
    return { fileId, url: signedFilePath(db.businessId, fileId) }
  })
}
