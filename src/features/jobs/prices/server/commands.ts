import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { inPieces } from '../../../../platform/db/rows.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { enqueue } from '../../../../platform/tasks/task.ts'
import { refuse } from '../../../../shared/can.ts'
import type { Day } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { stopMessagesTx } from '../../../messages/server/commands.ts'
import { changePricesTx, lockServicesTx, undoPricesTx } from '../../../services/server/commands.ts'
import { repriceLinesTx } from '../../../visits/server/commands.ts'
import { repricingTermsTx } from '../../terms/server/commands.ts'
import type { PriceChange, PriceChangeDraft } from '../contract.ts'
import {
  type LinePrice,
  nextStepAfter,
  type PriceStep,
  priceOn,
  undoChangeRefusal,
  withoutStep,
  withStep,
} from '../rules.ts'
import { type ChangedLine, customersOf, getPriceChange, type PricePlan, planPrices, sumsOf } from './queries.ts'
import { entityOf, tellPricesTask } from './tell.ts'

/** Jobs whose lines change, taken before their visits as everybody takes them. */
export const lockJobs = async (db: TenantDb, jobIds: readonly string[]): Promise<void> => {
  await sql`select id from jobs where business_id = ${db.businessId} and id = any(${[...jobIds]}::uuid[]) order by id for update`.execute(
    db,
  )
}

const touchJobs = async (db: TenantDb, jobIds: readonly string[]): Promise<void> => {
  if (jobIds.length === 0) return
  await sql`update jobs set version = version + 1, updated_at = ${clock.iso()}
    where business_id = ${db.businessId} and id = any(${[...jobIds]}::uuid[])`.execute(db)
  await publishChange(db, 'jobs', [...jobIds])
}

const writePrices = async (
  db: TenantDb,
  lines: readonly { id: string; price: Required<LinePrice> }[],
): Promise<void> => {
  if (lines.length === 0) return
  await sql`update job_lines l set updated_at = ${clock.iso()}, unit_price_cents = n.unit_cents,
      next_unit_price_cents = n.next_cents, next_price_on = n.next_on, later_prices = n.later
    from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map(({ price }) => price.unitPriceCents)}::int[],
      ${lines.map(({ price }) => price.nextUnitPriceCents)}::int[], ${lines.map(({ price }) => price.nextPriceOn)}::date[],
      ${lines.map(({ price }) => JSON.stringify(price.laterPrices))}::jsonb[]) as n(id, unit_cents, next_cents, next_on, later)
    where l.business_id = ${db.businessId} and l.id = n.id`.execute(db)
}

/** From today a line simply costs the new price; from a later day it knows both, and those that come after it. */
const writeLines = async (db: TenantDb, changeId: string, lines: readonly ChangedLine[], fromOn: Day, today: Day) => {
  for (const some of inPieces(lines))
    await db
      .insertInto('priceChangeLines')
      .values(
        some.map(({ lineId, beforeCents, afterCents }) => ({
          businessId: db.businessId,
          changeId,
          jobLineId: lineId,
          beforeCents,
          afterCents,
        })),
      )
      .execute()
  await writePrices(
    db,
    lines.map((line) => ({ id: line.lineId, price: withStep(line, { on: fromOn, cents: line.afterCents }, today) })),
  )
}

type Wish = Pick<PriceChangeDraft, 'fromOn' | 'scope' | 'tell'> & {
  kind: 'rule' | 'raise' | 'letter'
  /** What was asked for, as it is kept. */
  request: unknown
}

/** Writes what a change of prices comes to, and tells who is to be told. The jobs of its lines have to be locked. */
export const writePlanTx = async (db: TenantDb, actor: Actor, plan: PricePlan, wish: Wish): Promise<PriceChange> => {
  const { kind, fromOn, scope, tell } = wish
  const sums = sumsOf(plan)
  const jobIds = [...new Set(plan.lines.map((line) => line.jobId))]
  const id = newId()
  const today = await todayOf(db)
  const names =
    kind === 'letter' ? plan.lines.map((line) => line.serviceName) : plan.services.map((one) => one.service.name)
  await db
    .insertInto('priceChanges')
    .values({
      businessId: db.businessId,
      id,
      kind,
      scope,
      fromOn,
      request: JSON.stringify(wish.request),
      serviceNames: [...new Set(names)],
      lineCount: plan.lines.length,
      visitCount: sums.visits,
      beforeCents: sums.beforeCents,
      afterCents: sums.afterCents,
      createdBy: actor.userId,
      createdAt: clock.iso(),
    })
    .execute()
  await changePricesTx(db, actor, {
    changeId: id,
    fromOn,
    rules: new Map(plan.services.map(({ service, after }) => [service.id, after])),
  })
  if (plan.lines.length > 0) {
    await repricingTermsTx(db, jobIds, () => writeLines(db, id, plan.lines, fromOn, today))
    await repriceLinesTx(
      db,
      plan.lines.map((line) => ({
        jobLineId: line.lineId,
        serviceId: line.serviceId,
        from: line.beforeCents,
        to: line.afterCents,
        until: line.until,
      })),
      fromOn,
    )
    await touchJobs(db, jobIds)
  }
  if (tell) {
    const toldCount = (await customersOf(db, plan, wish)).filter(({ reach }) => reach.channel !== null).length
    await enqueue(db, tellPricesTask, { changeId: id }, { key: id })
    await db
      .updateTable('priceChanges')
      .set({ toldCount })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
  }
  await audit(db, actor, 'price.change', entityOf(id), { after: { kind, fromOn, scope, ...sums } })
  return getPriceChange(db, id)
}

