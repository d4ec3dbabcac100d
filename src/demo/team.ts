import { randomInt } from 'node:crypto'
import { pinProblem } from '../features/accounts/team/rules.ts'
import { acceptInvite, invitePerson } from '../features/accounts/team/server/commands.ts'
import { addEmployee } from '../features/employees/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { type BusinessId, withTenant } from '../platform/db/tenant.ts'
import { linkToken } from '../platform/links.ts'
import { permissions } from '../shared/roles.ts'

const phone =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36'

/** A PIN that nobody is told: who wants in as this person invites them again. */
const unknownPin = (): string => {
  for (;;) {
    const pin = String(randomInt(1_000_000)).padStart(6, '0')
    if (pinProblem(pin) === null) return pin
  }
}

const peopleOf = (businessId: BusinessId) =>
  withTenant({ businessId }, (db) =>
    db
      .selectFrom('users')
      .select(['id', 'name', 'role', 'email', 'phone'])
      .where('businessId', '=', businessId)
      .orderBy('id')
      .execute(),
  )

/** The invitations of the demo are history: nothing of them leaves, also where mail and texts do. */
const keepTx = (businessId: BusinessId) =>
  withTenant({ businessId }, (db) =>
    db
      .updateTable('messages')
      .set((eb) => ({ status: 'sent', sentAt: eb.ref('createdAt') }))
      .where('businessId', '=', businessId)
      .where('dedupeKey', 'like', 'employee-invite:%')
      .execute(),
  )

/** The demo's owner, as who acts in it. */
export const ownerOf = async (businessId: BusinessId, timeZone: string): Promise<Actor> => {
  const boss = (await peopleOf(businessId)).find((person) => person.role === 'Owner')
  if (!boss) throw new Error('The demo business has no owner.')
  return {
    kind: 'user',
    businessId,
    userId: boss.id,
    sessionId: boss.id,
    sessionKind: 'admin',
    role: 'Owner',
    permissions,
    name: boss.name,
    timeZone,
    subscriptionActive: true,
    mustSetUpTwoFactor: false,
  }
}

/** Somebody of the crew who signs in by phone and PIN, and somebody whose invitation is open. Runs before any task does. */
export const joinTeam = async (owner: Actor): Promise<void> => {
  const { businessId } = owner
  const people = await peopleOf(businessId)
  const mate = people.find((person) => person.role === 'Employee' && !person.email && person.phone)
  if (!mate) return
  await invitePerson(owner, mate.id, 'sms')
  const token = await withTenant({ businessId }, async (db) => {
    const { id } = await db
      .selectFrom('employeeInvites')
      .select('id')
      .where('businessId', '=', businessId)
      .where('userId', '=', mate.id)
      .where('revokedAt', 'is', null)
      .executeTakeFirstOrThrow()
    return linkToken(db, 'employee-invite', id)
  })
  const device = { userAgent: phone, ip: '203.0.113.41' }
  await acceptInvite(token, { name: mate.name, pin: unknownPin() }, device, null)
  await addEmployee(owner, {
    name: 'Caleb Winslow',
    email: 'caleb@demo.swath.test',
    phone: null,
    role: 'Employee',
    preset: 'crew',
    language: 'en',
    wageCentsPerHour: 1750,
    crewId: null,
    invite: 'email',
  })
  await keepTx(businessId)
}
