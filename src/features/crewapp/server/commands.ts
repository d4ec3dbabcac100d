import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { isOutage } from '../../../platform/db/errors.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { emit } from '../../../platform/events/events.ts'
import { log } from '../../../platform/log.ts'
import { dayOf } from '../../../shared/dates.ts'
import { AppError } from '../../../shared/errors.ts'
import { changePersonTx } from '../../accounts/people/server/commands.ts'
import { countMessage } from '../../chat/server/commands.ts'
import { findMessage } from '../../chat/server/queries.ts'
import { listDoorFacts, mayCollect } from '../../payments/door/server/queries.ts'
import { isClockInstant } from '../../timeclock/rules.ts'
import { holdClockTx } from '../../timeclock/server/commands.ts'
import { findSpellAt } from '../../timeclock/server/queries.ts'
import type { CommandReply, Employee } from '../contract.ts'
import {
  type CommandOutcome,
  type CommandReason,
  type CrewCommand,
  failedOutcome,
  isChatCommand,
  isClockCommand,
  isDoorCommand,
  isExtraCommand,
  isOutOfPlace,
  isPaidCommand,
  isSheetCommand,
  isTreatCommand,
  ourInstant,
  skewOf,
  storable,
  tapSkew,
  validationErrorOf,
} from '../rules.ts'
import { applyClock, applyCrewClock, applySheet, applyVisit } from './apply/commands.ts'
import { applyChat } from './chat/commands.ts'
import { applyDoor } from './door/commands.ts'
import { applyExtra } from './extras/commands.ts'
import { noteGateSeen } from './gate/commands.ts'
import { applyMark } from './marks/commands.ts'
import { crewIdsOf, listMine, mayClockCrew, placeOf } from './members/queries.ts'
import { applyPaid } from './paid/commands.ts'
import { getEmployee } from './queries.ts'
import { applyNoted } from './quotes/commands.ts'
import { applySale } from './sales/commands.ts'
import { findStops } from './stops/queries.ts'
import { applyTreat, holdTreatTx, keepNoRecord } from './treat/commands.ts'
import { applyTruckCheck } from './truckcheck/commands.ts'

type Sent = { at: string; skewSeconds: number }

type Known = CommandOutcome & { attempt: number; at: string; skewSeconds: number; decision: 'counts' | 'stands' | null }

const longestWaitMs = 400 * 86_400_000

const outcomeOf = async (
  db: TenantDb,
  actor: Actor,
  command: CrewCommand,
  sent: Sent,
  { before, byOffice, customerId }: { before: Known | null; byOffice: boolean; customerId?: string | undefined },
): Promise<CommandOutcome> => {
  const validationError = validationErrorOf(command)
  if (validationError) return { result: 'refused', reason: validationError }
  if (isClockCommand(command.type)) {
    // Nobody's phone waits so long: its clock is broken.
    if (clock.nowMs() - Date.parse(sent.at) > longestWaitMs) return { result: 'refused', reason: 'invalid' }
    const { type, payload } = command
    const forCrew = payload.crew && (type === 'clock_in' || type === 'clock_out')
    // Work that goes on after midnight is that of the day and the crew with which it began.
    const spell = forCrew && type === 'clock_out' ? await findSpellAt(db, actor.userId, sent.at) : null
    const crewDay = dayOf(spell?.startedAt ?? sent.at, actor.timeZone)
    const crewIds = await crewIdsOf(db, actor.userId, crewDay)
    const crewId = spell?.crewId ?? crewIds[0] ?? null
    const event = {
      userId: actor.userId,
      at: sent.at,
      timeZone: actor.timeZone,
      skewSeconds: sent.skewSeconds,
      crewId,
      crewIds,
      commandId: command.id,
    }
    const outcome = await applyClock(db, type, payload, event)
    if (!forCrew || outcome.result === 'refused') return outcome
    if (await mayClockCrew(db, actor, crewId, crewDay)) await applyCrewClock(db, actor, type, { event, crewDay })
    else if (outcome.result === 'applied') return { result: 'applied', reason: 'own_only' }
    return outcome
  }
  if (isSheetCommand(command.type)) return applySheet(db, actor, command.type, command.payload)
  if (isChatCommand(command.type)) return applyChat(db, actor, command, sent.at)
  if (isPaidCommand(command.type)) return applyPaid(db, actor, command, sent.at)
  if (command.type === 'note_quote') return applyNoted(db, actor, command, sent.at)
  if (command.type === 'truck_check') return applyTruckCheck(db, actor, command, sent.at)
  const visitId = command.visitId ?? ''
  if (command.type === 'gate_seen') return noteGateSeen(db, actor, visitId, sent.at)
  const place = await placeOf(db, actor, visitId)
  if (isDoorCommand(command.type)) return applyDoor(db, actor, command, { at: sent.at, place, byOffice, customerId })
  if (command.type === 'sell') return applySale(db, actor, command, { at: sent.at, place, byOffice })
  if (isExtraCommand(command.type)) return applyExtra(db, actor, command, { at: sent.at, place, byOffice })
  if (command.type === 'mark') return applyMark(db, actor, command, { at: sent.at, place, byOffice })
  if (isTreatCommand(command.type)) return applyTreat(db, actor, command, { at: sent.at, place, byOffice })
  // The lawn was worked all the same, days ago perhaps: the office hears of it and decides.
  if (place === 'unknown') return { result: 'conflict', reason: 'not_found' }
  if (place === 'notMine' && !byOffice) return { result: 'conflict', reason: 'not_yours' }
  // Of what broke, and of what was out of place, nothing was kept.
  const again = before?.result === 'conflict' && before.reason !== 'failed' && !isOutOfPlace(before.reason)
  const how = { at: sent.at, again, decided: byOffice }
  return applyVisit(db, actor, command.type, visitId, command.payload, how)
}

