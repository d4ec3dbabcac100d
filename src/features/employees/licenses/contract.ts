import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { usStates } from '../../../shared/states.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')

export const License = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  /** The skill that it stands for, as services name it. */
  skill: z.string(),
  number: z.string(),
  state: z.string(),
  validFrom: Day.nullable(),
  /** The last day on which it is valid. */
  expiresOn: Day,
  /** The person was deactivated: it does not count until they are let in again. */
  left: z.boolean(),
  version: z.number().int(),
})
export type License = z.output<typeof License>

export const LicenseDraft = z
  .object({
    skill: z.string().trim().min(1, 'What does it allow?').max(40),
    number: z.string().trim().max(60).default(''),
    state: z
      .string()
      .trim()
      .toUpperCase()
      .refine((code) => code in usStates, 'Pick a state.'),
    validFrom: Day.nullable().default(null),
    expiresOn: Day,
  })
  .refine((one) => one.validFrom === null || one.expiresOn >= one.validFrom, {
    path: ['expiresOn'],
    message: 'It expires before it begins.',
  })

const team = { access: 'office', permission: 'team', idempotent: true } as const
const seen = z.object({ version: z.number().int() })
const Id = z.object({ id: z.uuid() })

export const licensesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/licenses',
    access: 'office',
    query: z.object({ userId: z.uuid().optional() }),
    response: z.object({ today: Day, items: z.array(License) }),
    summary: 'Licenses of people, those that expire first above',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/licenses/:id',
    access: 'office',
    params: Id,
    response: License,
    summary: 'One license as it stands; also one that was removed',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/employees/:id/licenses',
    ...team,
    params: Id,
    body: LicenseDraft,
    response: License,
    summary: 'Add a license; from then on a crew has that skill only by a valid one',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/licenses/:id',
    ...team,
    params: Id,
    body: LicenseDraft.and(seen),
    response: License,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/licenses/:id/remove',
    ...team,
    params: Id,
    body: seen,
    response: License,
    summary: 'Take a license off; `restore` brings it back',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/licenses/:id/restore',
    ...team,
    params: Id,
    body: seen,
    response: License,
  }),
}
