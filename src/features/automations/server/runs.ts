import { sql } from 'kysely'
import type { SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { log } from '../../../platform/log.ts'
import { forEach } from '../../../platform/tasks/walk.ts'
import { isSubscriptionActive } from '../../../shared/subscription.ts'
import { kinds } from '../kinds/rules.ts'
import { decideDays, goneWords, keptDays } from '../rules.ts'
import { ringTx } from './bell.ts'
import { lockCustomerTx } from './commands.ts'
import { type Begun, listBegun, listStanding, type Span } from './facts.ts'
import { judgeNow } from './judging.ts'
import { type AutomationRow, getAutomationRow, listSwitchedOn } from './rows.ts'
import { endTx, sendTx } from './sending.ts'

/** So many of an automation are read at once; a run goes through all of them. */
const most = 100
const hourMs = 3_600_000

/** Begins one: it leaves, waits for a yes, or is put down with why it does neither. Whoever comes second finds its row. @returns whether it began */
const beginTx = async (db: TenantDb, automationId: string, found: Begun, span: Span): Promise<boolean> => {
  await lockCustomerTx(db, found.customerId)
  // who switches it off meanwhile waits until this has its row, and ends it then
  const automation = await getAutomationRow(db, automationId, 'share')
  if (!automation.enabled) return false
  const begun = await listBegun(db, automation, span, {
    fresh: true,
    past: false,
    limit: 2,
    subjectIds: [found.subjectId],
    since: automation.enabledAt,
  })
  const still = begun.find(({ occurrence }) => occurrence === found.occurrence)
  if (!still) return false
  const id = newId()
  const { customerId, subjectId, propertyId, occurrence, dueAt, round } = still
  const run = { id, customerId, subjectId, propertyId, ownSubject: null, ownText: null }
  const judged = await judgeNow(db, automation, run)
  const become =
    automation.approval === 'self' || judged.channel === null
      ? await sendTx(db, automation, run, judged)
      : ({ status: 'waiting', channel: judged.channel } as const)
  const now = clock.iso()
  await db
    .insertInto('automationRuns')
    .values({
      businessId: db.businessId,
      automationId,
      ...run,
      occurrence,
      round,
      dueAt,
      ...become,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  if (become.status === 'waiting') await ringTx(db)
  return true
}

const spanOf = ({ kind }: AutomationRow): Span => ({
  from: new Date(clock.nowMs() - kinds[kind].lateHours * hourMs).toISOString(),
  to: clock.iso(),
})

/** Everything that is due of one. What fails is left and the next goes on; it is tried again with the next run. @throws Error at the end */
const runOne = async (actor: SystemActor, automationId: string): Promise<void> => {
  const failures: unknown[] = []
  let after: Begun | undefined
  for (;;) {
    // as it is now: who switches it off or narrows it in the middle ends or narrows the rest
    const [automation] = (await withTenant(actor, listSwitchedOn)).filter(({ id }) => id === automationId)
    if (!automation) break
    const span = spanOf(automation)
    const found = await withTenant(actor, (db) =>
      listBegun(db, automation, span, { fresh: true, past: false, limit: most, after, since: automation.enabledAt }),
    )
    let begun = 0
    for (const one of found)
      try {
        if (await withTenant(actor, (db) => beginTx(db, automation.id, one, span))) begun++
      } catch (error) {
        failures.push(error)
        log.error({ err: error, automationId, subjectId: one.subjectId }, 'an automation could not begin for one')
      }
    // once for all of them: each word of it makes open screens read anew
    if (begun > 0) await withTenant(actor, (db) => publishChange(db, 'automations', [automationId]))
    after = found.at(-1)
    if (found.length < most) break
  }
  if (failures.length > 0)
    throw new Error(`An automation could not begin for ${failures.length}`, { cause: failures[0] })
}

type Waiting = Begun & { id: string; automationId: string; createdAt: string }

/** Of runs that wait those that wait no longer, with why. */
const listStale = async (db: TenantDb, waiting: readonly Waiting[]): Promise<{ run: Waiting; reason: string }[]> => {
  const oldest = clock.nowMs() - decideDays * 24 * hourMs
  const isOld = (run: Waiting): boolean => Date.parse(run.createdAt) < oldest
  const old = waiting.filter(isOld).map((run) => ({ run, reason: `Nobody decided within ${decideDays} days` }))
  const stale = [...old]
  const young = Map.groupBy(
    waiting.filter((run) => !isOld(run)),
    ({ automationId }) => automationId,
  )
  for (const [automationId, runs] of young) {
    const standing = new Set(await listStanding(db, await getAutomationRow(db, automationId), runs))
    stale.push(...runs.filter((run) => !standing.has(run)).map((run) => ({ run, reason: goneWords })))
  }
  return stale
}

/** What waited too long, or has no reason any more, waits no longer. */
const cancelStale = async (actor: SystemActor): Promise<void> => {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const waiting: Waiting[] = await withTenant(actor, (db) =>
      db
        .selectFrom('automationRuns')
        .select([
          'id',
          'automationId',
          'customerId',
          'propertyId',
          'subjectId',
          'occurrence',
          'round',
          'dueAt',
          'createdAt',
        ])
        .where('businessId', '=', db.businessId)
        .where('status', '=', sql.lit('waiting'))
        .where('id', '>', after)
        .orderBy('id')
        .limit(most)
        .execute(),
    )
    const stale = await withTenant(actor, (db) => listStale(db, waiting))
    await forEach(
      'canceling what waits for nothing',
      stale,
      ({ run }) => ({ runId: run.id }),
      ({ run, reason }) =>
        withTenant(actor, async (db) => {
          await lockCustomerTx(db, run.customerId)
          const [still] = await listStale(db, [run])
          if (still) await endTx(db, run.id, { status: 'canceled', reason })
        }),
    )
    if (waiting.length < most) return
    after = waiting.at(-1)?.id ?? after
  }
}

/** What became of beginnings so long ago that nothing asks for it any more; ids are UUIDv7, the oldest first. */
const forgetOld = async (db: TenantDb): Promise<void> => {
  const hex = (clock.nowMs() - keptDays * 24 * hourMs).toString(16).padStart(12, '0')
  await sql`
    delete from automation_runs where business_id = ${db.businessId} and id in (
      select r.id from automation_runs r where r.business_id = ${db.businessId} and r.status <> 'waiting'
        and r.id < ${`${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`}::uuid
      order by r.id limit ${most * 10})`.execute(db)
}

const hasPlan = async (db: TenantDb): Promise<boolean> =>
  isSubscriptionActive(
    await db
      .selectFrom('businesses')
      .select(['planTier', 'subscriptionStatus', 'pastDueSince'])
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow(),
    clock.nowMs(),
  )

/**
 * Everything that is due of what is on. However many processes run it, and wherever one is cut off, each thing that begins an automation has one
 * row, and that row one message. Without a plan nothing begins.
 */
export const runAutomations = async (actor: SystemActor): Promise<void> => {
  const work = [
    { what: 'cancel', run: () => cancelStale(actor) },
    { what: 'forget', run: () => withTenant(actor, forgetOld) },
  ]
  const on = await withTenant(actor, async (db) => ((await hasPlan(db)) ? listSwitchedOn(db) : []))
  await forEach(
    'automations',
    [...work, ...on.map(({ id }) => ({ what: id, run: () => runOne(actor, id) }))],
    ({ what }) => ({ what }),
    ({ run }) => run(),
  )
}
