import { z } from 'zod'
import { Stroke } from '../../../shared/strokeShape.ts'
import { mostStrokes } from '../../../shared/strokes.ts'
import { consentWays, mostQuantity, sellDays } from '../../extras/sales/rules.ts'
import { serviceUnits } from '../../services/rules.ts'

/** What a crew may sell at the door (decision 038): the prices are for the screen that the customer agrees on. */
export const CrewSales = z.object({
  business: z.string(),
  services: z.array(
    z.object({ id: z.uuid(), name: z.string(), nameEs: z.string().optional(), unit: z.enum(serviceUnits) }),
  ),
  stops: z.array(
    z.object({
      visitId: z.uuid(),
      /** Whether the customer can be sent a page to answer on. */
      reached: z.boolean(),
      /** Of one unit, by the service; null where the office prices it. */
      units: z.record(z.uuid(), z.number().int().nullable()),
    }),
  ),
})
export type CrewSales = z.output<typeof CrewSales>

/** What a command about a sale carries. */
export const salePayload = {
  sale: z
    .object({
      serviceId: z.uuid(),
      quantity: z.number().positive().max(mostQuantity),
      note: z.string().max(500).default(''),
      photoIds: z.array(z.uuid()).max(5).default([]),
      planned: z.enum(sellDays),
      way: z.enum(consentWays),
      /** What the customer was shown for one unit; null where nobody knows. */
      unitCents: z.number().int().min(0).max(10_000_000).nullable(),
      signer: z.string().trim().max(120).default(''),
      strokes: z.array(Stroke).max(mostStrokes).default([]),
      /** Of who shares theirs. */
      position: z
        .object({
          latitude: z.number().min(-90).max(90),
          longitude: z.number().min(-180).max(180),
          accuracyMeters: z.number().int().min(0).max(100_000),
        })
        .nullable()
        .default(null),
    })
    .optional(),
}
