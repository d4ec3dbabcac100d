import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { containing } from '../../../platform/db/like.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import type { Permission } from '../../../shared/roles.ts'
import { asSkill } from '../../../shared/skills.ts'
import { type SignInState, teamApi } from '../../accounts/team/contract.ts'
import { listSignInStates } from '../../accounts/team/server/queries.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { type Crew, type Employee, employeesApi } from '../contract.ts'
import { crewCostCents, crewRefusals, type PersonAction, personRefusals } from '../rules.ts'
import { shiftOn, skillsOn, type WeekdayShift } from '../staffing/rules.ts'
import {
  listCrewLicenses,
  listPresence,
  type Member,
  onTheDay,
  partsOff,
  presentOn,
  readStaff,
} from '../staffing/server/staff.ts'

/** The wage that counts on a day: the last one that began by then. */
const wageOn = (day: Day) =>
  sql<
    number | null
  >`(select cents_per_hour from wages where wages.business_id = users.business_id and wages.user_id = users.id and wages.valid_from <= ${day} order by wages.valid_from desc limit 1)`

const people = (db: TenantDb, day: Day) =>
  db
    .selectFrom('users')
    .leftJoin('crewMembers', (join) =>
      join
        .onRef('crewMembers.businessId', '=', 'users.businessId')
        .onRef('crewMembers.userId', '=', 'users.id')
        .on('crewMembers.validFrom', '<=', day)
        .on((eb) => eb.or([eb('crewMembers.validTo', 'is', null), eb('crewMembers.validTo', '>=', day)])),
    )
    .leftJoin('crews', (join) =>
      join
        .onRef('crews.businessId', '=', 'crewMembers.businessId')
        .onRef('crews.id', '=', 'crewMembers.crewId')
        .on('crews.archivedAt', 'is', null),
    )
    .where('users.businessId', '=', db.businessId)
    .where('users.archivedAt', 'is', null)
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.phone',
      'users.role',
      'users.permissions',
      'users.status',
      'users.language',
      'users.color',
      'users.version',
      'users.skills',
      'crews.id as crewId',
      'crews.name as crewName',
      'crews.color as crewColor',
      wageOn(day).as('wage'),
    ])

const noSignIn: SignInState = { method: null, twoFactor: false, deviceCount: 0, invite: null }

const needs: Record<PersonAction, Need> = {
  update: employeesApi.update,
  changeEmail: employeesApi.update,
  deactivate: employeesApi.deactivate,
  reactivate: employeesApi.reactivate,
  inviteByEmail: teamApi.invite,
  inviteByText: teamApi.invite,
  cancelInvite: teamApi.cancelInvite,
  resetPin: teamApi.resetPin,
}

const toEmployee = (
  row: Awaited<ReturnType<ReturnType<typeof people>['executeTakeFirstOrThrow']>>,
  signIns: Map<string, SignInState>,
  actor: Actor,
): Employee => {
  const signIn = signIns.get(row.id) ?? noSignIn
  const permissions = row.permissions as Permission[]
  return {
    can: canOf(actor, needs, personRefusals, { ...row, permissions, signIn, actor }),
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    role: row.role,
    permissions,
    status: row.status,
    language: row.language,
    color: row.color,
    wageCentsPerHour: hasPermission(actor, 'payroll') ? row.wage : null,
    crew:
      row.crewId && row.crewName && row.crewColor ? { id: row.crewId, name: row.crewName, color: row.crewColor } : null,
    skills: row.skills,
    signIn,
    version: row.version,
  }
}

export const listEmployees = async (
  db: TenantDb,
  actor: Actor,
  filter: { search?: string; status: 'active' | 'disabled' | 'all' },
): Promise<Employee[]> => {
  let query = people(db, await todayOf(db))
  if (filter.status !== 'all')
    query = query.where('users.status', filter.status === 'disabled' ? '=' : '!=', 'disabled')
  if (filter.search) query = query.where('users.name', 'ilike', containing(filter.search))
  const rows = await query.orderBy(sql`lower(users.name)`).orderBy('users.id').execute()
  const signIn = await listSignInStates(
    db,
    rows.map((row) => row.id),
  )
  // Two memberships can touch on one day while somebody moves; the person still stands in the list once.
  return [...new Map(rows.map((row) => [row.id, toEmployee(row, signIn, actor)])).values()]
}

