import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { measures } from './measures/rules.ts'
import { frequencies, serviceActions, serviceCategories, serviceUnits } from './rules.ts'

const number = () => z.number({ error: 'A number is needed' })
const Percent = number().int().min(1, 'At least 1%').max(1000, 'At most 1000 %')
const Cents = number().int().min(0).max(10_000_000)
const SquareFeet = number().int().min(0).max(50_000_000)
const Difficulty = z.number().int().min(1).max(5)

export const PriceRule = z.object({
  minCents: Cents,
  sizeAtMinSquareFeet: SquareFeet,
  tiers: z
    .array(z.object({ upToSquareFeet: SquareFeet.nullable(), centsPerKsqft: Cents }))
    .min(1, 'Give at least one rate.')
    .max(8, 'At most eight rates.'),
  roundToCents: z.number().int().min(1).max(10_000),
  difficultyPercent: z.array(Percent).length(5),
  frequencyPercent: z.object({ weekly: Percent, biweekly: Percent, monthly: Percent, once: Percent }),
  firstCutPercent: Percent,
  roundUp: z.boolean().optional(),
})

export const TimeRule = z.object({
  fixedMinutes: number().min(0).max(1440),
  minutesPerKsqft: number().min(0).max(1000),
  minutesPerUnit: number().min(0).max(1440),
  difficultyPercent: z.array(Percent).length(5),
})

export const ChecklistItem = z.object({
  text: z.string().trim().min(1, 'Say what to tick').max(120),
  /** For crews who read Spanish; left out is the text itself. */
  es: z.string().trim().max(120).optional(),
  required: z.boolean(),
  /** Ticked by a photo of it. */
  photo: z.boolean().optional(),
})

/** What a crew may know of a service: nothing about money. */
export const ServiceName = z.object({
  id: z.uuid(),
  name: z.string(),
  category: z.enum(serviceCategories),
  measuredBy: z.enum(measures),
  checklist: z.array(ChecklistItem),
})
export type ServiceName = z.output<typeof ServiceName>

/** A service as the office keeps it. `priceRule` is null for people who do not see money. */
export const ServiceRecord = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  /** For crews who read Spanish; empty is the name itself. */
  nameEs: z.string(),
  description: z.string(),
  category: z.enum(serviceCategories),
  unit: z.enum(serviceUnits),
  /** What of a property its price, minutes and material go by. */
  measuredBy: z.enum(measures),
  priceRule: PriceRule.nullable(),
  /** The price that is to come, and from when; null also for people who do not see money. */
  nextPrice: z.object({ fromOn: z.string(), priceRule: PriceRule }).nullable(),
  timeRule: TimeRule,
  taxCategory: z.string(),
  checklist: z.array(ChecklistItem),
  photoRequired: z.boolean(),
  /** Crews may offer it at a stop (decision 038). */
  soldAtDoor: z.boolean(),
  minGapDays: z.number().int(),
  /** What a crew must have to do it: skills and equipment. */
  skills: z.array(z.string()),
  position: z.number().int(),
  /** Open jobs that hold it. */
  jobCount: z.number().int(),
  archivedAt: z.string().nullable(),
  version: z.number().int(),
  /** What who asked may do with it now. */
  can: z.record(z.enum(serviceActions), z.boolean()),
})
export type ServiceRecord = z.output<typeof ServiceRecord>

/** One version of a service's prices: who made it when, and from which day it holds. */
export const PriceVersion = z.object({
  number: z.number().int(),
  priceRule: PriceRule,
  fromOn: z.string().refine(isDay),
  createdAt: z.string(),
  byName: z.string().nullable(),
  /** The change that carried it to booked work, if there was one. */
  changeId: z.uuid().nullable(),
  undoneAt: z.string().nullable(),
  state: z.enum(['current', 'scheduled', 'past', 'undone']),
})
export type PriceVersion = z.output<typeof PriceVersion>

