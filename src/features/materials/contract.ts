import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { serviceCategories } from '../services/rules.ts'
import { Choice } from './calculation/contract.ts'
import {
  materialActions,
  materialKinds,
  materialUnits,
  mostPackages,
  moveKinds,
  packages,
  priceWords,
} from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const Percent = z
  .number({ error: 'Type a number, like 12 or 12.5.' })
  .min(0, 'Not less than 0%.')
  .max(100, 'At most 100%.')
  .multipleOf(0.1, 'At most one decimal.')
  .nullable()

/** Of seed: where nothing is pure or comes up, no amount is enough. */
const Live = Percent.refine(
  (value) => value === null || value > 0,
  'More than 0%: leave it empty where the tag does not say.',
)

export const Material = z.object({
  id: z.uuid(),
  kind: z.enum(materialKinds),
  name: z.string(),
  package: z.enum(packages),
  packageSize: z.number(),
  unit: z.enum(materialUnits),
  /** Of one package; null where it follows from the package, or nobody knows. */
  weightPounds: z.number().nullable(),
  nitrogenPercent: z.number().nullable(),
  phosphatePercent: z.number().nullable(),
  potashPercent: z.number().nullable(),
  slowPercent: z.number().nullable(),
  purityPercent: z.number().nullable(),
  germinationPercent: z.number().nullable(),
  productId: z.uuid().nullable(),
  /** Of one package; null where nobody said, and for people who do not see money. */
  costCents: z.number().int().nullable(),
  /** Packages. */
  onHand: z.number(),
  reorderAt: z.number().nullable(),
  /** What its product's label allows for 1,000 sq ft; null without a product. */
  label: z.object({ low: z.number().nullable(), high: z.number().nullable(), unit: z.string() }).nullable(),
  archived: z.boolean(),
  version: z.number().int(),
  can: z.record(z.enum(materialActions), z.boolean()),
})
export type Material = z.output<typeof Material>

export const MaterialMove = z.object({
  id: z.uuid(),
  kind: z.enum(moveKinds),
  /** More or less. */
  packages: z.number(),
  onHandAfter: z.number(),
  note: z.string(),
  by: z.string().nullable(),
  at: z.string(),
  /** The visit that it was used on. */
  visitId: z.uuid().nullable(),
  jobId: z.uuid().nullable(),
})
export type MaterialMove = z.output<typeof MaterialMove>

export const LawOff = z.object({ state: z.string(), reason: z.string(), by: z.string().nullable(), at: z.string() })

export const MaterialSettings = z.object({
  payloadPounds: z.number().int(),
  lawsOff: z.array(LawOff),
  version: z.number().int(),
  can: z.object({ update: z.boolean() }),
})
export type MaterialSettings = z.output<typeof MaterialSettings>

const Crew = z.object({ id: z.uuid(), name: z.string(), color: z.string() })

/** What of a material is on the load list for a visit. */
export const PlannedMaterial = z.object({
  id: z.uuid(),
  materialId: z.uuid(),
  place: z.string(),
  /** Null where the visit is gone: nobody loads for it. */
  visitId: z.uuid().nullable(),
  jobId: z.uuid().nullable(),
  /** Exact, in the material's unit. */
  amount: z.number(),
  /** When its visit is. */
  day: Day.nullable(),
  by: z.string().nullable(),
  /** Why it may not go down as it is planned, by today's label and the visit's day; null where nothing stands against it. */
  problem: z.string().nullable(),
})
export type PlannedMaterial = z.output<typeof PlannedMaterial>

/** What is still to load; what is done or past; what was called off; what has no visit any more. */
const loadGroups = ['ahead', 'done', 'canceled', 'gone'] as const
export type LoadGroup = (typeof loadGroups)[number]

/** One day of one crew, or all that nobody loads any more for the same reason: each material over all its stops, packages counted once. */
export const Load = z.object({
  group: z.enum(loadGroups),
  day: Day.nullable(),
  crew: Crew.nullable(),
  materials: z.array(
    z.object({
      materialId: z.uuid(),
      name: z.string(),
      package: z.enum(packages),
      packageSize: z.number(),
      unit: z.enum(materialUnits),
      amount: z.number(),
      packages: z.number(),
      onHand: z.number(),
      stops: z.array(PlannedMaterial),
    }),
  ),
  /** Of all whole packages whose weight is known, with the water of tank mixes. */
  weightPounds: z.number(),
  /** Materials whose weight nobody knows: the load weighs at least the rest. */
  unweighed: z.array(z.string()),
})
export type Load = z.output<typeof Load>

