import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { page, sorted } from '../../shared/list.ts'
import { paperWayNames } from '../../shared/paper-ways.ts'
import { isZip, zipWords } from '../../shared/places.ts'
import { stateOrNull } from '../../shared/states.ts'
import { ownRhythms } from '../businesses/autoinvoices/rules.ts'
import { contactKinds } from './contacts/rules.ts'
import { CustomChanges, CustomFilterText, CustomValues } from './custom/contract.ts'
import { email, phone } from './fields/contract.ts'
import {
  geocodeQuality,
  latitude,
  longitude,
  NewProperty,
  optional,
  Property,
  PropertyChanges,
  required,
  text,
} from './properties/contract.ts'
import { customerActions } from './rules.ts'

export { NewProperty, Property, PropertyChanges } from './properties/contract.ts'

const tag = required(40, 'A tag').refine((value) => !value.includes(','), 'A tag cannot have a comma.')
const tags = z
  .array(tag)
  .max(30, 'A customer can have at most 30 tags.')
  .transform((list) => [...new Set(list)])

export const customerStages = ['lead', 'active', 'past'] as const
export const CustomerStage = z.enum(customerStages)
export type CustomerStage = z.output<typeof CustomerStage>

/** One value or several; a query string has one where a list has one element. */
const many = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item).max(50), item]).transform((value) => (Array.isArray(value) ? value : [value]) as z.output<T>[])
const flag = z.union([z.boolean(), z.stringbool()])
const searchText = z
  .string()
  .max(200)
  .transform((value) =>
    value
      .normalize('NFC')
      .replace(/\p{Cc}/gu, ' ')
      .trim(),
  )

/** Which customers are meant: in the query of a list, or in the body of an action on all of them. Archived ones only when asked for. */
export const CustomerFilter = z.object({
  /** Words in name, company, e-mail, phone or street. */
  q: searchText.optional(),
  stage: many(CustomerStage).optional(),
  /** Any of these tags. */
  tag: many(searchText).optional(),
  city: many(searchText).optional(),
  zip: many(searchText).optional(),
  /** true: a property with a current job; false: a property (or the customer) without one. */
  hasJob: flag.optional(),
  /** true: a property without a pin. */
  noPin: flag.optional(),
  /** true: a property that stands only in the middle of its ZIP code or area. */
  approximate: flag.optional(),
  archived: flag.optional(),
  importId: z.uuid().optional(),
  /** What custom fields of the customer or of a property say. */
  custom: CustomFilterText.optional(),
})
export type CustomerFilter = z.output<typeof CustomerFilter>

export const customerSorts = ['name', 'created', 'city'] as const

export const CustomerListQuery = CustomerFilter.extend({
  ...sorted(customerSorts, 'name', 'asc'),
  ...page(50),
})
export type CustomerListQuery = z.output<typeof CustomerListQuery>

export const CustomerListItem = z.object({
  id: z.uuid(),
  name: z.string(),
  company: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  type: z.enum(['residential', 'commercial']),
  stage: CustomerStage,
  tags: z.array(z.string()),
  propertyCount: z.number().int(),
  /** Of all properties together; null where no lawn was measured. */
  lawnSquareFeet: z.number().int().nullable(),
  propertyId: z.uuid().nullable(),
  street: z.string().nullable(),
  city: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  nextVisitDay: z.string().nullable(),
  /** Open invoices together; null for a person without the permission for money, as the balance. */
  owedCents: z.number().int().nullable(),
  /** The books: what is owed less credit that is not used yet. */
  balanceCents: z.number().int().nullable(),
  archivedAt: z.string().nullable(),
  createdAt: z.string(),
  version: z.number().int(),
  /** Custom fields of the customer, and of the first property. */
  custom: CustomValues,
  propertyCustom: CustomValues,
  propertyVersion: z.number().int().nullable(),
})
export type CustomerListItem = z.output<typeof CustomerListItem>

