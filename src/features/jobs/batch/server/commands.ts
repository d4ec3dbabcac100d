import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, hasPermission, userIdOf, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { enqueue, task } from '../../../../platform/tasks/task.ts'
import { refuse } from '../../../../shared/can.ts'
import { AppError, conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { assertCrewTx } from '../../../employees/server/queries.ts'
import { type BatchAnswer, BatchRequest, type BatchState } from '../../contract.ts'
import { cancelUntouchedJobsTx, createJobsTx } from '../../server/commands.ts'
import { getBatch, type Plan, planBatch } from './queries.ts'

/** Up to so many jobs are made while the person waits; more are made in the background with progress. */
export const inlineLimit = 200
const chunkSize = 100
const shownItems = 500

const newJobs = (request: BatchRequest, plan: Plan, propertyIds: ReadonlySet<string>, batchId: string) =>
  plan.items
    .filter((item) => item.reason === null && propertyIds.has(item.propertyId))
    .map((item) => ({
      customerId: item.customerId,
      propertyId: item.propertyId,
      title: plan.title,
      instructions: request.instructions,
      poNumber: '',
      billing: request.billing,
      crewId: request.crewId,
      keepDay: request.keepDay ?? false,
      startOn: request.startOn,
      endOn: request.endOn,
      status: 'active' as const,
      batchId,
      lines: item.lines,
    }))

export const continueBatch = task({
  name: 'jobs.batch',
  payload: z.object({ batchId: z.uuid() }),
  // One batch of a business after the other, so that the second sees the jobs of the first.
  queue: (_payload, businessId) => `jobs.batch:${businessId}`,
  run: async (actor, { batchId }) => {
    try {
      while (await withTenant(actor, (db) => continueBatchTx(db, actor, batchId)));
    } catch (error) {
      // A refusal would be the same every time (a service was archived meanwhile): it is shown. Anything else is tried again.
      if (!(error instanceof AppError) || error.status >= 500) throw error
      await withTenant(actor, (db) => failBatchTx(db, batchId, error.message))
    }
  },
})

const failBatchTx = async (db: TenantDb, batchId: string, error: string): Promise<void> => {
  await db
    .updateTable('jobBatches')
    .set({ status: 'failed', error, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', batchId)
    .execute()
  await publishChange(db, 'jobs')
}

/** Makes the next chunk of jobs of a batch. `done` is how many of its frozen properties were looked at. Returns whether more are left. */
const continueBatchTx = async (db: TenantDb, who: Who, batchId: string): Promise<boolean> => {
  const batch = await db
    .selectFrom('jobBatches')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirst()
  if (batch?.status !== 'running') return false
  const request = BatchRequest.parse(batch.request)
  const chunk = batch.propertyIds.slice(batch.done, batch.done + chunkSize)
  if (chunk.length > 0) {
    const plan = await planBatch(db, { ...request, customerFilter: undefined, propertyIds: chunk })
    await createJobsTx(db, who, newJobs(request, plan, new Set(chunk), batchId))
  }
  const done = batch.done + chunk.length
  await db
    .updateTable('jobBatches')
    .set({ done, status: done < batch.total ? 'running' : 'done', updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', batchId)
    .execute()
  await publishChange(db, 'jobs')
  return done < batch.total
}

/** A plan as a person may see it: prices only with the permission for money. */
const answerFor = (who: Actor, plan: Plan, batch: BatchState | null): BatchAnswer => {
  const money = hasPermission(who, 'money')
  return {
    items: plan.items.slice(0, shownItems).map(({ lines: _lines, ...item }) => ({
      ...item,
      priceCents: money ? item.priceCents : null,
    })),
    totals: money ? plan.totals : { ...plan.totals, roundCents: null },
    days: plan.days,
    batch,
  }
}

const check = (who: Actor, request: BatchRequest): void => {
  if (request.endOn !== null && request.endOn < request.startOn)
    throw invalid([{ path: 'endOn', message: 'The end comes before the start.' }])
  if (request.priceMode === 'fixed' && !hasPermission(who, 'money'))
    throw new AppError(
      'forbidden',
      'A fixed price needs the permission for money. Use the price rule, or ask the owner.',
    )
  if (request.billing !== 'per_visit' && !hasPermission(who, 'money'))
    throw new AppError(
      'forbidden',
      'How work is billed needs the permission for money. Nothing was made. Leave it by the visit, or ask the owner.',
    )
}

/**
 * The same job for many properties. With `dryRun` it says what would be made and why not elsewhere; otherwise it makes it, in one
 * transaction up to 200 jobs and in the background beyond.
 */
export const batchJobs = (who: Actor, request: BatchRequest): Promise<BatchAnswer> =>
  withTenant(who, async (db) => {
    check(who, request)
    await assertCrewTx(db, request.crewId)
    // Two people who book the same work at once: the second sees the jobs of the first.
    if (!request.dryRun)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`job-batch:${db.businessId}`}, 0))`.execute(db)
    const plan = await planBatch(db, request)
    if (request.dryRun) return answerFor(who, plan, null)
    const good = plan.items.filter((item) => item.reason === null).map((item) => item.propertyId)
    if (good.length === 0)
      throw conflict('No job can be made: every property has a reason in the list. Nothing was changed.')
    if (request.expectedJobs !== undefined && request.expectedJobs !== good.length)
      throw conflict(
        `The list has changed: ${good.length} jobs would be made now, not ${request.expectedJobs}. Look at it again; nothing was made yet.`,
        { jobs: good.length },
      )
    const id = newId()
    const now = clock.iso()
    const inline = good.length <= inlineLimit
    await db
      .insertInto('jobBatches')
      .values({
        businessId: db.businessId,
        id,
        status: inline ? 'done' : 'running',
        request: JSON.stringify(request),
        propertyIds: good,
        total: good.length,
        done: inline ? good.length : 0,
        createdBy: userIdOf(who),
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    if (inline) await createJobsTx(db, who, newJobs(request, plan, new Set(good), id))
    else await enqueue(db, continueBatch, { batchId: id }, { key: id })
    await audit(
      db,
      who,
      'job.batch',
      { type: 'jobBatch', id },
      { after: { jobs: good.length, serviceIds: request.serviceIds } },
    )
    return answerFor(who, plan, await getBatch(db, id))
  })

/** Cancels what a batch made, as far as no work was done on it; a batch that still runs stops. */
export const undoBatch = (who: Actor, batchId: string): Promise<BatchState & { canceled: number }> =>
  withTenant(who, async (db) => {
    const batch = await db
      .selectFrom('jobBatches')
      .select('status')
      .where('businessId', '=', db.businessId)
      .where('id', '=', batchId)
      .forUpdate()
      .executeTakeFirst()
    if (!batch) throw notFound('batch')
    refuse(batch.status === 'undone' ? 'These jobs were taken back already. Nothing was changed.' : null)
    const { rows } = await sql<{ id: string }>`
      select j.id from jobs j
      where j.business_id = ${db.businessId} and j.batch_id = ${batchId} and j.status in ('draft', 'active', 'paused')
        and not exists (select 1 from visits v where v.business_id = j.business_id and v.job_id = j.id
          and v.status in ('en_route', 'in_progress', 'paused', 'completed'))
      order by j.id`.execute(db)
    await cancelUntouchedJobsTx(
      db,
      who,
      rows.map((row) => row.id),
    )
    await db
      .updateTable('jobBatches')
      .set({ status: 'undone', updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', batchId)
      .execute()
    await audit(db, who, 'job.batch.undo', { type: 'jobBatch', id: batchId }, { after: { canceled: rows.length } })
    return { ...(await getBatch(db, batchId)), canceled: rows.length }
  })
