import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { billMethods, equipmentKinds, highestTenths, meters } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const Tenths = z.number().int().min(0, 'A meter reads zero or more.').max(highestTenths, 'No meter reads that much.')

const Due = z.object({
  state: z.enum(['overdue', 'soon', 'later']),
  on: Day.nullable(),
  /** By the pace of the last weeks. */
  foreseen: z.boolean(),
  leftTenths: z.number().int().nullable(),
})

const CrewMark = z.object({ id: z.uuid(), name: z.string(), color: z.string() })

export const Equipment = z.object({
  id: z.uuid(),
  kind: z.enum(equipmentKinds),
  name: z.string(),
  model: z.string(),
  serial: z.string(),
  meter: z.enum(meters).nullable(),
  reading: z.object({ tenths: z.number().int(), on: Day }).nullable(),
  /** Today's. */
  crew: CrewMark.nullable(),
  out: z.object({ since: z.string(), reason: z.string() }).nullable(),
  /** What is due first. */
  due: Due.extend({ what: z.string() }).nullable(),
  /** Found by crews and not settled. */
  defectCount: z.number().int(),
  /** Readings of phones that cannot be right beside the others. */
  doubtedCount: z.number().int(),
  archived: z.boolean(),
  version: z.number().int(),
  can: z.object({
    update: z.boolean(),
    assign: z.boolean(),
    read: z.boolean(),
    service: z.boolean(),
    takeOut: z.boolean(),
    /** Not while a crew's defect keeps it out. */
    bringBack: z.boolean(),
    archive: z.boolean(),
    restore: z.boolean(),
  }),
})
export type Equipment = z.output<typeof Equipment>

export const ServicePlan = z.object({
  id: z.uuid(),
  what: z.string(),
  everyTenths: z.number().int().nullable(),
  everyMonths: z.number().int().nullable(),
  lastTenths: z.number().int(),
  lastOn: Day,
  /** Whether that is where it was done, or where counting began. */
  wasDone: z.boolean(),
  due: Due,
  version: z.number().int(),
})
export type ServicePlan = z.output<typeof ServicePlan>

export const EquipmentDetail = Equipment.extend({
  crews: z.array(z.object({ id: z.uuid(), crew: CrewMark, from: Day, to: Day.nullable() })),
  plans: z.array(ServicePlan),
  /** The newest first. */
  readings: z.array(
    z.object({
      id: z.uuid(),
      tenths: z.number().int(),
      on: Day,
      source: z.enum(['office', 'check', 'service']),
      state: z.enum(['counted', 'doubted', 'left_out']),
      reason: z.string(),
      /** The first one of another meter. */
      newMeter: z.boolean(),
      by: z.string().nullable(),
    }),
  ),
  work: z.array(
    z.object({
      id: z.uuid(),
      what: z.string(),
      doneOn: Day,
      tenths: z.number().int().nullable(),
      note: z.string(),
      by: z.string().nullable(),
      expenseId: z.uuid().nullable(),
      /** Null for who works without money. */
      costCents: z.number().int().nullable(),
    }),
  ),
})
export type EquipmentDetail = z.output<typeof EquipmentDetail>

const fields = {
  kind: z.enum(equipmentKinds),
  name: z.string().trim().min(1, 'What is it called?').max(60),
  model: z.string().trim().max(80).default(''),
  serial: z.string().trim().max(60).default(''),
  meter: z.enum(meters).nullable().default(null),
}

/** What another meter showed when it came in; null where it is the one from before. */
const newMeterFrom = Tenths.nullable().default(null)

const plan = {
  what: z.string().trim().min(1, 'What is to be done?').max(80),
  everyTenths: z.number().int().min(1).max(highestTenths).nullable().default(null),
  everyMonths: z.number().int().min(1).max(120, 'Ten years at most.').nullable().default(null),
}

const read = { access: 'office' } as const
const change = { access: 'office', permission: 'schedule', idempotent: true } as const
const Id = z.object({ id: z.uuid() })
const seen = { version: z.number().int() }
const ofOne = { ...change, params: Id, response: EquipmentDetail } as const