export const Purchase = z.object({
  materialId: z.uuid(),
  name: z.string(),
  package: z.enum(packages),
  packageSize: z.number(),
  unit: z.enum(materialUnits),
  onHand: z.number(),
  reorderAt: z.number().nullable(),
  isLow: z.boolean(),
  /** To buy in all. */
  packages: z.number(),
  /** Null where no cost is known, and for people who do not see money. */
  costCents: z.number().int().nullable(),
  wants: z.array(
    z.object({ id: z.uuid(), packages: z.number(), note: z.string(), by: z.string().nullable(), at: z.string() }),
  ),
})
export type Purchase = z.output<typeof Purchase>

const Packages = z
  .number({ error: 'How many?' })
  .positive('More than none.')
  .max(mostPackages, 'That is too many.')
  .multipleOf(0.01, 'At most two decimals.')
/** What the screen said was on hand; where it is another number by now, nothing is changed. */
const SeenOnHand = z.number().min(0).max(mostPackages).optional()
const Note = z.string().trim().max(300).default('')

const fields = {
  kind: z.enum(materialKinds),
  name: z.string().trim().min(1, 'What is it called?').max(80),
  package: z.enum(packages),
  packageSize: z
    .number({ error: 'How much is in one?' })
    .positive('More than nothing.')
    .max(1_000_000)
    .multipleOf(0.001, 'At most three decimals.'),
  unit: z.enum(materialUnits),
  weightPounds: z.number().positive('More than nothing.').max(100_000).multipleOf(0.01).nullable(),
  nitrogenPercent: Percent,
  phosphatePercent: Percent,
  potashPercent: Percent,
  slowPercent: Percent,
  purityPercent: Live,
  germinationPercent: Live,
  productId: z.uuid().nullable(),
  costCents: z.number({ error: priceWords }).int().min(0, priceWords).max(100_000_000, 'That is too much.').nullable(),
  reorderAt: z.number().min(0, 'Not less than none.').max(mostPackages).multipleOf(0.01).nullable(),
}
const draft = {
  ...fields,
  weightPounds: fields.weightPounds.default(null),
  nitrogenPercent: Percent.default(null),
  phosphatePercent: Percent.default(null),
  potashPercent: Percent.default(null),
  slowPercent: Percent.default(null),
  purityPercent: Live.default(null),
  germinationPercent: Live.default(null),
  productId: fields.productId.default(null),
  costCents: fields.costCents.default(null),
  reorderAt: fields.reorderAt.default(null),
}
export const MaterialDraft = z.object({
  ...draft,
  /** Counted when it was added. */
  onHand: z.number().min(0, 'Not less than none.').max(mostPackages).multipleOf(0.01).default(0),
})
export type MaterialDraft = z.output<typeof MaterialDraft>

const read = { access: 'office' } as const
const change = { access: 'office', permission: 'schedule', needsSubscription: true, idempotent: true } as const
const settings = { ...change, permission: 'settings' } as const
const Id = z.object({ id: z.uuid() })
const version = z.number().int()
const ofOne = { ...change, params: Id, response: Material } as const
const calculated = { materialId: z.uuid(), choice: Choice }

