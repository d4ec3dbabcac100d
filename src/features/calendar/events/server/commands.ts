import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { AppError, notFound } from '../../../../shared/errors.ts'
import { assertCrewTx, getEmployee } from '../../../employees/server/queries.ts'
import { changeTimeOffTx } from '../../../timeclock/timeoff/server/commands.ts'
import type { CalendarEvent, EventDraft } from '../contract.ts'
import { eventRefusals, takesTime } from '../rules.ts'
import { getEvent } from './queries.ts'

type Draft = z.output<typeof EventDraft>

type Taken = Pick<Draft, 'kind' | 'firstDay' | 'lastDay'>

/** Events may span weeks: whoever looks at any day asks again. What takes somebody's time changes the hours of the plan. */
const changed = async (db: TenantDb, id: string, taken: readonly Taken[]): Promise<void> => {
  await publishChange(db, 'calendar', [id])
  for (const { kind, firstDay, lastDay } of taken)
    if (takesTime(kind)) await emit(db, 'calendar.timeChanged', { from: firstDay, to: lastDay })
}

const assertNamed = async (db: TenantDb, actor: Actor, draft: Draft): Promise<void> => {
  if (draft.userId) await getEmployee(db, actor, draft.userId)
  await assertCrewTx(db, draft.crewId)
}

type Pay = Pick<Draft, 'userId' | 'firstDay' | 'lastDay' | 'payKind' | 'paidMinutes'>

const samePay = (a: Pay | null, b: Pay | null): boolean =>
  (a?.paidMinutes ?? null) === (b?.paidMinutes ?? null) &&
  (!a?.paidMinutes ||
    (a.payKind === b?.payKind && a.userId === b.userId && a.firstDay === b.firstDay && a.lastDay === b.lastDay))

/**
 * What is paid for time off is the payroll's: who sets it may, and the weeks that it is in hear of it.
 * @throws AppError forbidden, state_conflict where a week of it is paid already
 */
const tellPay = async (db: TenantDb, actor: Actor, was: Pay | null, now: Pay | null): Promise<void> => {
  if (samePay(was, now)) return
  if (!hasPermission(actor, 'payroll'))
    throw new AppError(
      'forbidden',
      'What is paid for time off decides who may run the payroll. Nothing was changed: enter it without pay, or ask the owner of your business.',
    )
  for (const one of [was, now])
    if (one?.userId && one.paidMinutes)
      await changeTimeOffTx(db, actor, { userId: one.userId, from: one.firstDay, to: one.lastDay })
}

export const addEvent = (actor: Actor, draft: Draft): Promise<CalendarEvent> =>
  withTenant(actor, async (db) => {
    await assertNamed(db, actor, draft)
    await tellPay(db, actor, null, draft)
    const id = newId()
    const now = clock.iso()
    await db
      .insertInto('calendarEvents')
      .values({ ...draft, businessId: db.businessId, id, createdBy: actor.userId, createdAt: now, updatedAt: now })
      .execute()
    await audit(db, actor, 'calendar.event', { type: 'calendar_event', id }, { after: draft })
    await changed(db, id, [draft])
    return getEvent(db, actor, id)
  })

const lockEvent = async (db: TenantDb, id: string, version: number) => {
  const row = await db
    .selectFrom('calendarEvents')
    .select(['id', 'version', 'deletedAt', 'kind', 'firstDay', 'lastDay', 'userId', 'payKind', 'paidMinutes'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('event')
  requireVersion(row, version, 'this event')
  return row
}

const writeEvent = async (
  db: TenantDb,
  actor: Actor,
  was: Taken & { id: string },
  change: Partial<Draft> & { deletedAt?: string | null },
): Promise<CalendarEvent> => {
  const { id } = was
  await db
    .updateTable('calendarEvents')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), updatedAt: clock.iso() }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  const now = await getEvent(db, actor, id)
  await changed(db, id, [was, now])
  return now
}

export const changeEvent = (actor: Actor, id: string, { version, ...draft }: Draft & { version: number }) =>
  withTenant(actor, async (db) => {
    const was = await lockEvent(db, id, version)
    refuse(eventRefusals.update(was))
    await assertNamed(db, actor, draft)
    await tellPay(db, actor, was, draft)
    await audit(db, actor, 'calendar.eventChanged', { type: 'calendar_event', id }, { after: draft })
    return writeEvent(db, actor, was, draft)
  })

export const removeEvent = (actor: Actor, id: string, version: number) =>
  withTenant(actor, async (db) => {
    const was = await lockEvent(db, id, version)
    refuse(eventRefusals.remove(was))
    await tellPay(db, actor, was, null)
    await audit(db, actor, 'calendar.eventRemoved', { type: 'calendar_event', id }, {})
    return writeEvent(db, actor, was, { deletedAt: clock.iso() })
  })

/** Brings back what was removed; what stands already stays as it is. */
export const restoreEvent = (actor: Actor, id: string, version: number) =>
  withTenant(actor, async (db) => {
    const row = await lockEvent(db, id, version)
    if (row.deletedAt === null) return getEvent(db, actor, id)
    await tellPay(db, actor, null, row)
    await audit(db, actor, 'calendar.eventRestored', { type: 'calendar_event', id }, {})
    return writeEvent(db, actor, row, { deletedAt: null })
  })
