import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import type { Once } from '../../../../platform/http/idempotency.ts'
import { enqueue } from '../../../../platform/tasks/task.ts'
import { dayOf, formatDay } from '../../../../shared/dates.ts'
import { conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { permissionPresets } from '../../../../shared/roles.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { setClosedTx } from '../../../businesses/server/row/commands.ts'
import { closedDays } from '../../rules.ts'
import { queueAccountMail } from '../../server/account-mail.ts'
import { confirmPassword } from '../../server/passwords.ts'
import { mails } from '../../server/templates.ts'
import { getClosing } from './queries.ts'
import { deleteClosedBusiness } from './tasks.ts'

const setRole = (db: TenantDb, userId: string, role: 'Owner' | 'Admin') =>
  db
    .updateTable('users')
    .set((eb) => ({
      role,
      permissions: [...permissionPresets.admin],
      version: eb('version', '+', 1),
      updatedAt: clock.iso(),
    }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .execute()

/** Hands the business to an active Admin. There is one Owner before and after, and both are told. */
export const transferOwnership = async (
  actor: Actor,
  input: { userId: string; password: string },
  once: Once,
): Promise<{ ownerId: string }> => {
  await confirmPassword(actor, input.password)
  const transfer = async (db: TenantDb) => {
    const people = await db
      .selectFrom('users')
      .select(['id', 'name', 'email', 'role', 'status', 'archivedAt'])
      .where('businessId', '=', db.businessId)
      .where('id', 'in', [actor.userId, input.userId])
      .orderBy('id')
      .forUpdate()
      .execute()
    const [from, to] = [people.find((p) => p.id === actor.userId), people.find((p) => p.id === input.userId)]
    // Two transfers at the same moment: the second finds itself an Admin.
    if (from?.role !== 'Owner') throw conflict('You are not the owner any more. Reload the page.')
    if (!to || to.archivedAt) throw notFound('person')
    if (to.role !== 'Admin' || to.status !== 'active')
      throw conflict('Only an Admin who can sign in can become the owner. Make this person an Admin first.')
    const { name: businessName } = await db
      .selectFrom('businesses')
      .select('name')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    await setRole(db, from.id, 'Admin')
    await setRole(db, to.id, 'Owner')
    await audit(
      db,
      actor,
      'business.transfer',
      { type: 'business', id: db.businessId },
      { before: { ownerId: from.id }, after: { ownerId: to.id } },
    )
    for (const person of [from, to])
      if (person.email)
        await queueAccountMail(
          db,
          { userId: person.id, address: person.email },
          `transfer:${clock.iso()}:${person.id}`,
          mails.ownershipMoved(person.name, businessName, { from: from.name, to: to.name }),
        )
    await publishChange(db, 'crews', [from.id, to.id])
    return { ownerId: to.id }
  }
  return once(() => withTenant(actor, transfer))
}

/** Closes a business that belongs to nobody, such as a demo, and has it deleted at once. */
export const closeForGoodTx = async (db: TenantDb): Promise<void> => {
  const now = clock.iso()
  await setClosedTx(db, { closedAt: now, deleteAfter: now })
  await enqueue(db, deleteClosedBusiness, {}, { key: 'delete' })
}

/**
 * Closes the business: every session of everybody ends, nobody but the Owner gets in again, and after 30 days it is deleted.
 * @throws AppError state_conflict while a subscription runs, validation_failed when name or password do not fit
 */
export const closeBusiness = async (
  actor: Actor,
  input: { password: string; businessName: string },
): Promise<{ closed: true; deleteAfter: string }> => {
  await confirmPassword(actor, input.password)
  return withTenant(actor, async (db) => {
    const { businessName, subscriptionRuns } = await getClosing(db)
    if (input.businessName.toLowerCase() !== businessName.trim().toLowerCase())
      throw invalid([{ path: 'businessName', message: `Type ${businessName} to close it` }])
    if (subscriptionRuns)
      throw conflict('Your subscription is still running. End it under Plan first, so that you are not charged again.')
    const deleteAfter = new Date(clock.nowMs() + closedDays * 86_400_000).toISOString()
    const now = clock.iso()
    // Nobody trades a refresh token while all of them end.
    await db
      .selectFrom('users')
      .select('id')
      .where('businessId', '=', db.businessId)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    await setClosedTx(db, { closedAt: now, deleteAfter })
    await emit(db, 'business.closed', { closedAt: now })
    const timeZone = await timeZoneOf(db)
    await db
      .updateTable('sessions')
      .set({ revokedAt: now, revokedReason: 'the business was closed' })
      .where('businessId', '=', db.businessId)
      .where('revokedAt', 'is', null)
      .execute()
    await audit(db, actor, 'business.close', { type: 'business', id: db.businessId }, { after: { deleteAfter } })
    const people = await db
      .selectFrom('users')
      .select(['id', 'name', 'email', 'role'])
      .where('businessId', '=', db.businessId)
      .where('role', 'in', ['Owner', 'Admin'])
      .where('status', '=', 'active')
      .where('archivedAt', 'is', null)
      .execute()
    const until = formatDay(dayOf(new Date(deleteAfter), timeZone), { year: true })
    for (const person of people)
      if (person.email)
        await queueAccountMail(
          db,
          { userId: person.id, address: person.email },
          `closed:${now}:${person.id}`,
          mails.closed(person.name, businessName, until, person.role === 'Owner'),
        )
    return { closed: true as const, deleteAfter }
  })
}
