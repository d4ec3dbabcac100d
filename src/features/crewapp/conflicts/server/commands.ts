import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { AppError, conflict, notFound } from '../../../../shared/errors.ts'
import type { Permission } from '../../../../shared/roles.ts'
import { lockLiveContactTx } from '../../../customers/server/queries.ts'
import { holdClockTx } from '../../../timeclock/server/commands.ts'
import { reopenVisit } from '../../../visits/server/commands.ts'
import { getVisit, isVisit } from '../../../visits/server/queries.ts'
import { clockCommands, conflictKindOf, isOutOfPlace } from '../../rules.ts'
import { applyAgain } from '../../server/commands.ts'
import { scopeOfVisit } from '../../server/members/queries.ts'
import { releasePhotosTx } from '../../server/photos/held.ts'
import type { Decision } from '../contract.ts'
import { findEnded, listOpenWith, type OpenConflict } from './queries.ts'

/** Why it cannot count as it stands, in the words of the office. */
const hindrance: Record<string, string> = {
  canceled: 'This visit is canceled. Bring it back first, then decide again.',
  skipped: 'This visit was skipped. Bring it back first, then decide again.',
  missed: 'This visit was marked as missed. Put it back on the calendar first, then decide again.',
  unscheduled: 'This visit is not on the calendar. Put it on its day first, then decide again.',
  rebooked: 'The work has another day already. Cancel that one first, then decide again.',
  billed: 'This is on an invoice already. Void the invoice first, then decide again.',
  begun:
    'The crew has worked there since. If it was skipped all the same, take the work back on the visit first, then decide again.',
  no_license:
    'Nobody named in the record has a valid license for this. Add it under Employees, or record it on the visit with who supervised.',
}

const doneBy = (actor: Actor, one: OpenConflict): Actor => ({
  ...actor,
  userId: one.userId,
  name: one.name,
  role: 'Employee',
  permissions: one.permissions as Permission[],
})

/** Opens what was closed, where that is in the way, and applies what the phones did, as theirs and with their times. @throws AppError state_conflict */
const count = async (actor: Actor, open: readonly OpenConflict[], { type, visitId }: OpenConflict): Promise<void> => {
  const { status } = await withTenant(actor, (db) => getVisit(db, actor, visitId))
  const kind = conflictKindOf(type)
  // Money and a treatment need no visit that is open; a skip that somebody put in stays where only these are decided.
  if ((status === 'canceled' && (kind === 'work' || kind === 'skip')) || (status === 'skipped' && kind === 'work'))
    await reopenVisit(actor, visitId, { reason: 'The crew had done it' })
  for (const one of open) {
    const { id, type: did, payload, at, attempt } = one
    // It goes along with the others.
    if (did === 'photo') continue
    const command = { id, type: did, payload, at, attempt: attempt + 1, visitId }
    const { result, reason } = await applyAgain(doneBy(actor, one), command)
    // What cannot stand on its photo any more holds up no work.
    if (did === 'mark') continue
    if (result === 'conflict' || result === 'refused')
      throw conflict(
        hindrance[reason ?? ''] ?? 'This could not be applied to the visit as it is. Look at the visit first.',
      )
  }
}

/** Money that was taken at a visit which is deleted by now: only a person knows whose it is. @throws AppError state_conflict, not_found */
const bookFor = async (db: TenantDb, actor: Actor, one: OpenConflict, customerId: string | undefined) => {
  if (!customerId) throw conflict('Say whose money this is: the visit that knew it was deleted. Nothing was changed.')
  await lockLiveContactTx(db, customerId)
  const { id, type, payload, at, attempt, visitId } = one
  if (type === 'photo') return
  const command = { id, type, payload, at, attempt: attempt + 1, visitId }
  const { result } = await applyAgain(doneBy(actor, one), command, customerId)
  if (result !== 'applied')
    throw conflict('The money could not be booked. Nothing was changed: try again, or book it on the customer.')
}