export const getEmployee = async (db: TenantDb, actor: Actor, id: string): Promise<Employee> => {
  const row = await people(db, await todayOf(db))
    .where('users.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('person')
  return toEmployee(row, await listSignInStates(db, [id]), actor)
}

export { listCrewLicenses, listPresence, onTheDay, partsOff, presentOn, readStaff }

/** A crew for nobody in particular. */
export type CrewContent = Omit<Crew, 'can'> & { archivedAt: string | null }

const weekdayShiftsOf = (stored: unknown): WeekdayShift[] => stored as WeekdayShift[]

/** The crews that each person is in on a day or comes into later. */
export const listCrewIdsByUser = async (db: TenantDb, day: Day): Promise<Map<string, Set<string>>> => {
  const rows = await db
    .selectFrom('crewMembers')
    .select(['userId', 'crewId'])
    .where('businessId', '=', db.businessId)
    .where((eb) => eb.or([eb('validTo', 'is', null), eb('validTo', '>=', day)]))
    .execute()
  const found = new Map<string, Set<string>>()
  for (const { userId, crewId } of rows) found.set(userId, (found.get(userId) ?? new Set()).add(crewId))
  return found
}

/** Crews with their members and cost on a day. */
export const listCrews = async (
  db: TenantDb,
  day: Day,
  options: { seesWages: boolean; includeArchived?: boolean; ids?: readonly string[] },
): Promise<CrewContent[]> => {
  let query = db.selectFrom('crews').selectAll().where('businessId', '=', db.businessId)
  if (!options.includeArchived) query = query.where('archivedAt', 'is', null)
  if (options.ids) query = query.where('id', 'in', options.ids.length ? [...options.ids] : [db.businessId])
  const crews = await query.orderBy('position').orderBy('name').execute()
  const business = await db
    .selectFrom('businesses')
    .select(['defaultWageCents', 'burdenPercent'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const wages = new Map(
    options.seesWages
      ? (
          await db
            .selectFrom('users')
            .where('businessId', '=', db.businessId)
            .select(['id', wageOn(day).as('wage')])
            .execute()
        ).map(({ id, wage }) => [id, wage])
      : [],
  )
  const staff = await readStaff(db, day, day)
  return crews.map((crew) => {
    const { present, away } = presentOn(staff, crew.id, day)
    const wage = (userId: string) => ({ wageCentsPerHour: wages.get(userId) ?? null })
    const weekdayShifts = weekdayShiftsOf(crew.weekdayShifts)
    const shift = shiftOn({ ...crew, weekdayShifts }, day)
    const off = new Set(away.map((one) => one.userId))
    return {
      id: crew.id,
      name: crew.name,
      color: crew.color,
      leaderUserId: crew.leaderUserId,
      members: [...present, ...away]
        .sort((a, b) => a.name.localeCompare(b.name))
        .map(({ userId, name }) => ({
          userId,
          name,
          away: off.has(userId),
          ...wage(userId),
        })),
      depotStreet: crew.depotStreet,
      depotLatitude: crew.depotLatitude,
      depotLongitude: crew.depotLongitude,
      shiftStartMinute: crew.shiftStartMinute,
      shiftEndMinute: crew.shiftEndMinute,
      breakMinutes: crew.breakMinutes,
      workDays: crew.workDays,
      driveFactorPercent: crew.driveFactorPercent,
      skills: crew.skills,
      vehicle: { name: crew.vehicleName, plate: crew.vehiclePlate, seats: crew.vehicleSeats },
      weekdayShifts,
      onDay: {
        day,
        ...shift,
        ...onTheDay(staff, { ...shift, id: crew.id }, day),
        people: present.length,
        skills: skillsOn(crew, present, staff.licenses, day),
      },
      costCentsPerHour: options.seesWages
        ? crewCostCents(
            present.map(({ userId }) => wage(userId)),
            business,
          )
        : null,
      version: crew.version,
      archivedAt: crew.archivedAt,
    }
  })
}

/** Somebody who stays on a crew for less than this is on loan. */
const leastStayDays = 28
const farDays = 800

export type UsualCrew = { members: { wageCentsPerHour: number | null }[]; skills: string[] }

/**
 * Crews as they usually are, by id: everybody who belongs to them, whoever is off or on loan on the day. Skills as they are compared; one that a
 * license stands for only with a license that is valid on the day.
 */
export const listUsualCrews = async (db: TenantDb, day: Day): Promise<ReadonlyMap<string, UsualCrew>> => {
  const crews = await db.selectFrom('crews').select(['id', 'skills']).where('businessId', '=', db.businessId).execute()
  const staff = await readStaff(db, day, addDays(day, farDays))
  const wages = new Map(
    (
      await db
        .selectFrom('users')
        .where('businessId', '=', db.businessId)
        .select(['id', wageOn(day).as('wage')])
        .execute()
    ).map(({ id, wage }) => [id, wage]),
  )
  const homes = new Map<string, Member>()
  for (const one of staff.members) {
    if (one.to !== null && one.to < addDays(day, leastStayDays)) continue
    const known = homes.get(one.userId)
    if (!known || (known.to !== null && (one.to === null || one.to > known.to))) homes.set(one.userId, one)
  }
  return new Map(
    crews.map((crew): [string, UsualCrew] => {
      const own = [...homes.values()].filter((one) => one.crewId === crew.id)
      return [
        crew.id,
        {
          members: own.map(({ userId }) => ({ wageCentsPerHour: wages.get(userId) ?? null })),
          skills: [...new Set(skillsOn(crew, own, staff.licenses, day).map(asSkill))].sort(),
        },
      ]
    }),
  )
}

/** Crews that are on their way to a visit, there, or have paused at it. */
const crewsUnderWay = async (db: TenantDb): Promise<Set<string | null>> => {
  const rows = await db
    .selectFrom('visits')
    .select('crewId')
    .distinct()
    .where('businessId', '=', db.businessId)
    .where('status', 'in', ['en_route', 'in_progress', 'paused'])
    .execute()
  return new Set(rows.map((row) => row.crewId))
}

const crewNeeds = { update: employeesApi.updateCrew, archive: employeesApi.archiveCrew }

/** Crews on a day with what a person may do with them. */
export const listCrewsFor = async (
  db: TenantDb,
  actor: Actor,
  day: Day,
  options: { includeArchived?: boolean; ids?: readonly string[] } = {},
): Promise<Crew[]> => {
  const crews = await listCrews(db, day, { ...options, seesWages: hasPermission(actor, 'payroll') })
  const underWay = await crewsUnderWay(db)
  return crews.map((crew) => ({
    ...crew,
    can: canOf(actor, crewNeeds, crewRefusals, { ...crew, underWay: underWay.has(crew.id) }),
  }))
}

export const getCrew = async (db: TenantDb, actor: Actor, id: string, day: Day): Promise<Crew> => {
  const [crew] = await listCrewsFor(db, actor, day, { includeArchived: true, ids: [id] })
  if (!crew) throw notFound('crew')
  return crew
}

/** A crew's own id, or null for none and for one that was archived. */
export const livingCrewTx = async (db: TenantDb, crewId: string | null): Promise<string | null> => {
  if (crewId === null) return null
  const crew = await db
    .selectFrom('crews')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', crewId)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  return crew?.id ?? null
}

/**
 * That a crew exists and was not archived; null is no crew and always fine.
 * @throws AppError not_found
 */
export const assertCrewTx = async (db: TenantDb, crewId: string | null | undefined): Promise<void> => {
  if (crewId && !(await livingCrewTx(db, crewId))) throw notFound('crew')
}