const findKnown = async (db: TenantDb, actor: Actor, id: string): Promise<Known | 'other_person' | null> => {
  const row = await db
    .selectFrom('crewCommands')
    .select(['userId', 'result', 'reason', 'attempt', 'happenedAt as at', 'decision'])
    .select(sql<number>`coalesce((payload->>'skewSeconds')::int, 0)`.as('skewSeconds'))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const { userId, ...known } = row
  if (userId !== actor.userId) return 'other_person'
  return { ...known, reason: known.reason as CommandReason | null }
}

/** What is owed at a stop after money was taken there; nothing of it for who may not see it any more. */
const shownDoor = async (db: TenantDb, actor: Actor, { type, visitId }: CrewCommand) => {
  if (!isDoorCommand(type) || !visitId || (await placeOf(db, actor, visitId)) !== 'mine') return {}
  if (!(await mayCollect(db, actor))) return {}
  const [door] = await listDoorFacts(db, actor, [visitId])
  return door ? { door } : {}
}

/** What was written, as it stands in its thread. */
const shownSaid = async (db: TenantDb, { id, type }: CrewCommand, { result }: Pick<CommandOutcome, 'result'>) => {
  const said = isChatCommand(type) && result === 'applied' ? await findMessage(db, id) : null
  return said ? { said } : {}
}

const isShown = ({ reason }: Pick<CommandReply, 'reason'>): boolean => reason !== 'not_found' && reason !== 'not_yours'

/** The visits as they are now, for whoever may see them, each with the last command of it: what came before it is in it. */
const withVisits = async (
  actor: Actor,
  commands: readonly CrewCommand[],
  results: readonly CommandReply[],
): Promise<CommandReply[]> => {
  const visitOf = new Map(commands.map(({ id, visitId }) => [id, visitId]))
  const lastOf = new Map<string, string>()
  for (const result of results) {
    const visitId = visitOf.get(result.id)
    if (visitId && isShown(result)) lastOf.set(visitId, result.id)
  }
  if (lastOf.size === 0) return [...results]
  const stops = await withTenant(actor, async (db) => findStops(db, await listMine(db, actor, [...lastOf.keys()])))
  return results.map((result) => {
    const visitId = visitOf.get(result.id) ?? ''
    return lastOf.get(visitId) === result.id ? { ...result, visit: stops.get(visitId) ?? null } : result
  })
}

/**
 * What was written stands in its thread, and is forgotten with it; what was seen of a truck stands in its check, what was drawn beside its photo. A visit
 * that is gone has no street.
 */
