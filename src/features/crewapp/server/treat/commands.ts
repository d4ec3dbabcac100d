import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { AppError } from '../../../../shared/errors.ts'
import { ApplicationDraft } from '../../../chemicals/records/contract.ts'
import { recordTx } from '../../../chemicals/records/server/commands.ts'
import { getTreatment, weatherAsOf } from '../../../chemicals/records/server/queries.ts'
import type { CommandOutcome, CrewCommand } from '../../rules.ts'
import { isInHour } from '../../treat/rules.ts'
import type { Place } from '../members/queries.ts'

const moved = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString()

/**
 * What a crew put on a lawn, under the command's own id, whatever became of the visit meanwhile: the lawn is treated. Where a restricted product
 * takes a license that nobody named has, it is a conflict that the office hears of; what was typed stays on the phone and in the command.
 * @param byOffice the office says that it counts, although another crew has the stop
 * @param at when it was pressed, on our clock: what the phone's own clock said in the record is put right by as much
 */
export const applyTreat = async (
  db: TenantDb,
  actor: Actor,
  command: CrewCommand,
  { at, place, byOffice }: { at: string; place: Place; byOffice: boolean },
): Promise<CommandOutcome> => {
  if (place === 'unknown') return { result: 'refused', reason: 'not_found' }
  if (place === 'notMine' && !byOffice) return { result: 'conflict', reason: 'not_yours' }
  const read = ApplicationDraft.safeParse(command.payload.record)
  if (!read.success) return { result: 'refused', reason: 'invalid' }
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
    return error.code === 'state_conflict'
      ? { result: 'conflict', reason: 'no_license' }
      : { result: 'refused', reason: 'invalid' }
  }
}
