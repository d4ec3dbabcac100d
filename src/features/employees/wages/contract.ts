import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const Cents = z.number().int().min(0).max(100_000)

/** What a person is paid from a day on. */
export const Wage = z.object({
  from: Day,
  centsPerHour: Cents,
  /** A lawn, instead of the hour. */
  pieceCents: Cents.nullable(),
  /** A lawn, on top. */
  bonusCents: Cents.nullable(),
  /** Null: that of the business. */
  burdenPercent: z.number().int().min(0).max(200).nullable(),
})
export type Wage = z.output<typeof Wage>

const Wages = z.object({ today: Day, burdenPercent: z.number().int(), items: z.array(Wage) })
const Id = z.object({ id: z.uuid() })

export const wagesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/employees/:id/wages',
    access: 'office',
    permission: 'payroll',
    params: Id,
    response: Wages,
    summary: 'What a person was, is and will be paid, the newest first',
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/employees/:id/wages',
    access: 'office',
    permission: 'payroll',
    idempotent: true,
    params: Id,
    body: Wage,
    response: Wages,
    summary: 'What a person is paid from a day on; what was worked before keeps its wage',
  }),
}
