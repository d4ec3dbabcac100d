import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { OwnCall } from '../calls/contract.ts'
import { Sprint } from '../sprint/contract.ts'
import { sprintStatuses } from '../sprint/rules.ts'

const Token = z.object({ token: z.string().max(100) })
const Answers = z.record(z.string().max(40), z.string().max(2000))

export const Application = z.object({
  answers: Answers,
  /** Number of the first question without an answer; 6 when all are given. */
  nextQuestion: z.number().int(),
  submittedAt: z.string().nullable(),
  /** True when the link came from our mail; only then the Sprint is shown. */
  fromMail: z.boolean(),
  calls: z.array(OwnCall),
  sprint: Sprint.nullable(),
  /** What became of it, also for the browser that sent it; null before it was sent, and where others applied under the same address. */
  decision: z.enum(sprintStatuses).nullable(),
  places: z.object({ month: z.string(), limit: z.number().int(), left: z.number().int() }),
})
export type Application = z.output<typeof Application>

export const applicationApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/leads/application/:token',
    access: 'public',
    params: Token,
    response: Application,
    summary: 'An application by the token of its browser or of a mail',
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/leads/application/:token',
    access: 'public',
    params: Token,
    body: z.object({ answers: Answers }),
    response: Application,
    summary: 'Keep the answers so far; those that are not named stay as they are',
  }),
  submit: endpoint({
    method: 'POST',
    path: '/api/leads/application/:token/submit',
    access: 'public',
    idempotent: true,
    params: Token,
    response: Application,
    summary: 'Send the application; the second time changes nothing',
  }),
}