/**
 * Changes prices from a day on: the book always, and what is booked by it when asked. Finished, started and invoiced work stays, and so does
 * work with a price of its own unless a raise takes it along.
 * @throws AppError validation_failed, not_found, state_conflict when it would do something else than was seen
 */
export const changePrices = (actor: Actor, { expected, ...draft }: PriceChangeDraft): Promise<PriceChange> =>
  withTenant(actor, async (db) => {
    await lockServicesTx(db, draft.raise?.serviceIds ?? draft.rules.map((rule) => rule.serviceId))
    const seen = await planPrices(db, draft)
    const jobIds = [...new Set(seen.lines.map((line) => line.jobId))]
    if (jobIds.length > 0) await lockJobs(db, jobIds)
    const plan = jobIds.length > 0 ? await planPrices(db, draft) : seen
    const sums = sumsOf(plan)
    if (
      expected &&
      (expected.jobs !== sums.jobs ||
        expected.visits !== sums.visits ||
        expected.visitsAfterCents !== sums.visitsAfterCents)
    )
      throw conflict(
        `The work changed since you looked: it is now ${sums.jobs} jobs and ${sums.visits} visits. Nothing was changed. Look it over and press again.`,
      )
    return writePlanTx(db, actor, plan, { ...draft, kind: draft.raise ? 'raise' : 'rule', request: draft })
  })

/** Lines that still cost what the change made them cost, put back; answers those. */
const restoreLines = async (db: TenantDb, changeId: string, fromOn: Day, today: Day) => {
  const rows = await db
    .selectFrom('jobLines as l')
    .innerJoin('priceChangeLines as n', (x) =>
      x.onRef('n.businessId', '=', 'l.businessId').onRef('n.jobLineId', '=', 'l.id'),
    )
    .where('l.businessId', '=', db.businessId)
    .where('n.changeId', '=', changeId)
    .select(['l.id', 'l.jobId', 'l.serviceId', 'n.beforeCents', 'n.afterCents'])
    .select(['l.unitPriceCents', 'l.nextUnitPriceCents', 'l.nextPriceOn', 'l.laterPrices'])
    .execute()
  const restored = rows.flatMap(({ laterPrices, ...row }) => {
    const line: LinePrice = { ...row, laterPrices: laterPrices as unknown as PriceStep[] }
    const price = withoutStep(line, { on: fromOn, cents: row.afterCents, before: row.beforeCents }, today)
    return price
      ? [{ ...row, price, from: row.afterCents, to: priceOn(price, fromOn), until: nextStepAfter(line, fromOn) }]
      : []
  })
  await writePrices(db, restored)
  return restored.map(({ id, jobId, serviceId, from, to, until }) => ({
    ...{ jobLineId: id, jobId, serviceId, from, to, until },
  }))
}

/**
 * Takes a change of prices back. What was finished or invoiced at the new price meanwhile stays, and so does what somebody priced since.
 * @throws AppError not_found, state_conflict
 */
export const undoPrices = (actor: Actor, id: string): Promise<PriceChange> =>
  withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('priceChanges')
      .select(['fromOn', 'undoneAt'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('price change')
    const services = await db
      .selectFrom('servicePrices')
      .select('serviceId')
      .where('businessId', '=', db.businessId)
      .where('changeId', '=', id)
      .execute()
    if (services.length > 0)
      await lockServicesTx(
        db,
        services.map((one) => one.serviceId),
      )
    const { canUndo } = await getPriceChange(db, id)
    refuse(undoChangeRefusal({ undoneAt: row.undoneAt, newer: !canUndo && row.undoneAt === null }))
    const jobs = await db
      .selectFrom('jobLines as l')
      .innerJoin('priceChangeLines as n', (x) =>
        x.onRef('n.businessId', '=', 'l.businessId').onRef('n.jobLineId', '=', 'l.id'),
      )
      .where('l.businessId', '=', db.businessId)
      .where('n.changeId', '=', id)
      .select('l.jobId')
      .distinct()
      .execute()
    await lockJobs(
      db,
      jobs.map((job) => job.jobId),
    )
    const today = await todayOf(db)
    const restored = await repricingTermsTx(
      db,
      jobs.map((job) => job.jobId),
      () => restoreLines(db, id, row.fromOn, today),
    )
    await repriceLinesTx(db, restored, row.fromOn)
    await touchJobs(db, [...new Set(restored.map((line) => line.jobId))])
    await undoPricesTx(db, id)
    await db
      .updateTable('priceChanges')
      .set({ undoneAt: clock.iso(), undoneBy: actor.userId })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await stopMessagesTx(db, entityOf(id), 'The price change was taken back')
    await audit(db, actor, 'price.undo', entityOf(id), { after: { lines: restored.length } })
    return getPriceChange(db, id)
  })