const keptPayload = ({ type, payload, label }: CrewCommand, { result, reason }: CommandOutcome) => {
  if (isChatCommand(type)) return { threadId: payload.threadId }
  if (type === 'truck_check') return {}
  if (type === 'note_quote' && result === 'applied') return { propertyId: payload.noted?.propertyId }
  // What was taken stands where it belongs; what was not is all that there is of it.
  if (type === 'mark' && result === 'applied') return { photoId: payload.mark?.photoId }
  if (type === 'sell' && result === 'applied') return { serviceId: payload.sale?.serviceId }
  // money and sales that were not taken may lose their visit later
  const mayLosePlace = isOutOfPlace(reason) || (result === 'conflict' && (type === 'collect' || type === 'sell'))
  return { ...payload, ...(mayLosePlace && label ? { label } : {}) }
}

const keepFirst = async (db: TenantDb, actor: Actor, command: CrewCommand, sent: Sent, outcome: CommandOutcome) => {
  const deviceAt = isClockInstant(command.at) ? new Date(command.at).toISOString() : clock.iso()
  await db
    .insertInto('crewCommands')
    .values({
      businessId: db.businessId,
      id: command.id,
      userId: actor.userId,
      type: command.type,
      visitId: command.visitId ?? null,
      payload: JSON.stringify({ ...keptPayload(command, outcome), skewSeconds: sent.skewSeconds }),
      deviceAt,
      happenedAt: sent.at,
      receivedAt: clock.iso(),
      attempt: command.attempt ?? 1,
      ...outcome,
    })
    .execute()
}

