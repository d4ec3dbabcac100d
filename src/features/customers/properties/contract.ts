import { z } from 'zod'
import { isZip, placeQualities, zipWords } from '../../../shared/places.ts'
import { stateText } from '../../../shared/states.ts'
import { CustomChanges, CustomValues } from '../custom/contract.ts'
import { propertyActions } from '../rules.ts'

// Control characters and halves of characters cannot be stored as text.
const storable = (text: string): boolean => !/\p{Cc}/u.test(text.replace(/[\n\r\t]/g, '')) && text.isWellFormed()

export const text = (max: number, what: string) =>
  z
    .string()
    .max(max, `${what} can have at most ${max} characters.`)
    .refine(storable, `${what} has characters that cannot be stored.`)
    .transform((value) => value.normalize('NFC').trim())

export const required = (max: number, what: string) =>
  text(max, what).refine((value) => value !== '', `${what} is missing.`)

/** Empty means none. */
export const optional = (max: number, what: string) =>
  text(max, what)
    .nullable()
    .transform((value) => value || null)

export const geocodeQuality = z.enum(placeQualities)
export const latitude = z.number().min(-90, 'Latitude goes from -90 to 90.').max(90, 'Latitude goes from -90 to 90.')
export const longitude = z
  .number()
  .min(-180, 'Longitude goes from -180 to 180.')
  .max(180, 'Longitude goes from -180 to 180.')

export const Property = z.object({
  id: z.uuid(),
  customerId: z.uuid(),
  street: z.string(),
  unit: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  geocodeQuality,
  /** Why the place is not better known. */
  geocodeNote: z.string(),
  /** The address is being looked up. */
  geocodeWaiting: z.boolean(),
  lawnSquareFeet: z.number().int().nullable(),
  /** Beds together, as they were measured; null where none was. */
  bedSquareFeet: z.number().int().nullable(),
  /** Feet of the edges together, drawn or typed; null where none was measured. */
  edgeFeet: z.number().int().nullable(),
  difficulty: z.number().int(),
  hasGateCode: z.boolean(),
  /** Another one whenever the gate code is set again; says nothing about the code. Null without one. */
  gateCodeMark: z.string().nullable(),
  dog: z.string(),
  parking: z.string(),
  noGo: z.string(),
  mowHeightInches: z.number().nullable(),
  clippings: z.enum(['mulch', 'bag', 'side']),
  notes: z.string(),
  custom: CustomValues,
  version: z.number().int(),
  createdAt: z.string(),
  archivedAt: z.string().nullable(),
  /** What who asked may do with it now. */
  can: z.record(z.enum(propertyActions), z.boolean()),
})
export type Property = z.output<typeof Property>

/** Fields of a property as a form sends them. A gate code is written, never read back here: null removes it, left out keeps it. */
const propertyFields = z.object({
  street: required(200, 'The street'),
  unit: text(60, 'The unit'),
  city: text(100, 'The city'),
  state: stateText,
  zip: text(12, 'The ZIP code').refine(isZip, zipWords),
  lawnSquareFeet: z
    .number()
    .int('The lawn size is a whole number of square feet.')
    .min(0, 'The lawn size cannot be negative.')
    .max(50_000_000, 'The lawn size is too large.')
    .nullable(),
  difficulty: z.number().int().min(1).max(5),
  gateCode: optional(60, 'The gate code'),
  dog: text(300, 'The dog note'),
  parking: text(300, 'The parking note'),
  noGo: text(500, 'The no-go note'),
  mowHeightInches: z
    .number()
    .min(0.5, 'The mow height goes from 0.5 to 8 inches.')
    .max(8, 'The mow height goes from 0.5 to 8 inches.')
    .nullable(),
  clippings: z.enum(['mulch', 'bag', 'side']),
  notes: text(4000, 'The notes'),
  custom: CustomChanges,
})

export const NewProperty = propertyFields
  .partial()
  .extend({
    street: propertyFields.shape.street,
    latitude: latitude.nullable().optional(),
    longitude: longitude.nullable().optional(),
  })
  .refine(
    (p) => (p.latitude === null || p.latitude === undefined) === (p.longitude === null || p.longitude === undefined),
    { path: ['longitude'], message: 'A pin needs both latitude and longitude.' },
  )
export type NewProperty = z.output<typeof NewProperty>

export const PropertyChanges = propertyFields.partial().extend({
  version: z.number().int(),
  /** A changed address moves a pin that was set by hand only when this says so. */
  relocate: z.boolean().default(false),
})
export type PropertyChanges = z.output<typeof PropertyChanges>
