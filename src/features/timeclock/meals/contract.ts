import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { isClockDay } from '../rules.ts'
import { SheetDetail } from '../sheets/contract.ts'

export const mealsApi = {
  premium: endpoint({
    method: 'PUT',
    path: '/api/employees/:id/meal-premium',
    access: 'office',
    permission: 'payroll',
    idempotent: true,
    params: z.object({ id: z.uuid() }),
    body: z.object({
      day: z.string().refine(isClockDay, 'Use a day like 2026-06-12.'),
      /** False takes it off again. */
      owed: z.boolean(),
    }),
    response: SheetDetail,
    summary: 'Pay the hour that the law gives for a meal that somebody did not have in time, or take it off',
  }),
}
