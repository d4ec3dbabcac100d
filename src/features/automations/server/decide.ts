import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { refuse } from '../../../shared/can.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import type { AutomationRun } from '../contract.ts'
import type { Way } from '../kinds/rules.ts'
import { goneWords, runRefusals } from '../rules.ts'
import { lockCustomerTx } from './commands.ts'
import { stillStands } from './facts.ts'
import { judgeNow } from './judging.ts'
import { getRun } from './queries.ts'
import { getAutomationRow } from './rows.ts'
import { endTx, sendTx } from './sending.ts'
import { draftOf, isSealOf } from './words.ts'

/** What the office says to messages that wait for its yes. */

/** A run that waits, with its automation, under the locks of both. @throws not_found, version_conflict, state_conflict */
const lockWaiting = async (db: TenantDb, id: string, version: number) => {
  const seen = await db
    .selectFrom('automationRuns')
    .select(['customerId', 'automationId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!seen) throw notFound('message')
  await lockCustomerTx(db, seen.customerId)
  // before its run, in the order in which switching off takes them
  const automation = await getAutomationRow(db, seen.automationId, 'share')
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
  return { run, automation }
}

type Yes = { id: string; version: number; seal: string }
type Answer = 'sent' | 'not' | 'other words' | 'another way'

/**
 * Sends one that waits in the words that were seen, unless something speaks against it by now: that is asked once more. Where it would read
 * otherwise, or leave by another way, it goes on waiting.
 */
const approveTx = async (db: TenantDb, actor: Actor, { id, version, seal }: Yes): Promise<Answer> => {
  const { run, automation } = await lockWaiting(db, id, version)
  const end = async (how: Parameters<typeof endTx>[2]) => {
    await endTx(db, id, how, actor)
    await audit(db, actor, 'automation.approve', { type: 'automation_run', id }, { after: { status: how.status } })
    return how.status === 'sent' ? 'sent' : 'not'
  }
  if (!(await stillStands(db, automation, run))) return end({ status: 'canceled', reason: goneWords })
  const judged = await judgeNow(db, automation, run)
  if (judged.channel === null) return end({ status: 'skipped', reason: judged.reason })
  const draft = await draftOf(db, automation, run)
  if (judged.channel !== run.channel) {
    await setWay(db, run, judged.channel)
    return 'another way'
  }
  if (!isSealOf(id, judged.channel, draft, seal)) return 'other words'
  const sending = await sendTx(db, automation, run, judged)
  // what was said yes to is what leaves, whatever the automation says by then
  return end(
    sending.status === 'sent' ? { ...sending, ownSubject: draft.words.subject, ownText: draft.words.text } : sending,
  )
}

const setWay = async (db: TenantDb, run: { id: string; version: number; automationId: string }, channel: Way) => {
  await db
    .updateTable('automationRuns')
    .set({ channel, version: run.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', run.id)
    .execute()
  await publishChange(db, 'automations', [run.automationId])
}

/**
 * One that would leave by another way than was seen goes on waiting, with that way.
 * @throws not_found, version_conflict, state_conflict where it would read otherwise than it was seen
 */
export const approveRun = (actor: Actor, yes: Yes): Promise<AutomationRun> =>
  withTenant(actor, async (db) => {
    if ((await approveTx(db, actor, yes)) === 'other words')
      throw conflict('It reads otherwise by now than you saw it. Nothing was sent: look at it once more, then send it.')
    return getRun(db, actor, yes.id)
  })

/** Sends those that were seen; one that changed since is left as it is. */
export const approveRuns = (
  actor: Actor,
  runs: readonly Yes[],
): Promise<{ sent: number; notSent: number; changed: number }> =>
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
    const seen = new Map(runs.map((run) => [run.id, run]))
    const answers: Answer[] = []
    for (const { id, version } of rows) {
      const yes = seen.get(id)
      if (yes) answers.push(yes.version === version ? await approveTx(db, actor, yes) : 'other words')
    }
    const sent = answers.filter((one) => one === 'sent').length
    const changed = answers.filter((one) => one === 'other words' || one === 'another way').length
    return { sent, changed, notSent: runs.length - sent - changed }
  })

export const dropRun = (actor: Actor, id: string, version: number): Promise<AutomationRun> =>
  withTenant(actor, async (db) => {
    await lockWaiting(db, id, version)
    await endTx(db, id, { status: 'dropped', reason: null }, actor)
    await audit(db, actor, 'automation.drop', { type: 'automation_run', id })
    return getRun(db, actor, id)
  })

/** Other words for this one alone, with variables that are filled in as it leaves; it goes on waiting. */
export const editRun = (
  actor: Actor,
  id: string,
  { subject, text, version }: { subject?: string | undefined; text: string; version: number },
): Promise<AutomationRun> =>
  withTenant(actor, async (db) => {
    const { run } = await lockWaiting(db, id, version)
    if (run.channel === 'email' && subject !== undefined && subject.trim() === '')
      throw invalid([{ path: 'subject', message: 'It leaves as an e-mail: write a subject.' }])
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