const customerFields = z.object({
  type: z.enum(['residential', 'commercial']),
  name: required(120, 'The name'),
  company: optional(120, 'The company'),
  email,
  phone,
  billingStreet: optional(200, 'The billing street'),
  billingCity: optional(100, 'The billing city'),
  billingState: stateOrNull,
  billingZip: optional(12, 'The billing ZIP code').refine(isZip, zipWords),
  stage: CustomerStage,
  tags,
  notes: text(4000, 'The notes'),
  termsDays: z.number().int().min(0).max(365).nullable(),
  invoiceGrouping: z.enum(['customer', 'property', 'visit']).nullable(),
  taxExempt: z.boolean(),
  taxCertificate: optional(120, 'The certificate'),
  holdInvoices: z.boolean(),
  /** How often they are invoiced without anybody pressing; null is as the business has it. */
  autoInvoices: z.enum(ownRhythms).nullable(),
  /** Paying late costs them nothing. */
  noLateFees: z.boolean(),
  language: z.enum(['en', 'es']),
  /** How invoices and the rest about money reach them; null is as the business has it. */
  paperWay: z.enum(paperWayNames).nullable(),
  /** What goes to their own e-mail and phone; the rest goes to their contacts. */
  gets: z
    .array(z.enum(contactKinds))
    .max(4)
    .transform((list) => contactKinds.filter((kind) => list.includes(kind))),
  custom: CustomChanges,
})

export const NewCustomer = customerFields.partial().extend({
  name: customerFields.shape.name,
  property: NewProperty.optional(),
  /** Go on although somebody with the same phone, e-mail or address is there already. */
  allowDuplicate: z.boolean().default(false),
})
export type NewCustomer = z.output<typeof NewCustomer>

export const CustomerChanges = customerFields.partial().extend({ version: z.number().int() })
export type CustomerChanges = z.output<typeof CustomerChanges>

export const VisitLine = z.object({
  id: z.uuid(),
  jobId: z.uuid(),
  propertyId: z.uuid(),
  title: z.string(),
  street: z.string(),
  day: z.string().nullable(),
  status: z.string(),
  crewName: z.string().nullable(),
  skipReason: z.string().nullable(),
  priceCents: z.number().int().nullable(),
})
export type VisitLine = z.output<typeof VisitLine>

