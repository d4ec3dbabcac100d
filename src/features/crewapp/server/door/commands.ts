import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { AppError } from '../../../../shared/errors.ts'
import { collectTx, wantReceiptTx } from '../../../payments/door/server/commands.ts'
import { findReceiptContact, mayCollect } from '../../../payments/door/server/queries.ts'
import type { CommandOutcome, CrewCommand } from '../../rules.ts'
import type { Place } from '../members/queries.ts'
import { releaseCheckTx } from '../photos/checks.ts'

const applied: CommandOutcome = { result: 'applied', reason: null }

/** Sends a receipt where there is a way; the money counts without one. */
const trySending = async (
  db: TenantDb,
  actor: Actor,
  id: string,
  by: 'email' | 'sms',
  key: string,
): Promise<boolean> => {
  try {
    await wantReceiptTx(db, actor, id, { by, key, atDoor: true })
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/**
 * Money taken at the door. It is in somebody's pocket already: where it may not be booked, because the business switched that off or another
 * crew has the stop now, it is a conflict that the office hears of, never lost.
 * @param byOffice the office says that it counts, which is the permission
 * @param customerId whose money it is, as the office says of a visit that is deleted
 */
export const applyDoor = async (
  db: TenantDb,
  actor: Actor,
  command: CrewCommand,
  { at, place, byOffice, customerId }: { at: string; place: Place; byOffice: boolean; customerId?: string | undefined },
): Promise<CommandOutcome> => {
  const { id, payload, visitId = '' } = command
  const { amountCents = 0, tipCents = 0, method = 'cash', checkNumber = '', receiptBy } = payload
  const allowed = await mayCollect(db, actor)
  if (command.type === 'receipt') {
    const receiptId = payload.receiptId ?? ''
    const contact = allowed ? await findReceiptContact(db, receiptId) : undefined
    if (contact?.userId !== actor.userId || !receiptBy) return { result: 'refused', reason: 'no_receipt' }
    return (await trySending(db, actor, receiptId, receiptBy, id))
      ? applied
      : { result: 'refused', reason: 'no_receipt' }
  }
  const isGone = place === 'unknown'
  if (isGone && !customerId) return { result: 'conflict', reason: 'not_found' }
  if (!allowed && !byOffice) return { result: 'conflict', reason: 'collect_off' }
  if (place !== 'mine' && !byOffice) return { result: 'conflict', reason: 'not_yours' }
  await collectTx(db, actor, {
    id,
    visitId: isGone ? null : visitId,
    ...(customerId ? { customerId } : {}),
    amountCents,
    tipCents,
    method,
    checkNumber: checkNumber.trim(),
    at,
  })
  await releaseCheckTx(db, id)
  // whom the office names later was not at the door: nobody asked for a receipt with their number
  if (receiptBy && !customerId) await trySending(db, actor, id, receiptBy, 'first')
  return applied
}
