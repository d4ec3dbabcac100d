import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { emit } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { refuse } from '../../../shared/can.ts'
import type { Day } from '../../../shared/dates.ts'
import { AppError, invalid, notFound } from '../../../shared/errors.ts'
import { type Permission, permissionPresets, permissionsFor, type Role } from '../../../shared/roles.ts'
import {
  addPersonTx,
  changePersonTx,
  replaceEmailTx,
  requirePhone,
  takeEmailTx,
} from '../../accounts/people/server/commands.ts'
import { endAccessTx, inviteTx, lockPerson, revokeInvitesTx } from '../../accounts/team/server/commands.ts'
import { getSignInState } from '../../accounts/team/server/queries.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import type { Crew, CrewDraft, Employee, EmployeeDraft, employeesApi } from '../contract.ts'
import { crewColors, crewRefusals, personRefusals } from '../rules.ts'
import { withoutCrew, withPut } from '../staffing/rules.ts'
import { changeStretchesTx, holdCrews } from '../staffing/server/stretches.ts'
import { checkWageDayTx } from '../wages/server/hold.ts'
import { listWages } from '../wages/server/queries.ts'
import { assertCrewTx, getCrew, getEmployee } from './queries.ts'

type EmployeeChange = z.output<(typeof employeesApi)['update']['body']>
type CrewChange = z.output<(typeof employeesApi)['updateCrew']['body']>

/** Ends what a person is on from a day on and begins the new crew there. */
const moveToCrew = async (
  db: TenantDb,
  actor: Actor,
  userId: string,
  crewId: string | null,
  from: Day,
): Promise<void> => {
  await changeStretchesTx(db, actor, userId, (all) => withPut(all, { crewId, from, to: null }))
}

/** A wage by the hour from a day on; what else held before goes on. */
const setWage = async (db: TenantDb, userId: string, centsPerHour: number, validFrom: Day): Promise<void> => {
  await checkWageDayTx(db, validFrom)
  const [before] = await listWages(db, [userId], validFrom)
  const { pieceCents = null, bonusCents = null, burdenPercent = null } = before ?? {}
  const rest = { pieceCents, bonusCents, burdenPercent }
  await db
    .insertInto('wages')
    .values({
      businessId: db.businessId,
      id: newId(),
      userId,
      centsPerHour,
      ...rest,
      validFrom,
      createdAt: clock.iso(),
    })
    .onConflict((c) => c.columns(['businessId', 'userId', 'validFrom']).doUpdateSet({ centsPerHour }))
    .execute()
}

/** What a wish gives beyond what its giver may give, or null. Wages are for who may see payroll; nobody gives what he does not have. */
const checkRights = (actor: Actor, input: { wage: boolean; role: Role; given: readonly Permission[] }): void => {
  if (input.wage && !hasPermission(actor, 'payroll'))
    throw new AppError('forbidden', 'Your role does not include wages. Ask the owner of your business if you need it.')
  if (input.given.some((permission) => !hasPermission(actor, permission)))
    throw new AppError('forbidden', 'You can only give what you have yourself. Ask the owner of your business.')
  if (input.given.some((permission) => !permissionsFor(input.role).includes(permission)))
    throw invalid([{ path: 'preset', message: 'An employee can be crew or crew lead' }])
}

type Given = { preset?: keyof typeof permissionPresets | undefined; permissions?: readonly Permission[] | undefined }
const givenBy = (input: Given): Permission[] | undefined =>
  input.permissions ? [...new Set(input.permissions)] : input.preset ? [...permissionPresets[input.preset]] : undefined

/** Adds a person. The e-mail is where the sign-in will be; one e-mail is one account. */
export const addEmployee = async (actor: Actor, draft: z.output<typeof EmployeeDraft>): Promise<Employee> => {
  const given = givenBy(draft) ?? []
  checkRights(actor, { wage: draft.wageCentsPerHour !== null, role: draft.role, given })
  const phone = requirePhone(draft.phone)
  return withTenant(actor, async (db) => {
    if (draft.crewId) await holdCrews(db)
    await assertCrewTx(db, draft.crewId)
    const id = newId()
    const today = await todayOf(db)
    if (draft.email) await takeEmailTx(db, draft.email, id)
    const { name, email, role, language } = draft
    await addPersonTx(db, { id, name, email, phone, role, permissions: given, language })
    if (draft.wageCentsPerHour !== null) await setWage(db, id, draft.wageCentsPerHour, draft.wageFrom ?? today)
    if (draft.crewId) await moveToCrew(db, actor, id, draft.crewId, today)
    await audit(
      db,
      actor,
      'employee.add',
      { type: 'user', id },
      { after: { name: draft.name, role: draft.role, permissions: given } },
    )
    if (draft.invite)
      await inviteTx(db, actor, { id, name, email, phone, role, language, status: 'invited' }, draft.invite)
    await publishChange(db, 'crews', [id])
    return getEmployee(db, actor, id)
  })
}

