import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { AppError } from '../../../../shared/errors.ts'
import { ApplicationDraft } from '../../../chemicals/records/contract.ts'
import { recordTx } from '../../../chemicals/records/server/commands.ts'
import { getTreatment, weatherAsOf } from '../../../chemicals/records/server/queries.ts'
import { holdApplicationTx } from '../../../chemicals/unrecorded/server/commands.ts'
import type { CommandOutcome, CommandReason, CrewCommand } from '../../rules.ts'
import { isInHour } from '../../treat/rules.ts'
import { type Place, placeOf } from '../members/queries.ts'

const moved = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString()

/**
 * What a crew put on a lawn, under the command's own id, whatever became of the visit meanwhile: the lawn is treated. What cannot be a record waits
 * for the office with everything that was typed, and the phone is told.
 * @param byOffice the office says that it counts, although another crew has the stop
 * @param at when it was pressed, on our clock: what the phone's own clock said in the record is put right by as much
 */
export const applyTreat = async (
  db: TenantDb,
  actor: Actor,
  command: CrewCommand,
  { at, place, byOffice }: { at: string; place: Place; byOffice: boolean },
): Promise<CommandOutcome> => {
  const hold = async (reason: CommandReason, why: string): Promise<CommandOutcome> => {
    const visitId = place === 'unknown' ? null : (command.visitId ?? null)
    const typed = command.payload.record ?? {}
    await holdApplicationTx(db, actor, { id: command.id, visitId, kind: 'refused', reason: why, typed, at })
    return { result: 'conflict', reason }
  }
  if (place === 'unknown') return hold('not_found', 'The visit is gone.')
  if (place === 'notMine' && !byOffice) return hold('not_yours', 'The stop is with another crew.')
  const read = ApplicationDraft.safeParse(command.payload.record)
  if (!read.success) return hold('bad_record', sentence(read.error.issues.map(({ message }) => message)))
  const shiftMs = Date.parse(at) - Date.parse(command.at)
  const { ourTimes = [], weatherAt } = command.payload
  const ours = (key: 'startedAt' | 'endedAt'): string =>
    ourTimes.includes(key) ? read.data[key] : moved(read.data[key], shiftMs)
  const endedAt = ours('endedAt')
  const startedAt = Date.parse(ours('startedAt')) > Date.parse(endedAt) ? endedAt : ours('startedAt')
  try {
    const visit = await getTreatment(db, command.visitId ?? '')
    const isRight = weatherAt !== undefined && isInHour(weatherAt, Date.parse(endedAt))
    const weather = await weatherAsOf(db, visit, { ...read.data, endedAt }, isRight)
    const draft = { ...read.data, startedAt, endedAt, weather }
    await recordTx(db, actor, visit, { id: command.id, draft, fromPhone: true })
    return { result: 'applied', reason: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'state_conflict') return hold('no_license', 'Nobody named has a valid license for it.')
    return hold('bad_record', sentence(error.errors?.map(({ message }) => message) ?? [error.message]))
  }
}

const brokeHere = 'Something went wrong on our side when it came in.'

/** A treatment over which the server broke waits for the office with everything that was typed. */
export const holdTreatTx = async (db: TenantDb, actor: Actor, command: CrewCommand, at: string): Promise<void> => {
  const { id, visitId = '', payload } = command
  const isKnown = visitId !== '' && (await placeOf(db, actor, visitId)) !== 'unknown'
  const held = { id, visitId: isKnown ? visitId : null, kind: 'refused', reason: brokeHere, at } as const
  await holdApplicationTx(db, actor, { ...held, typed: payload.record ?? {} })
}

const sentence = (problems: readonly string[]): string =>
  [...new Set(problems)].slice(0, 5).join(' ') || 'It cannot be read.'

/** A stop that was finished without a complete record: the crew goes on, and the office reads why. */
export const keepNoRecord = async (db: TenantDb, actor: Actor, command: CrewCommand, at: string): Promise<void> => {
  const reason = command.payload.noRecord?.trim()
  if (!reason || !command.visitId) return
  const { id } = command
  const visitId = (await placeOf(db, actor, command.visitId)) === 'unknown' ? null : command.visitId
  await holdApplicationTx(db, actor, { id, visitId, kind: 'without', reason, typed: {}, at })
}
