import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { isPersonName, nameWords } from '../../shared/names.ts'
import { permissions, roles } from '../../shared/roles.ts'
import { InviteChannel, SignInState } from '../accounts/team/contract.ts'
import { crewActions, personActions } from './rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const Minute = z.number().int().min(0).max(1440)
const Color = z.string().regex(/^#[0-9a-f]{6}$/i, 'A color like #14432f')
const Preset = z.enum(['admin', 'manager', 'dispatcher', 'crewLead', 'crew'])
const Permissions = z.array(z.enum(permissions)).max(permissions.length)
const Skills = z.array(z.string().trim().min(1).max(40)).max(30)
const Weekdays = z.array(z.number().int().min(0).max(6)).max(7)

export const WeekdayShift = z
  .object({
    weekday: z.number().int().min(0).max(6),
    startMinute: Minute,
    endMinute: Minute,
    breakMinutes: z.number().int().min(0).max(240),
  })
  .refine((shift) => shift.endMinute > shift.startMinute, {
    path: ['endMinute'],
    message: 'The shift must end after it starts',
  })

export const Employee = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  role: z.enum(roles),
  permissions: z.array(z.enum(permissions)),
  status: z.enum(['invited', 'active', 'disabled']),
  language: z.enum(['en', 'es']),
  color: z.string(),
  /** Null for who may not see payroll. */
  wageCentsPerHour: z.number().int().nullable(),
  crew: z.object({ id: z.uuid(), name: z.string(), color: z.string() }).nullable(),
  /** What the person can do; a license says more, and until when. */
  skills: z.array(z.string()),
  signIn: SignInState,
  /** What who asked may do with this person now. */
  can: z.record(z.enum(personActions), z.boolean()),
  version: z.number().int(),
})
export type Employee = z.output<typeof Employee>

export const EmployeeDraft = z.object({
  name: z.string().trim().min(1, 'A name is needed').max(120).refine(isPersonName, nameWords),
  email: z.email('Not an e-mail address').trim().toLowerCase().nullable().default(null),
  phone: z.string().trim().max(40).nullable().default(null),
  role: z.enum(['Admin', 'Employee']).default('Employee'),
  preset: Preset.default('crew'),
  /** Instead of a preset's; only what the giver has. */
  permissions: Permissions.optional(),
  language: z.enum(['en', 'es']).default('en'),
  wageCentsPerHour: z.number().int().min(0).max(100_000).nullable().default(null),
  /** First day on which it counts; today when left out. */
  wageFrom: Day.optional(),
  crewId: z.uuid().nullable().default(null),
  /** Sends an invitation right away. */
  invite: InviteChannel.nullable().default(null),
})

const EmployeeChange = z.object({
  version: z.number().int(),
  name: z.string().trim().min(1, 'A name is needed').max(120).refine(isPersonName, nameWords).optional(),
  phone: z.string().trim().max(40).nullable().optional(),
  /** Only until the first sign-in; afterwards it is the person's own to change. */
  email: z.email('Not an e-mail address').trim().toLowerCase().nullable().optional(),
  language: z.enum(['en', 'es']).optional(),
  preset: Preset.optional(),
  permissions: Permissions.optional(),
  wageCentsPerHour: z.number().int().min(0).max(100_000).optional(),
  /** First day on which a new wage counts; today when left out. */
  wageFrom: Day.optional(),
  /** Moves the person to a crew (or to none) from a day on; history stays. */
  crewId: z.uuid().nullable().optional(),
  crewFrom: Day.optional(),
  skills: Skills.optional(),
})

export const Crew = z.object({
  id: z.uuid(),
  name: z.string(),
  color: z.string(),
  leaderUserId: z.uuid().nullable(),
  /** Who is on it that day; `away`: off the whole day. */
  members: z.array(
    z.object({ userId: z.uuid(), name: z.string(), wageCentsPerHour: z.number().int().nullable(), away: z.boolean() }),
  ),
  depotStreet: z.string(),
  depotLatitude: z.number().nullable(),
  depotLongitude: z.number().nullable(),
  shiftStartMinute: z.number().int(),
  shiftEndMinute: z.number().int(),
  breakMinutes: z.number().int(),
  workDays: z.array(z.number().int()),
  driveFactorPercent: z.number().int(),
  skills: z.array(z.string()),
  vehicle: z.object({ name: z.string(), plate: z.string(), seats: z.number().int().nullable() }),
  weekdayShifts: z.array(WeekdayShift),
  /** What it is on the day that was asked for: its shift, who is at work, what they can and may do. */
  onDay: z.object({
    day: Day,
    shiftStartMinute: z.number().int(),
    shiftEndMinute: z.number().int(),
    breakMinutes: z.number().int(),
    people: z.number().int(),
    /** Who is off for a part of it lowers the people of that part. */
    presence: z.array(z.object({ fromMinute: z.number().int(), toMinute: z.number().int(), people: z.number().int() })),
    laborMinutes: z.number().int(),
    skills: z.array(z.string()),
  }),
  /** Wage and burden of who is at work that day, per hour, for who may see payroll. */
  costCentsPerHour: z.number().int().nullable(),
  /** What who asked may do with it now. */
  can: z.record(z.enum(crewActions), z.boolean()),
  version: z.number().int(),
})
export type Crew = z.output<typeof Crew>

