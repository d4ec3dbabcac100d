import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import { invalid, notFound } from '../../../shared/errors.ts'
import { linkTo } from '../../../shared/links.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { requireCustomer } from '../../customers/server/queries.ts'
import { recallFollowUpsTx, recallTextBackTx } from '../../messages/server/commands.ts'
import { notifyOffice } from '../../notifications/server/commands.ts'
import type { CustomerCall, NewCall, NewTask, OfficeTask, TaskChanges } from '../contract.ts'
import { followUpTitle, taskRefusals } from '../rules.ts'
import { getCall, getTask, listTaskPeople } from './queries.ts'

/** What the office has to do, and the calls it comes of. */

const requireOwner = async (db: TenantDb, ownerId: string | null | undefined, path = 'ownerId'): Promise<void> => {
  if (!ownerId || (await listTaskPeople(db)).some(({ id }) => id === ownerId)) return
  throw invalid([{ path, message: 'This person is not in the office. Choose somebody else, or anybody.' }])
}

const tell = async (db: TenantDb, id: string, customerId: string | null): Promise<void> => {
  await publishChange(db, 'tasks', [id])
  if (customerId) await publishChange(db, 'customers', [customerId])
}

/** Adds a task inside a running transaction; for what other features leave to the office, too. */
export const addTaskTx = async (
  db: TenantDb,
  who: Who,
  input: Omit<NewTask, 'note'> & { note?: string; callId?: string },
): Promise<string> => {
  if (input.customerId) await requireCustomer(db, input.customerId)
  const id = newId()
  const now = clock.iso()
  await db
    .insertInto('officeTasks')
    .values({ ...input, businessId: db.businessId, id, createdBy: userIdOf(who), createdAt: now, updatedAt: now })
    .execute()
  await audit(db, who, 'task.add', { type: 'task', id }, { after: { title: input.title, dueOn: input.dueOn } })
  await tell(db, id, input.customerId)
  return id
}

export const addTask = (who: Actor, input: NewTask): Promise<OfficeTask> =>
  withTenant(who, async (db) => {
    await requireOwner(db, input.ownerId)
    return getTask(db, who, await addTaskTx(db, who, input))
  })

const lockTask = async (db: TenantDb, id: string) => {
  const row = await db
    .selectFrom('officeTasks')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('task')
  return row
}

