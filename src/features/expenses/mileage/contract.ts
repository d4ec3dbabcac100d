import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { Day } from '../contract.ts'

const Miles = z
  .number({ error: 'Type whole miles.' })
  .int()
  .min(0, 'Type whole miles.')
  .max(2_000_000, 'That is more than an odometer shows.')

export const MileageDay = z.object({
  day: z.string(),
  crew: z.object({ id: z.uuid(), name: z.string(), vehicle: z.string() }),
  /** Of the route that the crew was sent; null without one. */
  routeTenthMiles: z.number().int().nullable(),
  odometer: z.object({ startMiles: z.number().int(), endMiles: z.number().int() }).nullable(),
  /** What counts: the odometer, else the route. */
  tenthMiles: z.number().int(),
  deductionCents: z.number().int().nullable(),
})
export type MileageDay = z.output<typeof MileageDay>

export const mileageApi = {
  month: endpoint({
    method: 'GET',
    path: '/api/mileage',
    access: 'office',
    permission: 'money',
    query: z.object({
      month: z
        .string()
        .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Use a month like 2026-06.')
        .optional(),
    }),
    response: z.object({
      month: z.string(),
      /** Tenths of a cent a mile on the last day of the month. */
      rateTenthCents: z.number().int().nullable(),
      /** False while the rate of the year is not announced: the one before is used. */
      rateKnown: z.boolean(),
      days: z.array(MileageDay),
      trucks: z.array(
        z.object({
          name: z.string(),
          dayCount: z.number().int(),
          odometerDays: z.number().int(),
          tenthMiles: z.number().int(),
          deductionCents: z.number().int().nullable(),
        }),
      ),
      tenthMiles: z.number().int(),
      deductionCents: z.number().int().nullable(),
    }),
    summary: 'Miles of a month by truck and day, and what they come to at the IRS rate',
  }),
  setOdometer: endpoint({
    method: 'PUT',
    path: '/api/mileage',
    access: 'office',
    permission: 'money',
    needsSubscription: true,
    idempotent: true,
    body: z
      .object({ day: Day, crewId: z.uuid(), startMiles: Miles, endMiles: Miles })
      .refine(({ startMiles, endMiles }) => endMiles >= startMiles, {
        path: ['endMiles'],
        message: 'It ends with fewer miles than it began.',
      })
      .refine(({ startMiles, endMiles }) => endMiles - startMiles <= 2000, {
        path: ['endMiles'],
        message: 'That is over 2,000 miles in a day.',
      }),
    response: MileageDay,
    summary: "What a truck's odometer said on a day; it counts instead of the route",
  }),
  clearOdometer: endpoint({
    method: 'POST',
    path: '/api/mileage/clear',
    access: 'office',
    permission: 'money',
    needsSubscription: true,
    idempotent: true,
    body: z.object({ day: Day, crewId: z.uuid() }),
    response: z.object({ cleared: z.boolean() }),
    summary: 'Count the route again',
  }),
}