const keepFurther = async (db: TenantDb, command: CrewCommand, outcome: CommandOutcome): Promise<void> => {
  await db
    .updateTable('crewCommands')
    .set({ ...outcome, attempt: command.attempt ?? 1, receivedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', command.id)
    .execute()
}

/**
 * The answer that a command has had; null where it is judged (anew). What the office has decided is not judged again, however often the phone sends
 * it: the answer is on its way there.
 */
const answeredBefore = (command: CrewCommand, before: Known | null): CommandReply | null => {
  if (!before) return null
  const isOver = before.result === 'applied' || before.decision !== null
  if (!isOver && before.attempt < (command.attempt ?? 1)) return null
  const result = before.result === 'applied' ? 'duplicate' : before.result
  return { id: command.id, result, reason: before.reason, visit: null }
}

/** When it was on our clock. */
const sentOf = (command: CrewCommand, sentSeconds: number): Sent => {
  const { shift, told } = tapSkew(command.clock, sentSeconds)
  const at = isClockInstant(command.at) ? ourInstant(command.at, shift, clock.nowMs()) : clock.iso()
  return { at, skewSeconds: told }
}

/**
 * @param byOffice the office has decided that it counts
 * @param customerId whose money it is, where the visit that would say so is deleted
 */
const applyOne = (
  actor: Actor,
  command: CrewCommand,
  skewSeconds: number,
  byOffice = false,
  customerId?: string,
): Promise<CommandReply> =>
  withTenant(actor, async (db) => {
    // Who holds several clocks does so alone, so that two leaders never wait for each other.
    if (command.payload.crew)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`crew-clock:${actor.businessId}`}, 0))`.execute(db)
    await holdClockTx(db, actor.userId)
    const before = await findKnown(db, actor, command.id)
    if (before === 'other_person') return { id: command.id, result: 'refused', reason: 'other_person', visit: null }
    const again = answeredBefore(command, before)
    if (before && again)
      return { ...again, ...(await shownDoor(db, actor, command)), ...(await shownSaid(db, command, before)) }
    // What a person did stays done when it was done, however late it is sent again.
    const sent = before ?? sentOf(command, skewSeconds)
    const outcome = await outcomeOf(db, actor, command, sent, { before, byOffice, customerId })
    if (before) await keepFurther(db, command, outcome)
    else await keepFirst(db, actor, command, sent, outcome)
    // Whatever became of the visit, the lawn was left without a record.
    if (command.type === 'finish') await keepNoRecord(db, actor, command, sent.at)
    if (outcome.result === 'conflict' && before?.result !== 'conflict')
      await emit(db, 'command.conflicted', { commandId: command.id, visitId: command.visitId ?? null })
    if (command.type === 'note' && command.visitId && command.payload.note?.trim() && outcome.result === 'applied')
      await emit(db, 'visit.noted', { commandId: command.id, visitId: command.visitId })
    return {
      id: command.id,
      ...outcome,
      visit: null,
      ...(await shownDoor(db, actor, command)),
      ...(await shownSaid(db, command, outcome)),
    }
  })

/**
 * A further try of what was in conflict, as the person whose phone it came from, because the office says that it counts: whose crew has the stop and
 * whether the person may take money at the door was what it decided about.
 */
export const applyAgain = (actor: Actor, command: CrewCommand, customerId?: string): Promise<CommandReply> =>
  applyOne(actor, command, 0, true, customerId)

/**
 * What broke over one command is kept as that command's own matter, in a transaction of its own: a person looks at it, and what the phone did after it
 * goes on. The phone keeps it too and can send it again.
 */
const keepFailed = (actor: Actor, command: CrewCommand, skewSeconds: number): Promise<CommandReply> =>
  withTenant(actor, async (db) => {
    await holdClockTx(db, actor.userId)
    const before = await findKnown(db, actor, command.id)
    const outcome = failedOutcome(command.type)
    const reply = { id: command.id, ...outcome, visit: null }
    if (before === 'other_person') return { ...reply, result: 'refused', reason: 'other_person' }
    // What was taken stays taken, also where only its answer could not be given again.
    const again = answeredBefore(command, before)
    if (again) return again
    const sent = sentOf(command, skewSeconds)
    if (before) await keepFurther(db, command, outcome)
    else await keepFirst(db, actor, command, sent, outcome)
    if (isTreatCommand(command.type)) await holdTreatTx(db, actor, command, sent.at)
    if (outcome.result === 'conflict' && before?.result !== 'conflict')
      await emit(db, 'command.conflicted', { commandId: command.id, visitId: command.visitId ?? null })
    return reply
  })

/** What a refusal says about who asks and not about what is asked: not signed in, no plan, not allowed, too much at once. */
const ofWhoAsks = [401, 402, 403, 429]

const applyOrKeep = async (actor: Actor, command: CrewCommand, skewSeconds: number): Promise<CommandReply> => {
  try {
    return await applyOne(actor, command, skewSeconds)
  } catch (error) {
    if (isOutage(error) || (error instanceof AppError && ofWhoAsks.includes(error.status))) throw error
    log.error({ err: error, type: command.type, commandId: command.id }, 'a crew command failed')
    return keepFailed(actor, command, skewSeconds)
  }
}

/** Whether a person has written too much at once just now. What the server has had before counts once. */
const isTooMuch = async (actor: Actor, { id }: CrewCommand): Promise<AppError | null> => {
  if (await withTenant(actor, (db) => findKnown(db, actor, id))) return null
  try {
    await countMessage(actor)
    return null
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_requests') return error
    throw error
  }
}

/**
 * Applies what a phone did, in the order in which it did it. Each command is its own transaction and is applied once by its id; what was not
 * answered is sent again and answered as before. A further try, which a person asked for, is judged anew unless it was applied. A message too many
 * waits on the phone, without an answer, and holds up nothing but itself.
 * @throws too_many_requests when nothing else was sent with it
 */
export const applyCommands = async (
  actor: Actor,
  commands: readonly CrewCommand[],
  sentAt: string | undefined,
): Promise<{ results: CommandReply[]; serverTime: string }> => {
  const skewSeconds = skewOf(sentAt, clock.nowMs())
  const results: CommandReply[] = []
  let tooMuch: AppError | null = null
  for (const command of commands.map(storable)) {
    const limit = isChatCommand(command.type) ? await isTooMuch(actor, command) : null
    if (limit) tooMuch = limit
    else results.push(await applyOrKeep(actor, command, skewSeconds))
  }
  if (tooMuch && results.length === 0) throw tooMuch
  return { results: await withVisits(actor, commands, results), serverTime: clock.iso() }
}

/** The language of a person's crew app. */
export const setLanguage = (actor: Actor, language: 'en' | 'es'): Promise<Employee> =>
  withTenant(actor, async (db) => {
    await changePersonTx(db, actor.userId, { language })
    return getEmployee(db, actor)
  })
