import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { feeStatuses, sprintStatuses, stepNames } from './rules.ts'

export const Sprint = z.object({
  _id: z.uuid(),
  status: z.enum(sprintStatuses),
  /** Month of the place that it uses, "2026-06". */
  admittedMonth: z.string().nullable(),
  decidedAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  endsAt: z.string().nullable(),
  steps: z.array(
    z.object({
      step: z.enum(stepNames),
      label: z.string(),
      state: z.enum(['done', 'open', 'missed']),
      dueAt: z.string().nullable(),
      doneAt: z.string().nullable(),
    }),
  ),
  feeCents: z.number().int(),
  feeStatus: z.enum(feeStatuses),
})
export type Sprint = z.output<typeof Sprint>

/** What the product owner sees of one lead's application and Sprint. */
export const LeadSprint = z.object({
  appliedAt: z.string().nullable(),
  answers: z.array(z.object({ question: z.string(), answer: z.string() })),
  sprint: Sprint.nullable(),
  note: z.string(),
  feeNote: z.string(),
  /** Where the prospect pays a confirmed fee; null when there is nothing to pay. */
  feeUrl: z.string().nullable(),
  feeLinkSentAt: z.string().nullable(),
  feePaidAt: z.string().nullable(),
  places: z.object({ month: z.string(), limit: z.number().int(), left: z.number().int() }),
})
export type LeadSprint = z.output<typeof LeadSprint>

const Lead = z.object({ leadId: z.uuid() })
const Note = z.object({ note: z.string().trim().max(500).default('') })

const decision = <const P extends string>(path: P, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/api/leads/owner/:leadId/sprint/${path}`,
    access: 'productOwner',
    params: Lead,
    body: Note,
    response: LeadSprint,
    summary,
  })

export const sprintApi = {
  places: endpoint({
    method: 'GET',
    path: '/api/leads/places',
    access: 'public',
    response: z.object({ month: z.string(), limit: z.number().int(), left: z.number().int() }),
    summary: 'How many places of the Setup Sprint are left this month',
  }),
  mine: endpoint({
    method: 'GET',
    path: '/api/sprint',
    access: 'office',
    response: z.object({ sprint: Sprint.nullable() }),
    summary: 'The Setup Sprint of this business, found by the e-mail of its owner; null when it is in none',
  }),
  ofLead: endpoint({
    method: 'GET',
    path: '/api/leads/owner/:leadId/sprint',
    access: 'productOwner',
    params: Lead,
    response: LeadSprint,
    summary: 'Application and Setup Sprint of one lead',
  }),
  admit: decision('admit', 'Admit a lead: takes one of the places of this month; refused when none is left'),
  queue: decision('queue', 'Put a lead on the list for a later month'),
  decline: decision('decline', 'Decline an application'),
  confirmFee: decision('fee/confirm', 'A step was missed: the onboarding fee is to be paid'),
  waiveFee: decision('fee/waive', 'A step was missed: the onboarding fee is waived'),
  tick: endpoint({
    method: 'POST',
    path: '/api/leads/owner/:leadId/sprint/steps',
    access: 'productOwner',
    params: Lead,
    body: z.object({ step: z.enum(stepNames), done: z.boolean() }),
    response: LeadSprint,
    summary: 'The product owner ticks a step by hand, or takes the tick back',
  }),
}