const heldOpen = async (db: TenantDb, id: string): Promise<OpenConflict[]> => {
  // The people's own locks, as their phones take them: what is sent again meanwhile and who decides at the same time wait for each other.
  const userIds = new Set((await listOpenWith(db, id)).map(({ userId }) => userId))
  for (const userId of [...userIds].sort()) await holdClockTx(db, userId)
  const open = await listOpenWith(db, id)
  return open.filter(({ userId }) => userIds.has(userId))
}

const nothingWaits = async (db: TenantDb, id: string): Promise<AppError> => {
  const ended = await findEnded(db, id)
  if (!ended) return notFound('conflict')
  const { decision, by } = ended
  if (!decision) return conflict('The phone has sent it again since, and it was taken. Nothing more was changed.')
  const how = decision === 'counts' ? 'it counts' : 'it does not count'
  return conflict(`${by ?? 'Somebody'} has decided about this already: ${how}. Nothing more was changed.`)
}

/**
 * Decides about what a phone reported and the visit does not have: all work of the visit at once, its skip, or one sum or one treatment. What counts
 * is applied in the same transaction. Time and photos are kept either way.
 * @throws AppError not_found where nothing ever waited, state_conflict where somebody was first or it cannot count as things are, forbidden for
 * money without the permission
 */
export const decideConflict = (
  actor: Actor,
  id: string,
  { decision, note, customerId }: { decision: Decision; note: string; customerId?: string | undefined },
): Promise<{ decision: Decision; commandIds: string[] }> =>
  withTenant(actor, async (db) => {
    const open = await heldOpen(db, id)
    const [first] = open
    if (!first) throw await nothingWaits(db, id)
    if (first.type === 'collect' && !hasPermission(actor, 'money'))
      throw new AppError(
        'forbidden',
        'Whether money is booked decides who may work with money. Nothing was changed: ask the owner of your business.',
      )
    const { visitId } = first
    const isThere = await isVisit(db, visitId)
    // What was deleted takes nothing: who says that it counts has put it down elsewhere. Money needs no visit, only whose it is.
    if (decision === 'counts' && !isThere && first.type === 'collect') await bookFor(db, actor, first, customerId)
    if (decision === 'counts' && isThere) await count(actor, open, first)
    if (decision === 'counts' && isThere && open.some(({ reason }) => isOutOfPlace(reason)))
      await releasePhotosTx(
        db,
        visitId,
        open.map(({ userId }) => userId),
      )
    const commandIds = open.map((one) => one.id)
    await db
      .updateTable('crewCommands')
      .set({ decision, decisionNote: note, decidedBy: actor.userId, decidedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', 'in', commandIds)
      .execute()
    await audit(db, actor, 'visit.conflictDecided', { type: 'visit', id: visitId }, { after: { decision, note } })
    await publishChange(db, 'visits', [visitId], await scopeOfVisit(db, visitId))
    return { decision, commandIds }
  })

/** Somebody's answer to a command that was not applied and was dealt with elsewhere; the first answer counts. */
export const answerTx = async (
  db: TenantDb,
  id: string,
  { decision, note, userId }: { decision: Decision; note: string; userId: string },
): Promise<void> => {
  await db
    .updateTable('crewCommands')
    .set({ decision, decisionNote: note, decidedBy: userId, decidedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('result', '=', 'conflict')
    .where('decidedAt', 'is', null)
    .execute()
}

/** The office's answer to the taps of a person on the clock that broke on their way in, of a span of time; those that were sent again and taken need none. */
export const answerClockTapsTx = async (
  db: TenantDb,
  userId: string,
  { from, until, decision, note, by }: { from: string; until: string; decision: Decision; note: string; by: string },
): Promise<void> => {
  // what the phone sends again meanwhile waits for this, and this for it
  await holdClockTx(db, userId)
  await db
    .updateTable('crewCommands')
    .set({ decision, decisionNote: note, decidedBy: by, decidedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('result', '=', 'conflict')
    .where('decidedAt', 'is', null)
    .where('visitId', 'is', null)
    .where('reason', '=', 'failed')
    .where('type', 'in', clockCommands)
    .where('happenedAt', '>=', from)
    .where('happenedAt', '<', until)
    .execute()
}