export const CustomerRecord = z.object({
  /** What who asked may do with it now. */
  can: z.record(z.enum(customerActions), z.boolean()),
  id: z.uuid(),
  type: z.enum(['residential', 'commercial']),
  name: z.string(),
  company: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  billingStreet: z.string().nullable(),
  billingCity: z.string().nullable(),
  billingState: z.string().nullable(),
  billingZip: z.string().nullable(),
  stage: CustomerStage,
  source: z.string(),
  tags: z.array(z.string()),
  notes: z.string(),
  termsDays: z.number().int().nullable(),
  invoiceGrouping: z.enum(['customer', 'property', 'visit']).nullable(),
  taxExempt: z.boolean(),
  taxCertificate: z.string().nullable(),
  holdInvoices: z.boolean(),
  autoInvoices: z.enum(ownRhythms).nullable(),
  /** Paying late costs them nothing. */
  noLateFees: z.boolean(),
  language: z.enum(['en', 'es']),
  paperWay: z.enum(paperWayNames).nullable(),
  gets: z.array(z.enum(contactKinds)),
  custom: CustomValues,
  version: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  archivedAt: z.string().nullable(),
  /** Into which record this one was merged, where it was. */
  mergedIntoId: z.uuid().nullable(),
  properties: z.array(Property),
  balanceCents: z.number().int().nullable(),
  jobs: z.array(
    z.object({
      id: z.uuid(),
      number: z.number().int(),
      title: z.string(),
      status: z.string(),
      propertyId: z.uuid(),
      street: z.string(),
      startOn: z.string(),
      endOn: z.string().nullable(),
      /** Of a program: how far it is; null for other jobs. */
      rounds: z
        .object({
          total: z.number().int(),
          done: z.number().int(),
          missed: z.number().int(),
          /** The round that is due or planned. */
          open: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
  nextVisits: z.array(VisitLine),
  lastVisits: z.array(VisitLine),
  /** null for a person without the permission for money. */
  invoices: z
    .object({
      count: z.number().int(),
      openCents: z.number().int(),
      overdueCents: z.number().int(),
      /** The mean of what was paid in full lately, in whole days; null where nothing was. */
      daysToPay: z.number().int().nullable(),
      items: z.array(
        z.object({
          id: z.uuid(),
          number: z.number().int(),
          status: z.string(),
          issueOn: z.string().nullable(),
          dueOn: z.string().nullable(),
          totalCents: z.number().int(),
          paidCents: z.number().int(),
          /** What of what is paid is credit, no money. */
          creditedCents: z.number().int(),
        }),
      ),
    })
    .nullable(),
})
export type CustomerRecord = z.output<typeof CustomerRecord>

/** Somebody who is there already; in `details.duplicates` of the 409 of a create. */
export const CustomerDuplicate = z.object({
  customerId: z.uuid(),
  name: z.string(),
  street: z.string().nullable(),
  archived: z.boolean(),
  matches: z.array(z.enum(['email', 'phone', 'address'])),
})
export type CustomerDuplicate = z.output<typeof CustomerDuplicate>

/** Picked rows, or everybody whom a filter means. */
export const CustomerChoice = z.union([
  z.object({ ids: z.array(z.uuid()).min(1, 'Choose at least one customer.').max(1000) }),
  z.object({ filter: CustomerFilter }),
])
export type CustomerChoice = z.output<typeof CustomerChoice>

const SourcesWere = z
  .array(
    z.object({
      source: z.string().max(200),
      /** What was written over it: who has another one by then keeps that. */
      set: z.string().max(200),
      ids: z.array(z.uuid()).max(1_000),
    }),
  )
  .max(1_000)

const BulkResult = z.object({
  /** Where they came from before; only of an action that changed it. */
  sourcesWere: SourcesWere.optional(),
  changed: z.number().int(),
  /** Whom it was done to, so that it can be taken back; null for more than 1,000. */
  changedIds: z.array(z.uuid()).nullable(),
  /** Who was left as they were, and why. */
  skipped: z.array(z.object({ id: z.uuid(), name: z.string(), reason: z.string() })),
  skippedCount: z.number().int(),
})

const byId = z.object({ id: z.uuid() })

/** Changes of customers ask for the same three things. */
const change = { access: 'office', permission: 'customers', needsSubscription: true } as const

export const customersApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/customers',
    access: 'office',
    query: CustomerListQuery,
    response: z.object({
      items: z.array(CustomerListItem),
      nextCursor: z.string().nullable(),
      total: z.number().int(),
    }),
    summary: 'Customers by search, filter and sort',
  }),
  counts: endpoint({
    method: 'GET',
    path: '/api/customers/counts',
    access: 'office',
    response: z.object({
      all: z.number().int(),
      active: z.number().int(),
      lead: z.number().int(),
      past: z.number().int(),
      withoutJob: z.number().int(),
      withoutPin: z.number().int(),
      approximate: z.number().int(),
      archived: z.number().int(),
      /** Customers the plan allows; null when it has no limit. */
      limit: z.number().int().nullable(),
      planName: z.string(),
      nextPlanName: z.string().nullable(),
    }),
    summary: 'How many customers each saved view holds, and the limit of the plan',
  }),
  map: endpoint({
    method: 'GET',
    path: '/api/customers/map',
    access: 'office',
    query: CustomerFilter,
    response: z.object({
      pins: z.array(
        z.object({
          /** The property. */
          id: z.uuid(),
          customerId: z.uuid(),
          name: z.string(),
          street: z.string(),
          latitude: z.number(),
          longitude: z.number(),
          quality: geocodeQuality,
          nextVisitDay: z.string().nullable(),
          version: z.number().int(),
        }),
      ),
      /** Pins that stand only in the middle of their ZIP code or area. */
      approximate: z.number().int(),
      /** Properties of the filter without a pin. */
      withoutPin: z.number().int(),
      /** Properties with a pin beyond the 10,000 that are sent. */
      leftOut: z.number().int(),
    }),
    summary: 'A pin for every property of the filter, at most 10,000',
  }),
  facets: endpoint({
    method: 'GET',
    path: '/api/customers/facets',
    access: 'office',
    response: z.object({
      tags: z.array(z.object({ value: z.string(), count: z.number().int() })),
      cities: z.array(z.object({ value: z.string(), count: z.number().int() })),
      zips: z.array(z.object({ value: z.string(), count: z.number().int() })),
      sources: z.array(z.object({ value: z.string(), count: z.number().int() })),
    }),
    summary: 'Tags, cities, ZIP codes and sources in use',
  }),
  exportCsv: endpoint({
    method: 'GET',
    path: '/api/customers/export.csv',
    access: 'office',
    query: CustomerFilter,
    response: z.string(),
    summary: 'The customers of a filter as CSV, one row a property',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/customers/:id',
    access: 'office',
    params: byId,
    response: CustomerRecord,
    summary: 'One customer with properties, jobs, visits and invoices',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/customers',
    ...change,
    idempotent: true,
    body: NewCustomer,
    response: CustomerRecord,
    summary: 'Add a customer, with the first property in one call',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/customers/:id',
    ...change,
    idempotent: true,
    params: byId,
    body: CustomerChanges,
    response: CustomerRecord,
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/customers/:id/archive',
    ...change,
    idempotent: true,
    params: byId,
    response: CustomerRecord,
    summary: 'Put a customer away; refused while a job goes on',
  }),
  unarchive: endpoint({
    method: 'POST',
    path: '/api/customers/:id/unarchive',
    ...change,
    idempotent: true,
    params: byId,
    response: CustomerRecord,
    summary: 'Bring a customer back, within the limit of the plan',
  }),
  bulk: endpoint({
    method: 'POST',
    path: '/api/customers/bulk',
    ...change,
    idempotent: true,
    body: z.object({
      choice: CustomerChoice,
      action: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('tag'), tag }),
        z.object({ kind: z.literal('untag'), tag }),
        z.object({ kind: z.literal('archive') }),
        z.object({ kind: z.literal('unarchive') }),
        z.object({ kind: z.literal('source'), source: required(60, 'The source') }),
        z.object({ kind: z.literal('sourceBack'), were: SourcesWere }),
      ]),
    }),
    response: BulkResult,
    summary: 'Tag or archive many customers at once, or say where they came from',
  }),
  addProperty: endpoint({
    method: 'POST',
    path: '/api/customers/:id/properties',
    ...change,
    idempotent: true,
    params: byId,
    body: NewProperty,
    response: Property,
  }),
  updateProperty: endpoint({
    method: 'PATCH',
    path: '/api/properties/:id',
    ...change,
    idempotent: true,
    params: byId,
    body: PropertyChanges,
    response: Property,
  }),
  setLocation: endpoint({
    method: 'PUT',
    path: '/api/properties/:id/location',
    ...change,
    idempotent: true,
    params: byId,
    body: z.object({ latitude, longitude, version: z.number().int() }),
    response: Property,
    summary: 'Put the pin where a person dragged it',
  }),
  archiveProperty: endpoint({
    method: 'POST',
    path: '/api/properties/:id/archive',
    ...change,
    idempotent: true,
    params: byId,
    response: Property,
  }),
  unarchiveProperty: endpoint({
    method: 'POST',
    path: '/api/properties/:id/unarchive',
    ...change,
    idempotent: true,
    params: byId,
    response: Property,
  }),
  revealGateCode: endpoint({
    method: 'POST',
    path: '/api/properties/:id/gate-code/reveal',
    access: 'member',
    params: byId,
    response: z.object({ gateCode: z.string() }),
    summary: 'Show a gate code, and write down who saw it: the office, or a crew with a visit there today',
  }),
}