const setTask = async (
  db: TenantDb,
  who: Actor,
  row: Awaited<ReturnType<typeof lockTask>>,
  values: Record<string, unknown>,
): Promise<OfficeTask> => {
  await db
    .updateTable('officeTasks')
    .set({ ...values, version: row.version + 1, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  await tell(db, row.id, row.customerId)
  return getTask(db, who, row.id)
}

export const updateTask = (who: Actor, id: string, { version, ...changes }: TaskChanges): Promise<OfficeTask> =>
  withTenant(who, async (db) => {
    const row = await lockTask(db, id)
    requireVersion(row, version, 'this task')
    refuse(taskRefusals.update(row))
    if (changes.ownerId !== row.ownerId) await requireOwner(db, changes.ownerId)
    const before = Object.fromEntries(Object.keys(changes).map((key) => [key, row[key as keyof typeof row]]))
    await audit(db, who, 'task.update', { type: 'task', id }, { before, after: changes })
    return setTask(db, who, row, changes)
  })

export const finishTask = (who: Actor, id: string): Promise<OfficeTask> =>
  withTenant(who, async (db) => {
    const row = await lockTask(db, id)
    refuse(taskRefusals.finish(row))
    await audit(db, who, 'task.finish', { type: 'task', id })
    return setTask(db, who, row, { doneAt: clock.iso(), doneBy: who.userId })
  })

export const reopenTask = (who: Actor, id: string): Promise<OfficeTask> =>
  withTenant(who, async (db) => {
    const row = await lockTask(db, id)
    refuse(taskRefusals.reopen(row))
    await audit(db, who, 'task.reopen', { type: 'task', id })
    return setTask(db, who, row, { doneAt: null, doneBy: null })
  })

export const removeTask = (who: Actor, id: string): Promise<{ id: string }> =>
  withTenant(who, async (db) => {
    const { title, note, dueOn, ownerId, customerId } = await lockTask(db, id)
    await db.deleteFrom('officeTasks').where('businessId', '=', db.businessId).where('id', '=', id).execute()
    const before = { title, note, dueOn, ownerId, customerId }
    await audit(db, who, 'task.remove', { type: 'task', id }, { before })
    await tell(db, id, customerId)
    return { id }
  })

/** Logs a call; its follow-up is a task of the same transaction. */
export const logCall = (
  who: Actor,
  customerId: string,
  { followUp, at, ...input }: NewCall,
): Promise<{ call: CustomerCall; task: OfficeTask | null }> =>
  withTenant(who, async (db) => {
    const now = clock.iso()
    if (at && at > now && Date.parse(at) > clock.nowMs() + 60_000)
      throw invalid([{ path: 'at', message: 'A call that is still to come is a task. Nothing was saved.' }])
    await requireCustomer(db, customerId)
    if (followUp) await requireOwner(db, followUp.ownerId, 'followUp.ownerId')
    const id = newId()
    await db
      .insertInto('customerCalls')
      .values({
        ...input,
        businessId: db.businessId,
        id,
        customerId,
        userId: who.userId,
        at: at ?? now,
        createdAt: now,
      })
      .execute()
    await audit(db, who, 'call.log', { type: 'customer', id: customerId }, { after: { ...input, callId: id } })
    // Who was called back, or reached a mailbox of theirs, needs no word that they were missed.
    if (input.outcome !== 'no_answer') await recallTextBackTx(db, customerId)
    if (input.outcome === 'talked' || input.direction === 'in') await recallFollowUpsTx(db, customerId)
    const taskId = followUp ? await addTaskTx(db, who, { ...followUp, note: input.note, customerId, callId: id }) : null
    await publishChange(db, 'customers', [customerId])
    return { call: await getCall(db, id), task: taskId ? await getTask(db, who, taskId) : null }
  })

/** A call of a customer that nobody took: it stands in their timeline, and somebody is to call back today; several calls are one task. */
export const missedCallTx = async (db: TenantDb, who: Who, customerId: string): Promise<void> => {
  const { name } = await db
    .selectFrom('customers')
    .select('name')
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const id = newId()
  const now = clock.iso()
  await db
    .insertInto('customerCalls')
    .values({
      businessId: db.businessId,
      id,
      customerId,
      direction: 'in',
      outcome: 'no_answer',
      note: '',
      userId: null,
      at: now,
      createdAt: now,
    })
    .execute()
  await recallFollowUpsTx(db, customerId)
  await publishChange(db, 'customers', [customerId])
  const title = followUpTitle(name)
  const there = await db
    .selectFrom('officeTasks')
    .select(['id', 'dueOn'])
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('title', '=', title)
    .where('doneAt', 'is', null)
    .orderBy('dueOn')
    .limit(1)
    .executeTakeFirst()
  const today = await todayOf(db)
  const note = 'They called, and nobody picked up.'
  if (!there) await addTaskTx(db, who, { title, note, dueOn: today, ownerId: null, customerId, callId: id })
  // what was meant for another week is for today now
  else if (there.dueOn > today)
    await db
      .updateTable('officeTasks')
      .set((eb) => ({ dueOn: today, version: eb('version', '+', 1) }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', there.id)
      .execute()
  await notifyOffice(db, {
    type: 'system',
    topic: 'needsYou',
    title: `${name} called, and nobody picked up`,
    content: 'Call back: it stands under Needs you.',
    customerId,
    path: linkTo.customer(customerId),
    dedupeKey: `missed-call:${id}`,
  })
}

export const removeCall = (who: Actor, id: string): Promise<{ id: string }> =>
  withTenant(who, async (db) => {
    const { customerId, ...call } = await getCall(db, id)
    // What was done of it stays done; what is still to do was only there because of the call.
    const gone = await db
      .deleteFrom('officeTasks')
      .where('businessId', '=', db.businessId)
      .where('callId', '=', id)
      .where('doneAt', 'is', null)
      .returning('id')
      .execute()
    await db.deleteFrom('customerCalls').where('businessId', '=', db.businessId).where('id', '=', id).execute()
    await audit(db, who, 'call.remove', { type: 'customer', id: customerId }, { before: call })
    for (const task of gone) await publishChange(db, 'tasks', [task.id])
    await publishChange(db, 'customers', [customerId])
    return { id }
  })

/** Calls and tasks of a customer become another's, all of them or those named: both are the same person. Returns which. */
export const moveCustomerCallsTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: { calls: readonly string[]; tasks: readonly string[] },
): Promise<{ calls: string[]; tasks: string[] }> => {
  const calls =
    only?.calls.length === 0
      ? []
      : await db
          .updateTable('customerCalls')
          .set({ customerId: toId })
          .where('businessId', '=', db.businessId)
          .where('customerId', '=', fromId)
          .$if(only !== undefined, (query) => query.where('id', 'in', [...(only?.calls ?? [])]))
          .returning('id')
          .execute()
  const tasks =
    only?.tasks.length === 0
      ? []
      : await db
          .updateTable('officeTasks')
          .set((eb) => ({ customerId: toId, version: eb('version', '+', 1), updatedAt: clock.iso() }))
          .where('businessId', '=', db.businessId)
          .where('customerId', '=', fromId)
          .$if(only !== undefined, (query) => query.where('id', 'in', [...(only?.tasks ?? [])]))
          .returning('id')
          .execute()
  if (tasks.length > 0) await publishChange(db, 'tasks')
  return { calls: calls.map(({ id }) => id), tasks: tasks.map(({ id }) => id) }
}