const fields = {
  name: z.string().trim().min(1, 'A name is needed').max(120),
  nameEs: z.string().trim().max(120),
  description: z.string().trim().max(1000),
  category: z.enum(serviceCategories),
  unit: z.enum(serviceUnits),
  measuredBy: z.enum(measures),
  priceRule: PriceRule,
  timeRule: TimeRule,
  taxCategory: z.string().trim().min(1, 'A tax category is needed').max(40),
  checklist: z.array(ChecklistItem).max(30),
  photoRequired: z.boolean(),
  soldAtDoor: z.boolean(),
  minGapDays: number().int().min(0).max(400),
  skills: z.array(z.string().trim().min(1).max(40)).max(20),
}

export const ServiceDraft = z.object({
  ...fields,
  nameEs: fields.nameEs.default(''),
  description: fields.description.default(''),
  unit: fields.unit.default('visit'),
  measuredBy: fields.measuredBy.default('lawn'),
  taxCategory: fields.taxCategory.default('lawn'),
  checklist: fields.checklist.default([]),
  photoRequired: fields.photoRequired.default(false),
  soldAtDoor: fields.soldAtDoor.default(false),
  minGapDays: fields.minGapDays.default(0),
  skills: fields.skills.default([]),
})
export type ServiceDraft = z.output<typeof ServiceDraft>

/** What is left out stays as it is. */
export const ServiceChange = z.object(fields).partial().extend({ version: z.number().int() })
export type ServiceChange = z.output<typeof ServiceChange>

const Id = z.object({ id: z.uuid() })
const Items = z.object({ items: z.array(ServiceRecord) })
const change = { access: 'office', permission: 'money', needsSubscription: true } as const

export const servicesApi = {
  names: endpoint({
    method: 'GET',
    path: '/api/services',
    access: 'member',
    response: z.object({ items: z.array(ServiceName) }),
    summary: 'What the business does, without prices',
  }),
  catalog: endpoint({
    method: 'GET',
    path: '/api/services/catalog',
    access: 'office',
    query: z.object({ archived: z.stringbool().optional() }),
    response: Items,
    summary: 'Services with price and time rules, in order; the archived ones when asked for',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/services',
    ...change,
    idempotent: true,
    body: ServiceDraft,
    response: ServiceRecord,
    summary: 'Add a service',
  }),
  addDefaults: endpoint({
    method: 'POST',
    path: '/api/services/defaults',
    ...change,
    idempotent: true,
    response: Items,
    summary: 'Add the usual lawn-care services that are not there yet',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/services/:id',
    ...change,
    idempotent: true,
    params: Id,
    body: ServiceChange,
    response: ServiceRecord,
    summary: 'Change a service; jobs keep the prices they were made with',
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/services/:id/archive',
    ...change,
    idempotent: true,
    params: Id,
    response: ServiceRecord,
    summary: 'Put a service away; jobs that hold it go on',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/services/:id/restore',
    ...change,
    idempotent: true,
    params: Id,
    response: ServiceRecord,
    summary: 'Bring a service back',
  }),
  reorder: endpoint({
    method: 'PUT',
    path: '/api/services/order',
    ...change,
    idempotent: true,
    body: z.object({ ids: z.array(z.uuid()).min(1).max(500) }),
    response: Items,
    summary: 'Put the services in this order',
  }),
  prices: endpoint({
    method: 'GET',
    path: '/api/services/:id/prices',
    access: 'office',
    permission: 'money',
    params: Id,
    response: z.object({ items: z.array(PriceVersion) }),
    summary: 'The prices that a service had, has and will have',
  }),
  quotePrice: endpoint({
    method: 'POST',
    path: '/api/services/:id/quote-price',
    access: 'office',
    params: Id,
    body: z.object({
      /** Of the lawn, or of the beds where the service goes by them. */
      squareFeet: SquareFeet.nullable(),
      /** Of the edges where the service goes by them. */
      feet: SquareFeet.nullable().default(null),
      difficulty: Difficulty.default(1),
      frequency: z.enum(frequencies).default('weekly'),
      firstCut: z.boolean().default(false),
      quantity: z.number().positive().max(100_000).default(1),
    }),
    response: z.object({
      /** For the whole quantity; null when the rule cannot say, and for people who do not see money. */
      priceCents: z.number().int().nullable(),
      minutes: z.number().int().nullable(),
      reason: z.string().nullable(),
    }),
    summary: 'What a lawn, beds or edges of a size would cost, and how long it takes',
  }),
}
