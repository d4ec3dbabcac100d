import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { Day, DayPlan } from '../plan/contract.ts'
import { mostPlaces } from './rules.ts'

/** What is due, put on a day until its crews are full: shown first, done when somebody says so. */

const Named = z.object({ visitId: z.uuid(), street: z.string(), customerName: z.string() })

const Placed = Named.extend({
  /** As it was seen: over somebody else's change nothing is placed. */
  version: z.number().int(),
  title: z.string(),
  crewId: z.uuid(),
  startMinute: z.number().int().nullable(),
  addedDriveSeconds: z.number().int(),
  /** Labor minutes on site. */
  budgetMinutes: z.number().int(),
  /** Null for people who do not see money. */
  priceCents: z.number().int().nullable(),
  /** Null for what had no day. */
  fromDay: Day.nullable(),
  closesOn: Day.nullable(),
  daysLate: z.number().int(),
})
export type FillPlaced = z.output<typeof Placed>

const FillPreview = z.object({
  day: Day,
  /** Best first. */
  places: z.array(Placed),
  left: z.array(Named.extend({ reason: z.string() })),
  crews: z.array(
    z.object({
      crewId: z.uuid(),
      name: z.string(),
      color: z.string(),
      placed: z.number().int(),
      percentBefore: z.number().int(),
      percentAfter: z.number().int(),
      /** Stops that stand there and would begin later, and by how many minutes at the most. */
      laterStops: z.number().int(),
      laterMinutes: z.number().int(),
    }),
  ),
  addedDriveSeconds: z.number().int(),
})
export type FillPreview = z.output<typeof FillPreview>

const plans = { access: 'office', permission: 'schedule' } as const

export const fillApi = {
  preview: endpoint({
    method: 'GET',
    path: '/api/routes/fill',
    ...plans,
    query: z.object({
      day: Day,
      /** Visits that are left out, with a comma between: the room goes to others. */
      without: z
        .string()
        .max(4000)
        .transform((text) => text.split(','))
        .pipe(z.array(z.uuid()))
        .optional(),
    }),
    response: FillPreview,
    summary: 'What of the due work a day would take, where, and what not and why',
  }),
  fill: endpoint({
    method: 'POST',
    path: '/api/routes/fill',
    ...plans,
    needsSubscription: true,
    idempotent: true,
    body: z.object({
      day: Day,
      places: z
        .array(z.object({ visitId: z.uuid(), version: z.number().int(), crewId: z.uuid() }))
        .min(1)
        .max(mostPlaces)
        .refine((places) => new Set(places.map((one) => one.visitId)).size === places.length, 'Name each visit once.'),
    }),
    response: z.object({ plan: DayPlan, placed: z.number().int() }),
    summary: 'Put what the preview showed on the day, all of it or nothing',
  }),
}
