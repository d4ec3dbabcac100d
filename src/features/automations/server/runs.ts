import { sql } from 'kysely'
import { type Actor, type SystemActor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { forEach } from '../../../platform/tasks/walk.ts'
import { refuse } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { hubPath } from '../../../shared/paths.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { notifyOffice } from '../../notifications/server/commands.ts'
import type { AutomationRun } from '../contract.ts'
import { kinds } from '../kinds/rules.ts'
import { decideDays, type Judged, judge, runRefusals } from '../rules.ts'
import { lockCustomerTx } from './commands.ts'
import { type Begun, listBegun, type Span, stillStands } from './facts.ts'
import { readJudgeFacts } from './judging.ts'
import { countWaiting, getRun } from './queries.ts'
import { type AutomationRow, getAutomationRow, listSwitchedOn } from './rows.ts'
import { composed, finalDraftOf } from './words.ts'

/** So many of an automation are read at once; a run goes through all of them. */
const most = 100
const hourMs = 3_600_000
const gone = 'What it was about has changed'

const judgeNow = async (db: TenantDb, automation: AutomationRow, customerId: string): Promise<Judged> => {
  const facts = (await readJudgeFacts(db, automation, [customerId]))(customerId)
  return judge({ ...automation, isOffer: kinds[automation.kind].isOffer }, facts, clock.nowMs())
}

type RunRow = { id: string; customerId: string; subjectId: string; ownSubject: string | null; ownText: string | null }

/** What becomes of a run that may leave: its message in the outbox, or why there is none. */
const sendTx = async (
  db: TenantDb,
  automation: AutomationRow,
  run: RunRow,
): Promise<{ status: 'sent'; channel: 'sms' | 'email'; queuedAt: string } | { status: 'skipped'; reason: string }> => {
  const judged = await judgeNow(db, automation, run.customerId)
  if (judged.channel === null) return { status: 'skipped', reason: judged.reason }
  const draft = await finalDraftOf(db, automation, run)
  if (draft.problem !== null) return { status: 'skipped', reason: draft.problem }
  const to = { channel: judged.channel, address: judged.address, customerId: run.customerId }
  await queueMessage(db, {
    ...to,
    purpose: kinds[automation.kind].isOffer ? 'marketing' : 'transactional',
    dedupeKey: `automation:${run.id}`,
    entity: { type: 'automation_run', id: run.id },
    ...(await composed(db, automation, draft, to)),
  })
  return { status: 'sent', channel: judged.channel, queuedAt: clock.iso() }
}

/** Begins one: it leaves, waits for a yes, or is put down with why it does neither. Whoever comes second finds its row. */
const beginTx = async (db: TenantDb, automationId: string, found: Begun, span: Span): Promise<void> => {
  await lockCustomerTx(db, found.customerId)
  const automation = await getAutomationRow(db, automationId)
  if (!automation.enabled) return
  const [still] = await listBegun(db, automation, span, {
    fresh: true,
    past: false,
    limit: 1,
    subjectId: found.subjectId,
    since: automation.enabledAt,
  })
  if (!still) return
  const id = newId()
  const { customerId, subjectId, occurrence, dueAt } = still
  const run = { id, customerId, subjectId, ownSubject: null, ownText: null }
  const judged = automation.approval === 'ask' ? await judgeNow(db, automation, customerId) : null
  const become =
    judged === null
      ? await sendTx(db, automation, run)
      : judged.channel === null
        ? ({ status: 'skipped', reason: judged.reason } as const)
        : ({ status: 'waiting', channel: judged.channel } as const)
  const now = clock.iso()
  await db
    .insertInto('automationRuns')
    .values({
      businessId: db.businessId,
      automationId,
      ...run,
      occurrence,
      dueAt,
      ...become,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  if (become.status === 'waiting') await ringTx(db)
  await publishChange(db, 'automations', [automationId])
}

/** The bell says how many wait, once a day anew. */
const ringTx = async (db: TenantDb): Promise<void> => {
  const count = await countWaiting(db)
  await notifyOffice(db, {
    type: 'other',
    topic: 'needsYou',
    title: count === 1 ? 'An automatic message waits for your yes' : `${count} automatic messages wait for your yes`,
    content: 'Nothing of it leaves before somebody has looked.',
    path: hubPath('customers', 'automations'),
    dedupeKey: `automations-wait:${await todayOf(db)}`,
    again: true,
  })
}

const spanOf = ({ kind }: AutomationRow): Span => ({
  from: new Date(clock.nowMs() - kinds[kind].lateHours * hourMs).toISOString(),
  to: clock.iso(),
})

const runOne = async (actor: SystemActor, automationId: string): Promise<void> => {
  for (;;) {
    // as it is now: who switches it off or narrows it in the middle ends or narrows the rest
    const [automation] = (await withTenant(actor, listSwitchedOn)).filter(({ id }) => id === automationId)
    if (!automation) return
    const span = spanOf(automation)
    const found = await withTenant(actor, (db) =>
      listBegun(db, automation, span, { fresh: true, past: false, limit: most, since: automation.enabledAt }),
    )
    for (const one of found) await withTenant(actor, (db) => beginTx(db, automation.id, one, span))
    if (found.length < most) return
  }
}

/** What waited too long, or has no reason any more, waits no longer. */
const cancelStale = async (actor: SystemActor): Promise<void> => {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const waiting = await withTenant(actor, (db) =>
      db
        .selectFrom('automationRuns')
        .select(['id', 'automationId', 'customerId', 'subjectId', 'occurrence', 'dueAt', 'createdAt'])
        .where('businessId', '=', db.businessId)
        .where('status', '=', sql.lit('waiting'))
        .where('id', '>', after)
        .orderBy('id')
        .limit(most)
        .execute(),
    )
    for (const run of waiting)
      await withTenant(actor, async (db) => {
        await lockCustomerTx(db, run.customerId)
        const automation = await getAutomationRow(db, run.automationId)
        const isOld = Date.parse(run.createdAt) < clock.nowMs() - decideDays * 24 * hourMs
        const reason = isOld
          ? `Nobody decided within ${decideDays} days`
          : (await stillStands(db, automation, run))
            ? null
            : gone
        if (reason !== null) await endTx(db, run.id, { status: 'canceled', reason })
      })
    if (waiting.length < most) return
    after = waiting.at(-1)?.id ?? after
  }
}

/**
 * Everything that is due of what is on. However many processes run it, and wherever one is cut off, each thing that begins an automation has one
 * row, and that row one message.
 */
export const runAutomations = async (actor: SystemActor): Promise<void> => {
  const on = await withTenant(actor, listSwitchedOn)
  await cancelStale(actor)
  await forEach(
    'automations',
    on,
    ({ id }) => ({ automationId: id }),
    ({ id }) => runOne(actor, id),
  )
}

type End =
  | { status: 'canceled' | 'skipped'; reason: string }
  | { status: 'dropped'; reason: null }
  | { status: 'sent'; channel: 'sms' | 'email'; queuedAt: string }

const endTx = async (db: TenantDb, id: string, end: End, who?: Who): Promise<void> => {
  const now = clock.iso()
  const ended = await db
    .updateTable('automationRuns')
    .set((eb) => ({
      ...end,
      ...(who ? { decidedBy: userIdOf(who), decidedAt: now } : {}),
      version: eb('version', '+', 1),
      updatedAt: now,
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('status', '=', sql.lit('waiting'))
    .returning('automationId')
    .executeTakeFirst()
  if (ended) await publishChange(db, 'automations', [ended.automationId])
}

/** A run that waits, under the lock of its customer. @throws not_found, version_conflict, state_conflict */
const lockWaiting = async (db: TenantDb, id: string, version: number) => {
  const seen = await db
    .selectFrom('automationRuns')
    .select('customerId')
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!seen) throw notFound('message')
  await lockCustomerTx(db, seen.customerId)
  const run = await db
    .selectFrom('automationRuns')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!run) throw notFound('message')
  refuse(runRefusals.approve(run))
  requireVersion(run, version, 'this message')
  return run
}

/** Sends one that waits, unless something speaks against it by now: that is asked once more. */
const approveTx = async (db: TenantDb, actor: Actor, id: string, version: number): Promise<boolean> => {
  const run = await lockWaiting(db, id, version)
  const automation = await getAutomationRow(db, run.automationId)
  const end: End = (await stillStands(db, automation, run))
    ? await sendTx(db, automation, run)
    : { status: 'canceled', reason: gone }
  await endTx(db, id, end, actor)
  await audit(db, actor, 'automation.approve', { type: 'automation_run', id }, { after: { status: end.status } })
  return end.status === 'sent'
}

export const approveRun = (actor: Actor, id: string, version: number): Promise<AutomationRun> =>
  withTenant(actor, async (db) => {
    await approveTx(db, actor, id, version)
    return getRun(db, actor, id)
  })

/** Sends those that were seen; one that changed since is left as it is. */
export const approveRuns = (
  actor: Actor,
  runs: readonly { id: string; version: number }[],
): Promise<{ sent: number; notSent: number }> =>
  withTenant(actor, async (db) => {
    const ids = runs.map(({ id }) => id)
    const { rows: people } = await sql<{ customerId: string }>`
      select distinct r.customer_id from automation_runs r
      where r.business_id = ${db.businessId} and r.status = 'waiting' and r.id = any(${ids}::uuid[])
      order by r.customer_id`.execute(db)
    // in one order, so that two who press at once wait for each other and not for ever; then what the other did is seen
    for (const { customerId } of people) await lockCustomerTx(db, customerId)
    const { rows } = await sql<{ id: string; version: number }>`
      select r.id, r.version from automation_runs r
      where r.business_id = ${db.businessId} and r.status = 'waiting' and r.id = any(${ids}::uuid[])
        and r.customer_id = any(${people.map(({ customerId }) => customerId)}::uuid[])
      order by r.id`.execute(db)
    const seen = new Map(runs.map(({ id, version }) => [id, version]))
    let sent = 0
    for (const { id, version } of rows)
      if (seen.get(id) === version && (await approveTx(db, actor, id, version))) sent++
    return { sent, notSent: runs.length - sent }
  })

export const dropRun = (actor: Actor, id: string, version: number): Promise<AutomationRun> =>
  withTenant(actor, async (db) => {
    await lockWaiting(db, id, version)
    await endTx(db, id, { status: 'dropped', reason: null }, actor)
    await audit(db, actor, 'automation.drop', { type: 'automation_run', id })
    return getRun(db, actor, id)
  })

/** Other words for this one alone; it goes on waiting. */
export const editRun = (
  actor: Actor,
  id: string,
  { subject, text, version }: { subject?: string | undefined; text: string; version: number },
): Promise<AutomationRun> =>
  withTenant(actor, async (db) => {
    const run = await lockWaiting(db, id, version)
    await db
      .updateTable('automationRuns')
      .set({
        ownText: text,
        ...(subject === undefined ? {} : { ownSubject: subject }),
        version: run.version + 1,
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, 'automation.edit', { type: 'automation_run', id }, { after: { text } })
    await publishChange(db, 'automations', [run.automationId])
    return getRun(db, actor, id)
  })

/** Asked once more as a message leaves, maybe a night later: why it says nothing any more, or null. */
export const whyNotNow = async (db: TenantDb, runId: string): Promise<string | null> => {
  const run = await db
    .selectFrom('automationRuns')
    .select(['automationId', 'customerId', 'subjectId', 'occurrence', 'dueAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', runId)
    .executeTakeFirst()
  if (!run) return gone
  const automation = await getAutomationRow(db, run.automationId)
  if (!automation.enabled) return 'The automation was switched off before it left'
  const off = await db
    .selectFrom('automationOptOuts')
    .select('at')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', run.customerId)
    .where('automationId', '=', run.automationId)
    .executeTakeFirst()
  if (off) return 'Switched off for this customer before it left'
  return (await stillStands(db, automation, run)) ? null : `${gone} before it left`
}
