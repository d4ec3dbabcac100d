import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor, SystemActor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { enqueue, enqueueAll, task, taskName } from '../../../../platform/tasks/task.ts'
import { AppError, conflict, invalid } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { isReached, unreachedWords } from '../../../messages/paperways/rules.ts'
import { listPaperReach } from '../../../messages/paperways/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import type { StatementRun } from '../contract.ts'
import { periodProblem, runWords } from '../rules.ts'
import { sendStatementOf } from './commands.ts'
import { countOpenStatements, isOwing, lastStatementRun, listOwing } from './queries.ts'

/**
 * Statements to all who owe. A run looks through them in steps behind a cursor, a transaction each; every customer found is a row of the run and
 * a task of its own. What became of theirs is written by the transaction that puts it into the outbox, so a step or a task that runs again finds
 * it done.
 */

/** So many customers are looked at in one step. */
const atOnce = 200
/** A run of which nothing was heard for so long was given up by its tasks. */
const staleMs = 10 * 60_000

type State = 'waiting' | 'sent' | 'settled' | 'unreached' | 'failed'

const markTx = async (
  db: TenantDb,
  runId: string,
  customerId: string,
  state: State,
  problem = '',
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('statementSendings')
    .set({ state, problem: problem.slice(0, 500), updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('runId', '=', runId)
    .where('customerId', '=', customerId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const lockRunTx = (db: TenantDb, runId: string) =>
  db
    .selectFrom('statementRuns')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', runId)
    .where('status', '=', 'running')
    .forUpdate()
    .executeTakeFirst()

const sendOneTask = taskName({
  name: 'invoices.sendStatement',
  payload: z.object({ customerId: z.uuid(), from: z.string(), to: z.string(), run: z.uuid() }),
})

/** Takes the next customers who owe. @returns whether more may be there */
export const stepRunTx = async (db: TenantDb, runId: string): Promise<boolean> => {
  const run = await lockRunTx(db, runId)
  if (!run || run.collected) return false
  const ids = (await listOwing(db, run.reachedTo, atOnce)).map(({ id }) => id)
  if (ids.length > 0) {
    const reachOf = await listPaperReach(db, ids)
    const found = ids.map((customerId) => {
      const reach = reachOf(customerId)
      return isReached(reach)
        ? { customerId, state: 'waiting' as const, problem: '' }
        : { customerId, state: 'unreached' as const, problem: unreachedWords(reach) }
    })
    const now = clock.iso()
    await db
      .insertInto('statementSendings')
      .values(found.map((one) => ({ businessId: db.businessId, runId, updatedAt: now, ...one })))
      .onConflict((c) => c.columns(['businessId', 'runId', 'customerId']).doNothing())
      .execute()
    await enqueueAll(
      db,
      sendOneTask,
      found
        .filter(({ state }) => state === 'waiting')
        .map(({ customerId }) => ({
          payload: { customerId, from: run.fromOn, to: run.toOn, run: runId },
          key: `${customerId}:${runId}`,
        })),
    )
  }
  const more = ids.length === atOnce
  await db
    .updateTable('statementRuns')
    .set({ reachedTo: ids.at(-1) ?? run.reachedTo, collected: !more })
    .where('businessId', '=', db.businessId)
    .where('id', '=', runId)
    .execute()
  await publishChange(db, 'invoices')
  return more
}

const closeTx = async (db: TenantDb, runId: string): Promise<void> => {
  await db
    .updateTable('statementRuns')
    .set({ status: 'done', collected: true, doneAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', runId)
    .execute()
  const run = await lastStatementRun(db, runId)
  if (!run) return
  const { title, content } = runWords(run)
  await notifyOffice(db, {
    type: 'invoice',
    title,
    content,
    path: linkTo.invoices({ statements: true }),
    dedupeKey: `statements:${runId}`,
  })
  await publishChange(db, 'invoices')
}

/** Ends a run when nobody waits any more. Asked after the commit of each sending: who asks last sees all of them. */
const finishTx = async (db: TenantDb, runId: string): Promise<void> => {
  const run = await lockRunTx(db, runId)
  if (!run?.collected) return
  const waits = await db
    .selectFrom('statementSendings')
    .select('customerId')
    .where('businessId', '=', db.businessId)
    .where('runId', '=', runId)
    .where('state', '=', 'waiting')
    .limit(1)
    .executeTakeFirst()
  if (!waits) await closeTx(db, runId)
}

export const continueStatementRun = task({
  name: 'invoices.statementRun',
  payload: z.object({ runId: z.uuid() }),
  queue: (_payload, businessId) => `invoices.statementRun:${businessId}`,
  run: async (actor, { runId }) => {
    while (await withTenant(actor, (db) => stepRunTx(db, runId)));
    await withTenant(actor, (db) => finishTx(db, runId))
  },
  // who was found gets theirs and the run ends with them; the office reads how many it was meant for
  gaveUp: async (actor, { runId }) => {
    await withTenant(actor, (db) =>
      db
        .updateTable('statementRuns')
        .set({ collected: true })
        .where('businessId', '=', db.businessId)
        .where('id', '=', runId)
        .where('status', '=', 'running')
        .execute(),
    )
    await withTenant(actor, (db) => finishTx(db, runId))
  },
})

/** One of many statements. Who paid since is not written to, and one that could not be made says why. */
export const sendOneOfMany = async (
  actor: SystemActor,
  { customerId, from, to, run }: z.output<typeof sendOneTask.payload>,
): Promise<void> => {
  const isWanted = await withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('statementSendings')
      .select('state')
      .where('businessId', '=', db.businessId)
      .where('runId', '=', run)
      .where('customerId', '=', customerId)
      .executeTakeFirst()
    if (row?.state !== 'waiting') return false
    if (await isOwing(db, customerId)) return true
    await markTx(db, run, customerId, 'settled')
    return false
  })
  if (isWanted)
    try {
      await sendStatementOf(actor, customerId, { from, to }, run, (db) => markTx(db, run, customerId, 'sent'))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await withTenant(actor, (db) => markTx(db, run, customerId, 'failed', error.message))
    }
  await withTenant(actor, (db) => finishTx(db, run))
}

export const sendStatementWork = task({
  ...sendOneTask,
  run: sendOneOfMany,
  gaveUp: async (actor, { customerId, run }) => {
    await withTenant(actor, (db) =>
      markTx(
        db,
        run,
        customerId,
        'failed',
        'It could not be made, after several tries. Send theirs from the customer.',
      ),
    )
    await withTenant(actor, (db) => finishTx(db, run))
  },
})

/** A run that goes on is waited for; one that stands still is ended, with what it did not send named. */
const endStaleTx = async (db: TenantDb): Promise<void> => {
  const running = await db
    .selectFrom('statementRuns')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'running')
    .forUpdate()
    .executeTakeFirst()
  if (!running) return
  const { rows } = await sql<{ at: string | null; done: number }>`
    select max(updated_at) as at, count(*) filter (where state <> 'waiting')::int as done from statement_sendings
    where business_id = ${db.businessId} and run_id = ${running.id}`.execute(db)
  const heard = Date.parse(rows[0]?.at ?? running.createdAt)
  if (clock.nowMs() - heard < staleMs)
    throw conflict(
      `Statements are being sent right now: ${rows[0]?.done ?? 0} of ${running.expected}. Nothing was sent by this press.`,
    )
  await db
    .updateTable('statementSendings')
    .set({ state: 'failed', problem: 'The sending stood still before theirs. Send it from the customer.' })
    .where('businessId', '=', db.businessId)
    .where('runId', '=', running.id)
    .where('state', '=', 'waiting')
    .execute()
  await closeTx(db, running.id)
}

/**
 * Asks for the statements of all who owe, each once.
 * @param input.lastId the sending that the person saw last: where another one was made since, nothing is sent
 * @throws state_conflict where one is under way, or they are other people than were counted
 */
export const sendOpenStatements = (
  actor: Actor,
  { from, to, count, lastId }: { from: string; to: string; count: number; lastId: string | null },
): Promise<StatementRun> =>
  withTenant(actor, async (db) => {
    const problem = periodProblem(from, to)
    if (problem) throw invalid([{ path: 'from', message: problem }])
    // two presses at once: the second one waits here and then sees the first
    await sql`select pg_advisory_xact_lock(hashtextextended(${`statements:${db.businessId}`}, 0))`.execute(db)
    await endStaleTx(db)
    const last = await lastStatementRun(db)
    if (last && last.id !== lastId)
      throw conflict(
        'Statements were sent since you looked. Nothing was sent by this press: see below who got one, and press again if you want to.',
      )
    if ((await countOpenStatements(db)).count !== count)
      throw conflict(
        'Somebody paid, or was invoiced, in the meantime. Nothing was sent: look at the new number and press again.',
      )
    const id = newId()
    await db
      .insertInto('statementRuns')
      .values({
        businessId: db.businessId,
        id,
        status: 'running',
        fromOn: from,
        toOn: to,
        expected: count,
        createdBy: actor.userId,
        createdAt: clock.iso(),
      })
      .execute()
    await enqueue(db, continueStatementRun, { runId: id }, { key: id })
    await audit(db, actor, 'statement.sendAll', { type: 'business', id: db.businessId }, { after: { from, to, count } })
    const run = await lastStatementRun(db, id)
    if (!run) throw new Error('A run that was just made is not there.')
    return run
  })
