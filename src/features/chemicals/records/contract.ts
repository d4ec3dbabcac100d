import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { page } from '../../../shared/list.ts'
import { labelFacts } from '../contract.ts'
import { licenseVerdicts, weatherSources, winds } from '../rules.ts'
import { recordFields } from '../states/rules.ts'

/** The record of an application: what was put where by whom, in what weather, and what was done about people nearby. */

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const Instant = z.iso.datetime({ offset: true, error: 'Use a date with a time.' })
const number = (error: string) => z.number({ error })
const text = (most: number) => z.string().trim().max(most)

export const Weather = z.object({
  windMph: number('Type miles per hour.').min(0).max(150).nullable(),
  windFrom: z.enum(winds),
  temperatureF: number('Type degrees.').min(-60).max(150).nullable(),
  sky: text(60),
  source: z.enum(weatherSources),
})

export const ApplicationDraft = z.object({
  mix: text(80),
  areaName: text(120),
  areaSquareFeet: number('How many square feet?')
    .int('Whole square feet.')
    .min(1, 'How many square feet?')
    .max(50_000_000),
  startedAt: Instant,
  endedAt: Instant,
  products: z
    .array(
      z.object({
        productId: z.uuid(),
        rate: number('How much for 1,000 sq ft?').positive('More than nothing.').max(10_000).nullable(),
        amount: number('How much was used?').positive('More than nothing.').max(10_000_000),
      }),
    )
    .min(1, 'Add at least one product.')
    .max(8, 'At most eight products.'),
  carrierGallons: number('How many gallons?').min(0).max(1_000_000).nullable(),
  target: text(120),
  method: text(80),
  equipment: text(80),
  weather: Weather,
  soil: text(60),
  applicatorId: z.uuid(),
  supervisorId: z.uuid().nullable(),
  signPosted: z.boolean(),
  noticeLeft: text(120),
  neighborsTold: text(3000),
  incident: text(1000),
  disposal: text(300),
  signature: text(120),
})
export type ApplicationDraft = z.output<typeof ApplicationDraft>

const Person = z.object({ id: z.uuid(), name: z.string(), license: z.string() })

/** The whole record as it stands in the database: nothing of it changes when a product, person or address does. */
export const ApplicationFacts = ApplicationDraft.omit({
  products: true,
  applicatorId: true,
  supervisorId: true,
}).extend({
  customer: z.string(),
  /** Where the person served gets their bills. */
  billing: z.string(),
  site: z.string(),
  zip: z.string(),
  state: z.string(),
  products: z.array(
    z.object({
      productId: z.uuid(),
      ...labelFacts,
      rate: z.number().nullable(),
      amount: z.number(),
    }),
  ),
  applicator: Person,
  supervisor: Person.nullable(),
  license: z.enum(licenseVerdicts),
  keepOffUntil: z.string().nullable(),
})
export type ApplicationFacts = z.output<typeof ApplicationFacts>

const SignPlace = z.object({
  latitude: z.number(),
  longitude: z.number(),
  accuracyMeters: z.number().int().nullable(),
})
export type SignPlace = z.output<typeof SignPlace>

export const ApplicationRecord = z.object({
  id: z.uuid(),
  visitId: z.uuid().nullable(),
  propertyId: z.uuid().nullable(),
  day: Day,
  enteredAt: z.string(),
  enteredBy: z.string().nullable(),
  fromPhone: z.boolean(),
  /** It came more than 24 hours after the work. */
  late: z.boolean(),
  /** As it stands now: with the last amendment. */
  facts: ApplicationFacts,
  /** What the law of the state asks for and it does not have. */
  missing: z.array(z.enum(recordFields)),
  /** With where each was taken, of a person who shares that. */
  signPhotos: z.array(z.object({ id: z.uuid(), url: z.string(), place: SignPlace.nullable() })),
  /** How it was put right, the first one first. */
  amendments: z.array(
    z.object({
      id: z.uuid(),
      at: z.string(),
      by: z.string().nullable(),
      reason: z.string(),
      changes: z.array(z.object({ label: z.string(), from: z.string(), to: z.string() })),
    }),
  ),
  can: z.object({ amend: z.boolean() }),
})
export type ApplicationRecord = z.output<typeof ApplicationRecord>

/** Somebody who may have applied it, with what their licenses allow. */
export const Applicator = z.object({
  id: z.uuid(),
  name: z.string(),
  licenses: z.array(
    z.object({
      skill: z.string(),
      state: z.string(),
      number: z.string(),
      validFrom: Day.nullable(),
      expiresOn: Day,
    }),
  ),
})
export type Applicator = z.output<typeof Applicator>

const filter = {
  from: Day.optional(),
  to: Day.optional(),
  state: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Use a state like GA.')
    .optional(),
  propertyId: z.uuid().optional(),
  productId: z.uuid().optional(),
}
const office = { access: 'office', permission: 'schedule' } as const
const change = { ...office, needsSubscription: true, idempotent: true } as const

export const recordsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/chemicals/records',
    ...office,
    query: z.object({ ...filter, ...page(30) }),
    response: z.object({
      items: z.array(ApplicationRecord),
      nextCursor: z.string().nullable(),
      /** Null for more than 1,000. */
      total: z.number().int().nullable(),
      states: z.array(z.string()),
    }),
    summary: 'Records of applications, the newest first, by period, state, property or product',
  }),
  csv: endpoint({
    method: 'GET',
    path: '/api/chemicals/records/csv',
    ...office,
    query: z.object({ ...filter, from: Day, to: Day }),
    response: z.any(),
    summary: 'The same as CSV, a row for each product, with every field',
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/api/chemicals/records/pdf',
    ...office,
    query: z.object({ ...filter, from: Day, to: Day }),
    response: z.any(),
    summary: 'The same as PDF, to show or to hand in',
  }),
  ofVisit: endpoint({
    method: 'GET',
    path: '/api/visits/:visitId/applications',
    ...office,
    params: z.object({ visitId: z.uuid() }),
    response: z.object({
      /** One of its services is a treatment. */
      treats: z.boolean(),
      state: z.string(),
      records: z.array(ApplicationRecord),
      /** What a new record begins with. */
      start: z.object({
        areaSquareFeet: z.number().int().nullable(),
        startedAt: z.string(),
        endedAt: z.string(),
        applicatorId: z.uuid().nullable(),
        weather: Weather,
      }),
      people: z.array(Applicator),
      /** Why none can be added now, or null. */
      refused: z.string().nullable(),
    }),
    summary: 'What was applied on a visit, and what a new record begins with',
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/visits/:visitId/applications',
    ...change,
    params: z.object({ visitId: z.uuid() }),
    body: ApplicationDraft.extend({
      /** What a phone sent and could not be taken, or a finish without a record: this is the record of it. */
      unrecordedId: z.uuid().optional(),
    }),
    response: ApplicationRecord,
    summary: 'Write down an application; nobody changes it afterwards, it is amended',
  }),
  amend: endpoint({
    method: 'POST',
    path: '/api/chemicals/records/:id/amend',
    ...change,
    params: z.object({ id: z.uuid() }),
    body: ApplicationDraft.extend({
      reason: z.string().trim().min(1, 'Say why it is put right.').max(500),
      /** How many amendments were seen. */
      seen: z.number().int().min(0),
    }),
    response: ApplicationRecord,
    summary: 'Put a record right, with why; what stood there before is kept',
  }),
}