export const materialsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/materials',
    ...read,
    query: z.object({ archived: z.stringbool().optional() }),
    response: z.object({ items: z.array(Material), settings: MaterialSettings }),
    summary: 'What the business buys with what there is of it, at most 300, and what its calculator goes by',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/materials/:id',
    ...read,
    params: Id,
    response: Material,
  }),
  moves: endpoint({
    method: 'GET',
    path: '/api/materials/:id/moves',
    ...read,
    params: Id,
    query: z.object(page(30)),
    response: z.object({ items: z.array(MaterialMove), nextCursor: z.string().nullable() }),
    summary: 'Every movement of a material, the newest first',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/materials',
    ...change,
    body: MaterialDraft,
    response: Material,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/materials/:id',
    ...ofOne,
    body: z.object(fields).partial().extend({ version }),
    summary: 'Change what a material is; what there is of it changes only by its moves',
  }),
  archive: endpoint({ method: 'POST', path: '/api/materials/:id/archive', ...ofOne, body: z.object({ version }) }),
  restore: endpoint({ method: 'POST', path: '/api/materials/:id/restore', ...ofOne, body: z.object({ version }) }),
  count: endpoint({
    method: 'POST',
    path: '/api/materials/:id/count',
    ...ofOne,
    body: z.object({
      onHand: z
        .number({ error: 'How many are there?' })
        .min(0, 'Not less than none.')
        .max(mostPackages)
        .multipleOf(0.01),
      seenOnHand: SeenOnHand,
      note: Note,
    }),
    summary: 'What is there by count; the difference is kept with who counted',
  }),
  receive: endpoint({
    method: 'POST',
    path: '/api/materials/:id/receive',
    ...ofOne,
    body: z.object({ packages: Packages, seenOnHand: SeenOnHand, note: Note }),
    summary: 'Packages came in; what was on the purchase list is settled by them, the oldest first',
  }),
  use: endpoint({
    method: 'POST',
    path: '/api/materials/:id/use',
    ...ofOne,
    body: z.object({ packages: Packages, note: Note }),
    summary: 'Packages were used; never more than there are',
  }),
  saveSettings: endpoint({
    method: 'PUT',
    path: '/api/materials/settings',
    ...settings,
    body: z.object({
      payloadPounds: z.number({ error: 'How many pounds?' }).int().min(100, 'At least 100 lb.').max(100_000),
      version,
    }),
    response: MaterialSettings,
  }),
  setLaw: endpoint({
    method: 'PUT',
    path: '/api/materials/laws',
    ...settings,
    body: z.object({
      state: z.string().regex(/^[A-Z]{2}$/, 'Use a state like MD.'),
      /** Null holds the business to the state's limits again. */
      reason: z.string().trim().min(3, 'Say why, so that everybody knows.').max(300).nullable(),
    }),
    response: MaterialSettings,
    summary: 'Switch the fertilizer limits of a state off, with why, or on again',
  }),
  visits: endpoint({
    method: 'GET',
    path: '/api/materials/visits',
    ...read,
    query: z.object({ propertyId: z.uuid() }),
    response: z.object({
      items: z.array(
        z.object({
          id: z.uuid(),
          title: z.string(),
          day: Day.nullable(),
          crewName: z.string().nullable(),
          /** What is done there, by which the visit is found that takes a material. */
          services: z.array(z.object({ name: z.string(), category: z.enum(serviceCategories) })),
        }),
      ),
    }),
    summary: 'The next visits of a property that a material can go on the load list for, at most 12',
  }),
  loads: endpoint({
    method: 'GET',
    path: '/api/materials/loads',
    ...read,
    response: z.object({ today: Day, items: z.array(Load), more: z.boolean() }),
    summary: 'What is calculated and not used yet, by day and crew, with sums; at most 300 calculations',
  }),
  plan: endpoint({
    method: 'POST',
    path: '/api/materials/loads',
    ...change,
    body: z.object({ ...calculated, visitId: z.uuid() }),
    response: PlannedMaterial,
    summary: 'Put a calculated amount on the load list of a visit; the phone of its crew has it too',
  }),
  unplan: endpoint({
    method: 'POST',
    path: '/api/materials/loads/:id/remove',
    ...change,
    params: Id,
    response: z.object({ id: z.uuid() }),
  }),
  usePlan: endpoint({
    method: 'POST',
    path: '/api/materials/loads/:id/use',
    ...change,
    params: Id,
    body: z.object({ packages: Packages }),
    response: Material,
    summary: 'What was on the load list was used: it leaves what there is, once',
  }),
  purchases: endpoint({
    method: 'GET',
    path: '/api/materials/purchases',
    ...read,
    response: z.object({ items: z.array(Purchase) }),
    summary: 'What is to be bought: below its reorder point, or put there by somebody',
  }),
  want: endpoint({
    method: 'POST',
    path: '/api/materials/purchases',
    ...change,
    body: z.object({ materialId: z.uuid(), packages: Packages, note: Note }),
    response: z.object({ id: z.uuid() }),
    summary: 'Put packages on the purchase list',
  }),
  unwant: endpoint({
    method: 'POST',
    path: '/api/materials/purchases/:id/remove',
    ...change,
    params: Id,
    response: z.object({ id: z.uuid() }),
  }),
  quoteLine: endpoint({
    method: 'POST',
    path: '/api/materials/quote-lines',
    ...change,
    permission: 'money',
    body: z.object({
      ...calculated,
      propertyId: z.uuid(),
      /** A draft for the same property; null makes a new one. */
      quoteId: z.uuid().nullable(),
      serviceId: z.uuid(),
      priceCents: z
        .number({ error: 'What does the customer pay?' })
        .int()
        .min(0, priceWords)
        .max(100_000_000, 'That is too much.'),
    }),
    response: z.object({ quoteId: z.uuid(), number: z.number().int() }),
    summary: 'A line on a draft quote with the calculated material as its cost',
  }),
}