const crewFields = {
  name: z.string().trim().min(1, 'A name is needed').max(80),
  color: Color,
  leaderUserId: z.uuid().nullable(),
  memberUserIds: z.array(z.uuid()).max(30),
  depotStreet: z.string().trim().max(200),
  depotLatitude: z.number().min(-90).max(90).nullable(),
  depotLongitude: z.number().min(-180).max(180).nullable(),
  shiftStartMinute: Minute,
  shiftEndMinute: Minute,
  breakMinutes: z.number().int().min(0).max(240),
  workDays: Weekdays,
  driveFactorPercent: z.number().int().min(50).max(300),
  skills: Skills,
  vehicleName: z.string().trim().max(60),
  vehiclePlate: z.string().trim().max(20),
  vehicleSeats: z.number().int().min(1).max(20).nullable(),
  weekdayShifts: z
    .array(WeekdayShift)
    .max(7)
    .refine((shifts) => new Set(shifts.map((one) => one.weekday)).size === shifts.length, 'One shift a weekday'),
}

export const CrewDraft = z
  .object({
    ...crewFields,
    color: crewFields.color.optional(),
    leaderUserId: crewFields.leaderUserId.default(null),
    memberUserIds: crewFields.memberUserIds.default([]),
    depotStreet: crewFields.depotStreet.default(''),
    depotLatitude: crewFields.depotLatitude.default(null),
    depotLongitude: crewFields.depotLongitude.default(null),
    shiftStartMinute: Minute.default(420),
    shiftEndMinute: Minute.default(960),
    breakMinutes: crewFields.breakMinutes.default(30),
    workDays: Weekdays.default([1, 2, 3, 4, 5]),
    driveFactorPercent: crewFields.driveFactorPercent.default(100),
    skills: Skills.default([]),
    vehicleName: crewFields.vehicleName.default(''),
    vehiclePlate: crewFields.vehiclePlate.default(''),
    vehicleSeats: crewFields.vehicleSeats.default(null),
    weekdayShifts: crewFields.weekdayShifts.default([]),
  })
  .refine((crew) => crew.shiftEndMinute > crew.shiftStartMinute, {
    path: ['shiftEndMinute'],
    message: 'The shift must end after it starts',
  })

const CrewChange = z.object(crewFields).partial().extend({ version: z.number().int(), membersFrom: Day.optional() })

const Id = z.object({ id: z.uuid() })

export const employeesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/employees',
    access: 'office',
    query: z.object({
      search: z.string().trim().max(100).optional(),
      status: z.enum(['active', 'disabled', 'all']).default('active'),
    }),
    response: z.object({ items: z.array(Employee) }),
    summary: 'People of the business',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/employees',
    access: 'office',
    permission: 'team',
    idempotent: true,
    body: EmployeeDraft,
    response: Employee,
    summary: 'Add a person',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/employees/:id',
    access: 'office',
    permission: 'team',
    idempotent: true,
    params: Id,
    body: EmployeeChange,
    response: Employee,
    summary: 'Change a person',
  }),
  deactivate: endpoint({
    method: 'POST',
    path: '/api/employees/:id/deactivate',
    access: 'office',
    permission: 'team',
    idempotent: true,
    params: Id,
    response: Employee,
    summary: 'End sign-in and crew membership; history stays',
  }),
  reactivate: endpoint({
    method: 'POST',
    path: '/api/employees/:id/reactivate',
    access: 'office',
    permission: 'team',
    idempotent: true,
    params: Id,
    response: Employee,
    summary: 'Let a person sign in again',
  }),
  crews: endpoint({
    method: 'GET',
    path: '/api/crews',
    access: 'office',
    query: z.object({ day: Day.optional() }),
    response: z.object({ items: z.array(Crew) }),
    summary: 'Crews with their members on a day',
  }),
  createCrew: endpoint({
    method: 'POST',
    path: '/api/crews',
    access: 'office',
    permission: 'team',
    idempotent: true,
    body: CrewDraft,
    response: Crew,
    summary: 'Add a crew',
  }),
  updateCrew: endpoint({
    method: 'PUT',
    path: '/api/crews/:id',
    access: 'office',
    permission: 'team',
    idempotent: true,
    params: Id,
    body: CrewChange,
    response: Crew,
    summary: 'Change a crew; a new list of members counts from a day on',
  }),
  archiveCrew: endpoint({
    method: 'POST',
    path: '/api/crews/:id/archive',
    access: 'office',
    permission: 'team',
    idempotent: true,
    params: Id,
    response: Crew,
    summary: 'Put a crew away; its open visits become unassigned',
  }),
}
