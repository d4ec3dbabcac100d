import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { grasses, seedings } from '../formulas/rules.ts'
import { bulkKinds } from '../rules.ts'

const number = (words: string) => z.number({ error: words })

/** What a person chose for an area; what the material itself is (analysis, bag, label) is not in it: that is read from the material. */
const area = {
  squareFeet: number('How large is the area?').positive('Type more than 0.').max(50_000_000, 'The area is too large.'),
}

export const Choice = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('fertilizer'),
    ...area,
    targetPounds: number('How much nitrogen for 1,000 sq ft?')
      .positive('More than nothing.')
      .max(5, 'At most 5 lb of nitrogen for 1,000 sq ft.'),
    /** Whose law holds. */
    state: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable()
      .default(null),
    on: z.string().refine(isDay, 'Use a day like 2026-06-12.'),
    phosphorusAsked: z.boolean().default(false),
  }),
  z.object({
    kind: z.literal('seed'),
    ...area,
    grass: z.enum(grasses),
    seeding: z.enum(seedings),
    ratePounds: number('How much seed for 1,000 sq ft?').positive('More than nothing.').max(50, 'At most 50 lb.'),
    extraPercent: number('How much to spare?').min(0, 'Not less than nothing.').max(100, 'At most 100%.'),
  }),
  z.object({
    kind: z.enum(bulkKinds),
    ...area,
    depthInches: number('How deep?').positive('More than nothing.').max(24, 'At most 24 inches.'),
    wastePercent: number('How much settles or is lost?').min(0, 'Not less than nothing.').max(50, 'At most 50%.'),
  }),
  z.object({
    kind: z.literal('sod'),
    ...area,
    wastePercent: number('How much is cut away?').min(0, 'Not less than nothing.').max(50, 'At most 50%.'),
  }),
  z.object({
    kind: z.literal('lime'),
    ...area,
    poundsPerThousand: number('How much lime for 1,000 sq ft?')
      .positive('More than nothing.')
      .max(150, 'At most 150 lb for 1,000 sq ft.'),
  }),
  z.object({
    kind: z.literal('herbicide'),
    ...area,
    rate: number('How much product for 1,000 sq ft?').positive('More than nothing.').max(10_000),
    carrierGallons: number('How much water for 1,000 sq ft?')
      .positive('More than nothing.')
      .max(100, 'At most 100 gal.'),
    tankGallons: number('How much does the tank hold?')
      .positive('More than nothing.')
      .max(5000)
      .nullable()
      .default(null),
  }),
])
export type Choice = z.output<typeof Choice>
