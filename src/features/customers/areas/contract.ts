import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { latitude, longitude, Property, text } from '../properties/contract.ts'
import { areaKinds, most } from './rules.ts'

const Corner = z.tuple([latitude, longitude])
const Ring = z.array(Corner).max(most.corners, `An outline has at most ${most.corners} corners.`)
const Rings = z
  .array(Ring)
  .min(1)
  .max(most.rings, `An area has at most ${most.rings - 1} holes.`)

export const PropertyArea = z.object({
  id: z.uuid(),
  kind: z.enum(areaKinds),
  name: z.string(),
  /** 0 for an edge of which only the feet were typed. */
  squareFeet: z.number().int(),
  /** Feet around the outline and its holes, or of an edge as they were typed; null where only square feet were typed. */
  feetAround: z.number().int().nullable(),
  /** The outline and its holes as [latitude, longitude]; null when the size was typed. */
  rings: Rings.nullable(),
})
export type PropertyArea = z.output<typeof PropertyArea>

export const PropertyAreas = z.object({
  propertyId: z.uuid(),
  /** Of the property: areas are saved with it. */
  version: z.number().int(),
  items: z.array(PropertyArea),
  lawnSquareFeet: z.number().int().nullable(),
  /** Who measured the lawn last, when and how; null while nobody did. */
  measured: z.object({ at: z.string(), by: z.string().nullable(), how: z.enum(['typed', 'areas']) }).nullable(),
})
export type PropertyAreas = z.output<typeof PropertyAreas>

/** An area as it is sent: drawn, then the server measures it, or typed. */
const AreaInput = z
  .object({
    /** Of one that is there already; another id is a new one. */
    id: z.uuid().optional(),
    kind: z.enum(areaKinds),
    name: text(60, 'The name').default(''),
    squareFeet: z
      .number()
      .int('Square feet are a whole number.')
      .min(1, 'An area has at least one square foot.')
      .max(most.squareFeet, 'The area is too large.')
      .nullable()
      .default(null),
    /** Of an edge that is typed: how long it is. */
    feet: z
      .number()
      .int('Feet are a whole number.')
      .min(1, 'An edge has at least one foot.')
      .max(most.feet, 'The edge is too long.')
      .nullable()
      .default(null),
    rings: Rings.nullable().default(null),
  })
  .refine(({ squareFeet, feet, rings }) => [squareFeet, feet, rings].filter((one) => one !== null).length === 1, {
    path: ['squareFeet'],
    message: 'Draw the area, or type its square feet, or the feet of an edge.',
  })
  .refine(({ kind, feet }) => feet === null || kind === 'edge', {
    path: ['feet'],
    message: 'Only an edge is measured in feet. Type square feet for this area.',
  })

export const AreasInput = z.object({
  version: z.number().int(),
  areas: z.array(AreaInput).max(most.areas, `A property has at most ${most.areas} areas.`),
})
export type AreasInput = z.output<typeof AreasInput>

const byId = z.object({ id: z.uuid() })

export const areasApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/properties/:id/areas',
    access: 'office',
    params: byId,
    response: PropertyAreas,
    summary: 'The measured parts of a property',
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/properties/:id/areas',
    access: 'office',
    permission: 'customers',
    needsSubscription: true,
    idempotent: true,
    params: byId,
    body: AreasInput,
    response: z.object({ property: Property, areas: PropertyAreas }),
    summary: 'Save the areas of a property as they were drawn or typed; their turf is the lawn size from then on',
  }),
}