const factsOf = async (db: TenantDb, actor: Actor, person: Awaited<ReturnType<typeof lockPerson>>) => ({
  ...person,
  signIn: await getSignInState(db, person.id),
  actor,
})

export const changeEmployee = async (actor: Actor, id: string, change: EmployeeChange): Promise<Employee> => {
  const phone = change.phone === undefined ? undefined : requirePhone(change.phone)
  return withTenant(actor, async (db) => {
    if (change.crewId !== undefined) await holdCrews(db)
    const person = await lockPerson(db, actor, id)
    const given = person.role === 'Owner' ? undefined : givenBy(change)
    const added = (given ?? []).filter((permission) => !person.permissions.includes(permission))
    checkRights(actor, { wage: change.wageCentsPerHour !== undefined, role: person.role, given: added })
    requireVersion(person, change.version, 'this person')
    const facts = await factsOf(db, actor, person)
    refuse(personRefusals.update(facts))
    await assertCrewTx(db, change.crewId)
    const email = change.email === undefined || change.email === person.email ? undefined : change.email
    if (email !== undefined) {
      const refusal = personRefusals.changeEmail(facts)
      if (refusal) throw invalid([{ path: 'email', message: refusal }])
      await replaceEmailTx(db, id, email)
    }
    // An invitation went to the address of that moment: with another address it must not work any more.
    if (email !== undefined || (phone !== undefined && phone !== person.phone)) await revokeInvitesTx(db, id)
    const today = await todayOf(db)
    await changePersonTx(db, id, {
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(phone === undefined ? {} : { phone }),
      ...(email === undefined ? {} : { email, emailVerifiedAt: null }),
      ...(change.language ? { language: change.language } : {}),
      ...(given ? { permissions: given } : {}),
      ...(change.skills ? { skills: change.skills } : {}),
    })
    if (change.wageCentsPerHour !== undefined) await setWage(db, id, change.wageCentsPerHour, change.wageFrom ?? today)
    if (change.crewId !== undefined) await moveToCrew(db, actor, id, change.crewId, change.crewFrom ?? today)
    await audit(
      db,
      actor,
      'employee.change',
      { type: 'user', id },
      {
        before: given ? { permissions: person.permissions } : undefined,
        after: { ...change, version: undefined, preset: undefined, permissions: given },
      },
    )
    await publishChange(db, 'crews', [id])
    return getEmployee(db, actor, id)
  })
}

/** Ends sign-in at once and crew membership from today; what the person did stays. */
export const deactivateEmployee = async (actor: Actor, id: string): Promise<Employee> =>
  withTenant(actor, async (db) => {
    // crews before people, as where a crew is changed, so that the two wait for each other
    await db
      .selectFrom('crews')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('leaderUserId', '=', id)
      .orderBy('id')
      .forUpdate()
      .execute()
    const person = await lockPerson(db, actor, id)
    refuse(personRefusals.deactivate(await factsOf(db, actor, person)))
    await changePersonTx(db, id, { status: 'disabled' })
    await endAccessTx(db, id, 'deactivated')
    await moveToCrew(db, actor, id, null, await todayOf(db))
    await db
      .updateTable('crews')
      .set((eb) => ({ leaderUserId: null, version: eb('version', '+', 1), updatedAt: clock.iso() }))
      .where('businessId', '=', db.businessId)
      .where('leaderUserId', '=', id)
      .execute()
    await emit(db, 'employee.deactivated', { userId: id, at: clock.iso() })
    await audit(db, actor, 'employee.deactivate', { type: 'user', id })
    await publishChange(db, 'crews', [id])
    return getEmployee(db, actor, id)
  })

/** Lets a person in again: with the password they had, or to be invited. Phones have to be invited again. */
export const reactivateEmployee = async (actor: Actor, id: string): Promise<Employee> =>
  withTenant(actor, async (db) => {
    const person = await lockPerson(db, actor, id)
    const facts = await factsOf(db, actor, person)
    refuse(personRefusals.reactivate(facts))
    const { method } = facts.signIn
    await changePersonTx(db, id, {
      status: method === 'password' || method === 'google' ? 'active' : 'invited',
      pinHash: null,
    })
    await audit(db, actor, 'employee.reactivate', { type: 'user', id })
    await publishChange(db, 'crews', [id])
    return getEmployee(db, actor, id)
  })

const checkPeople = async (db: TenantDb, ids: readonly string[]): Promise<void> => {
  const wanted = [...new Set(ids)]
  if (!wanted.length) return
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', 'in', wanted)
    .where('status', '!=', 'disabled')
    .where('archivedAt', 'is', null)
    .execute()
  if (found.length !== wanted.length) throw notFound('person')
}