export const equipmentApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/equipment',
    ...read,
    query: z.object({ archived: z.stringbool().optional(), crewId: z.uuid().optional() }),
    response: z.object({ today: Day, items: z.array(Equipment) }),
    summary: 'Trucks, trailers, mowers and the rest, at most 500',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/equipment/:id',
    ...read,
    params: Id,
    response: EquipmentDetail,
    summary: 'One piece with its crews, service plans, and the last 20 readings and works',
  }),
  create: endpoint({
    ...change,
    method: 'POST',
    path: '/api/equipment',
    body: z.object({
      ...fields,
      crewId: z.uuid().nullable().default(null),
      tenths: Tenths.nullable().default(null),
    }),
    response: EquipmentDetail,
    summary: 'Add a truck, trailer, mower or something else; with what its meter reads and the crew that has it',
  }),
  update: endpoint({
    ...ofOne,
    method: 'PUT',
    path: '/api/equipment/:id',
    body: z.object({ ...fields, ...seen }),
  }),
  archive: endpoint({ ...ofOne, method: 'POST', path: '/api/equipment/:id/archive', body: z.object(seen) }),
  restore: endpoint({ ...ofOne, method: 'POST', path: '/api/equipment/:id/restore', body: z.object(seen) }),
  assign: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/api/equipment/:id/crew',
    body: z.object({ crewId: z.uuid().nullable(), from: Day, ...seen }),
    summary: 'Which crew has it from a day on; what was planned for later is gone, what was before stays',
  }),
  takeOut: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/api/equipment/:id/take-out',
    body: z.object({ reason: z.string().trim().min(1, 'Say why, so that the crew knows.').max(300), ...seen }),
    summary: 'Out of service: the crew that has it is told',
  }),
  bringBack: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/api/equipment/:id/bring-back',
    body: z.object(seen),
    summary: 'In service again',
  }),
  read: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/api/equipment/:id/readings',
    body: z.object({ tenths: Tenths, reason: z.string().trim().max(300).default(''), newMeterFrom }),
    summary:
      'What the meter reads now; less than before only with a reason, or as another meter, over which service counts on',
  }),
  judge: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/api/equipment/:id/judge',
    body: z.object({
      readingId: z.uuid(),
      counts: z.boolean(),
      reason: z.string().trim().max(300).default(''),
      newMeterFrom,
    }),
    summary: 'A doubted reading of a phone counts after all, with a reason, or is left out',
  }),
  addPlan: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/api/equipment/:id/plans',
    body: z.object({ ...plan, lastOn: Day.optional(), lastTenths: Tenths.optional() }),
    summary: 'Service every so many hours, miles or months; counted from when it was last done',
  }),
  changePlan: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/api/equipment/:id/change-plan',
    body: z.object({ planId: z.uuid(), ...plan, ...seen }),
  }),
  removePlan: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/api/equipment/:id/remove-plan',
    body: z.object({ planId: z.uuid() }),
    summary: 'Nothing is due of it any more; what was done stays',
  }),
  service: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/api/equipment/:id/work',
    body: z.object({
      planId: z.uuid().nullable().default(null),
      what: z.string().trim().min(1, 'What was done?').max(80),
      doneOn: Day,
      tenths: Tenths.nullable().default(null),
      note: z.string().trim().max(1000).default(''),
      /** Only for who works with money; null books nothing. */
      expense: z
        .object({
          totalCents: z.number().int().min(1, 'What did it cost?').max(100_000_000),
          vendor: z.string().trim().max(120).default(''),
          method: z.enum(billMethods),
        })
        .nullable()
        .default(null),
    }),
    summary: 'Service or a repair was done; what it cost goes to the expenses where somebody says so',
  }),
  removeWork: endpoint({
    ...ofOne,
    method: 'POST',
    path: '/api/equipment/:id/remove-work',
    body: z.object({ workId: z.uuid() }),
    summary: 'Take back that something was done; an expense that was booked with it stays',
  }),
}
