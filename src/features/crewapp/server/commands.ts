import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { emit } from '../../../platform/events/events.ts'
import { dayOf } from '../../../shared/dates.ts'
import type { CommandReply, CommandResult, Employee } from '../contract.ts'
import { type CommandReason, type CrewCommand, faultOf, isClockCommand, ourInstant, skewOf } from '../rules.ts'
import { applyClock, applyVisit } from './apply/commands.ts'
import { crewIdsOf, placeOf } from './members/queries.ts'
import { findStop, getEmployee } from './queries.ts'

type Outcome = { result: Exclude<CommandResult, 'duplicate'>; reason: CommandReason | null }

type Sent = { at: string; skewSeconds: number }

const outcomeOf = async (db: TenantDb, actor: Actor, command: CrewCommand, sent: Sent): Promise<Outcome> => {
  const fault = faultOf(command)
  if (fault) return { result: 'refused', reason: fault }
  if (isClockCommand(command.type)) {
    const [crewId = null] = await crewIdsOf(db, actor.userId, dayOf(sent.at, actor.timeZone))
    const event = {
      userId: actor.userId,
      at: sent.at,
      timeZone: actor.timeZone,
      skewSeconds: sent.skewSeconds,
      crewId,
      commandId: command.id,
    }
    return applyClock(db, command.type, command.payload, event)
  }
  const visitId = command.visitId ?? ''
  const place = await placeOf(db, actor, visitId)
  if (place !== 'mine') return { result: 'refused', reason: place === 'unknown' ? 'not_found' : 'not_yours' }
  return applyVisit(db, actor, command.type, visitId, command.payload, sent.at)
}

const known = async (db: TenantDb, actor: Actor, id: string): Promise<Outcome | null> => {
  const row = await db
    .selectFrom('crewCommands')
    .select(['userId', 'result', 'reason'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  if (row.userId !== actor.userId) return { result: 'refused', reason: 'other_person' }
  return { result: row.result as Outcome['result'], reason: row.reason as CommandReason | null }
}

const applyOne = (actor: Actor, command: CrewCommand, skewSeconds: number): Promise<CommandReply> =>
  withTenant(actor, async (db) => {
    // One after the other for a person, also from two batches at once: the second finds what the first did.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`crew:${actor.businessId}:${actor.userId}`}, 0))`.execute(
      db,
    )
    const visitOf = async (reason: CommandReason | null) =>
      command.visitId && reason !== 'not_found' && reason !== 'not_yours' ? findStop(db, actor, command.visitId) : null
    const before = await known(db, actor, command.id)
    if (before) {
      const result = before.result === 'applied' ? 'duplicate' : before.result
      return { id: command.id, result, reason: before.reason, visit: await visitOf(before.reason) }
    }
    const sent = { at: ourInstant(command.at, skewSeconds, clock.nowMs()), skewSeconds }
    const outcome = await outcomeOf(db, actor, command, sent)
    const deviceAt = Number.isNaN(Date.parse(command.at)) ? clock.iso() : new Date(command.at).toISOString()
    await db
      .insertInto('crewCommands')
      .values({
        businessId: db.businessId,
        id: command.id,
        userId: actor.userId,
        type: command.type,
        visitId: command.visitId ?? null,
        payload: JSON.stringify({ ...command.payload, visitVersion: command.visitVersion, skewSeconds }),
        deviceAt,
        receivedAt: clock.iso(),
        result: outcome.result,
        reason: outcome.reason,
        reply: JSON.stringify({ id: command.id, ...outcome }),
      })
      .execute()
    if (outcome.result === 'conflict')
      await emit(db, 'command.conflicted', { commandId: command.id, visitId: command.visitId ?? null })
    return { id: command.id, ...outcome, visit: await visitOf(outcome.reason) }
  })

/**
 * Applies what a phone did, in the order in which it did it. Each command is its own transaction and is applied once by its id; what was not
 * answered is sent again and answered as before.
 */
export const applyCommands = async (
  actor: Actor,
  commands: readonly CrewCommand[],
  sentAt: string | undefined,
): Promise<{ results: CommandReply[]; serverTime: string }> => {
  const skewSeconds = skewOf(sentAt, clock.nowMs())
  const results: CommandReply[] = []
  for (const command of commands) results.push(await applyOne(actor, command, skewSeconds))
  return { results, serverTime: clock.iso() }
}

/** The language of a person's crew app. */
export const setLanguage = (actor: Actor, language: 'en' | 'es'): Promise<Employee> =>
  withTenant(actor, async (db) => {
    await db
      .updateTable('users')
      .set({ language, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', actor.userId)
      .execute()
    return getEmployee(db, actor)
  })
