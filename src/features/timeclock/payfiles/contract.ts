import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { Period } from '../payroll/contract.ts'
import { presets } from '../payroll/rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const cents = z.number().int()
const Preset = z.enum(presets)

/** A file as it was made for a payroll. */
export const PayFile = z.object({
  id: z.uuid(),
  from: Day,
  to: Day,
  preset: Preset,
  name: z.string(),
  people: z.number().int(),
  grossCents: cents,
  mileageCents: cents,
  madeAt: z.string(),
  madeBy: z.string(),
  /** It was not read in; its people are free for another file. */
  withdrawnAt: z.string().nullable(),
})
export type PayFile = z.output<typeof PayFile>

const office = { access: 'office', permission: 'payroll' } as const
const Id = z.object({ id: z.uuid() })

export const payfilesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/payroll/files',
    ...office,
    query: Period.and(z.object({ preset: Preset.default('plain') })),
    response: z.object({
      /** What a file made now would hold: whoever is in none. */
      next: z.object({
        userIds: z.array(z.uuid()),
        grossCents: cents,
        mileageCents: cents,
        /** What the format cannot carry, and of whom. */
        notes: z.array(z.object({ text: z.string(), names: z.array(z.string()) })),
      }),
      /** Weeks that are in a file with another pay than they have now; null is not approved now. */
      changed: z.array(
        z.object({ userId: z.uuid(), name: z.string(), week: Day, writtenCents: cents, nowCents: cents.nullable() }),
      ),
      files: z.array(PayFile),
    }),
    summary: 'Files of these weeks, and what the next one would hold',
  }),
  make: endpoint({
    method: 'POST',
    path: '/api/payroll/files',
    ...office,
    idempotent: true,
    body: Period.and(z.object({ preset: Preset })),
    response: PayFile,
    summary: 'Write approved time that is in no file yet for ADP, Gusto, QuickBooks Payroll, Paychex, or plain',
  }),
  csv: endpoint({
    method: 'GET',
    path: '/api/payroll/files/:id/csv',
    ...office,
    params: Id,
    response: z.any(),
    summary: 'A file as it was made',
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/api/payroll/files/:id/withdraw',
    ...office,
    idempotent: true,
    params: Id,
    response: PayFile,
    summary: 'Take back a file that was not read in: its people are in the next one again',
  }),
}