export const addCrew = async (actor: Actor, draft: z.output<typeof CrewDraft>): Promise<Crew> =>
  withTenant(actor, async (db) => {
    const { memberUserIds, weekdayShifts, ...fields } = draft
    await checkPeople(db, [...memberUserIds, ...(draft.leaderUserId ? [draft.leaderUserId] : [])])
    const { count } = await db
      .selectFrom('crews')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    const id = newId()
    const now = clock.iso()
    const today = await todayOf(db)
    await db
      .insertInto('crews')
      .values({
        ...fields,
        weekdayShifts: JSON.stringify(weekdayShifts),
        businessId: db.businessId,
        id,
        color: fields.color ?? crewColors[count % crewColors.length]!,
        position: count,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    for (const userId of memberUserIds.toSorted()) await moveToCrew(db, actor, userId, id, today)
    await audit(db, actor, 'crew.add', { type: 'crew', id }, { after: draft })
    await publishChange(db, 'crews', [id])
    return getCrew(db, actor, id, today)
  })

/** Who is on a crew from a day on: who is no more on the list leaves it there, who is new comes from wherever they are. */
const setMembers = async (db: TenantDb, actor: Actor, crewId: string, userIds: readonly string[], from: Day) => {
  const present = await db
    .selectFrom('crewMembers')
    .select('userId')
    .where('businessId', '=', db.businessId)
    .where('crewId', '=', crewId)
    .where('validFrom', '<=', from)
    .where((eb) => eb.or([eb('validTo', 'is', null), eb('validTo', '>=', from)]))
    .execute()
  const now = new Set(present.map((row) => row.userId))
  // in one order, so that two who save at once wait for each other
  for (const userId of [...new Set([...now, ...userIds])].sort()) {
    if (!userIds.includes(userId)) await changeStretchesTx(db, actor, userId, (all) => withoutCrew(all, crewId, from))
    else if (!now.has(userId)) await moveToCrew(db, actor, userId, crewId, from)
  }
}

const hours = ['shiftStartMinute', 'shiftEndMinute', 'breakMinutes', 'weekdayShifts'] as const

const otherHours = (before: Record<(typeof hours)[number], unknown>, change: CrewChange): boolean =>
  hours.some((field) => change[field] !== undefined && !isDeepStrictEqual(change[field], before[field]))

export const changeCrew = async (actor: Actor, id: string, change: CrewChange): Promise<Crew> =>
  withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('crews')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('crew')
    refuse(crewRefusals.update({ ...row, underWay: false }))
    const { version, memberUserIds, membersFrom, weekdayShifts, ...fields } = change
    requireVersion(row, version, 'this crew')
    const start = fields.shiftStartMinute ?? row.shiftStartMinute
    if ((fields.shiftEndMinute ?? row.shiftEndMinute) <= start)
      throw invalid([{ path: 'shiftEndMinute', message: 'The shift must end after it starts' }])
    await checkPeople(db, [...(memberUserIds ?? []), ...(fields.leaderUserId ? [fields.leaderUserId] : [])])
    const today = await todayOf(db)
    await db
      .updateTable('crews')
      .set({
        ...fields,
        ...(weekdayShifts ? { weekdayShifts: JSON.stringify(weekdayShifts) } : {}),
        version: version + 1,
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    if (memberUserIds) await setMembers(db, actor, id, memberUserIds, membersFrom ?? today)
    if (otherHours(row, change)) await emit(db, 'crew.staffed', { from: today, to: null, crewIds: [id] })
    await audit(db, actor, 'crew.change', { type: 'crew', id }, { after: change })
    await publishChange(db, 'crews', [id])
    return getCrew(db, actor, id, membersFrom ?? today)
  })

/** Puts a crew away: from today its people are on no crew and its open visits wait to be placed again. */
export const archiveCrew = async (actor: Actor, id: string): Promise<Crew> =>
  withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('crews')
      .select(['id', 'name', 'archivedAt'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('crew')
    const today = await todayOf(db)
    const running = await db
      .selectFrom('visits')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('crewId', '=', id)
      .where('status', 'in', ['en_route', 'in_progress', 'paused'])
      .executeTakeFirst()
    refuse(crewRefusals.archive({ ...row, underWay: running !== undefined }))
    const people = await db
      .selectFrom('crewMembers')
      .select('userId')
      .distinct()
      .where('businessId', '=', db.businessId)
      .where('crewId', '=', id)
      .where((eb) => eb.or([eb('validTo', 'is', null), eb('validTo', '>=', today)]))
      .orderBy('userId')
      .execute()
    for (const { userId } of people) await changeStretchesTx(db, actor, userId, (all) => withoutCrew(all, id, today))
    await db
      .updateTable('crews')
      .set((eb) => ({ archivedAt: clock.iso(), version: eb('version', '+', 1), updatedAt: clock.iso() }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await emit(db, 'crew.archived', { crewId: id, on: today })
    await audit(db, actor, 'crew.archive', { type: 'crew', id })
    await publishChange(db, 'crews', [id])
    return getCrew(db, actor, id, today)
  })
