import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import type { Permission } from '../../../../shared/roles.ts'
import { reopenVisit } from '../../../visits/server/commands.ts'
import { getVisit } from '../../../visits/server/queries.ts'
import { applyAgain } from '../../server/commands.ts'
import { scopeOfVisit } from '../../server/members/queries.ts'
import type { Decision } from '../contract.ts'
import { listOpenWith, type OpenConflict } from './queries.ts'

/** Why it cannot count as it stands, in the words of the office. */
const hindrance: Record<string, string> = {
  missed: 'This visit was marked as missed. Put it back on the calendar first, then decide again.',
  unscheduled: 'This visit is not on the calendar. Put it on its day first, then decide again.',
  rebooked: 'The work has another day already. Cancel that one first, then decide again.',
  billed: 'This is on an invoice already. Void the invoice first, then decide again.',
  collect_off: 'This person may not take payments. Allow it under Employees, or record the payment on the invoice.',
  not_yours: 'The stop is with another crew now. Give it back first, or record the payment on the invoice.',
  no_license:
    'Nobody named in the record has a valid license for this. Add it under Employees, or record it on the visit with who supervised.',
  locked_week: 'Payroll is locked for this week. Unlock it first, then decide again.',
}

const doneBy = (actor: Actor, one: OpenConflict): Actor => ({
  ...actor,
  userId: one.userId,
  name: one.name,
  role: 'Employee',
  permissions: one.permissions as Permission[],
})

/** Opens what was closed and applies what the phones did, as theirs and with their times. @throws AppError state_conflict */
const count = async (actor: Actor, open: readonly OpenConflict[], visitId: string | null): Promise<void> => {
  const status = visitId ? (await withTenant(actor, (db) => getVisit(db, actor, visitId))).status : null
  if (visitId && (status === 'canceled' || status === 'skipped'))
    await reopenVisit(actor, visitId, { reason: 'The crew had done it' })
  for (const one of open) {
    const { id, type, payload, at, attempt } = one
    const command = { id, type, payload, at, attempt: attempt + 1, ...(one.visitId ? { visitId: one.visitId } : {}) }
    const { result, reason } = await applyAgain(doneBy(actor, one), command)
    if (result === 'conflict' || result === 'refused')
      throw conflict(
        hindrance[reason ?? ''] ?? 'This could not be applied to the visit as it is. Look at the visit first.',
      )
  }
}

/**
 * Decides about work that was done on a visit that had been closed: all that waits of that visit at once. Time and photos are kept either way.
 * @throws AppError not_found where nothing waits, state_conflict where it cannot count as things are
 */
export const decideConflict = async (
  actor: Actor,
  id: string,
  { decision, note }: { decision: Decision; note: string },
): Promise<{ decision: Decision; commandIds: string[] }> => {
  const open = await withTenant(actor, (db) => listOpenWith(db, id))
  const [first] = open
  if (!first) throw notFound('conflict')
  const { visitId } = first
  if (decision === 'counts') await count(actor, open, visitId)
  const commandIds = open.map((one) => one.id)
  return withTenant(actor, async (db) => {
    await db
      .updateTable('crewCommands')
      .set({ decision, decisionNote: note, decidedBy: actor.userId, decidedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', 'in', commandIds)
      .execute()
    if (visitId) {
      await audit(db, actor, 'visit.conflictDecided', { type: 'visit', id: visitId }, { after: { decision, note } })
      await publishChange(db, 'visits', [visitId], await scopeOfVisit(db, visitId))
    } else await publishChange(db, 'timeclock', [])
    return { decision, commandIds }
  })
}
