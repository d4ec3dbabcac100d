import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { extraActions, extraKinds, extraStates, longestStep, mostSteps } from './rules.ts'
import { Consent } from './sales/contract.ts'
import { sellDays } from './sales/rules.ts'

const Cents = z.number({ error: 'A number is needed' }).int().min(0).max(10_000_000)

export const OvergrownStep = z.object({
  id: z.string().min(1).max(40),
  en: z.string().trim().min(1, 'What is it called?').max(longestStep),
  es: z.string().trim().max(longestStep),
  percent: z.number({ error: 'A number is needed' }).int().min(1, 'At least 1%').max(500, 'At most 500 %').nullable(),
  cents: Cents.min(1, 'More than nothing').nullable(),
})

export const ExtraSettings = z.object({
  overgrown: z.object({
    on: z.boolean(),
    asks: z.boolean(),
    steps: z.array(OvergrownStep).max(mostSteps, `At most ${mostSteps} steps.`),
  }),
})

const Saved = ExtraSettings.extend({ version: z.number().int() })

/** What a visit costs more, as the office sees it. Money is null for people who do not see it. */
export const Extra = z.object({
  id: z.uuid(),
  visitId: z.uuid(),
  kind: z.enum(extraKinds),
  state: z.enum(extraStates),
  title: z.string(),
  quantity: z.number(),
  note: z.string(),
  priceCents: z.number().int().nullable(),
  /** What the rule says, as it reads; null for people who do not see money. */
  rule: z.string().nullable(),
  photoIds: z.array(z.uuid()),
  at: z.string(),
  byName: z.string().nullable(),
  decidedByName: z.string().nullable(),
  decisionNote: z.string(),
  jobId: z.uuid().nullable(),
  /** Of what was sold: done today, or on a day that the office gives it. */
  planned: z.enum(sellDays).nullable(),
  /** What the customer said to it; null where nobody was asked, or has not answered. */
  consent: Consent.nullable(),
  version: z.number().int(),
  /** What who asked may do with it now. */
  can: z.record(z.enum(extraActions), z.boolean()),
})
export type Extra = z.output<typeof Extra>

const params = z.object({ id: z.uuid() })
const decides = { access: 'office', permission: 'money', needsSubscription: true, idempotent: true } as const
const note = z.string().trim().max(300, 'At most 300 characters.').default('')
const version = z.number().int()

export const extrasApi = {
  settings: endpoint({
    method: 'GET',
    path: '/api/extra-settings',
    access: 'office',
    permission: 'money',
    response: Saved,
  }),
  saveSettings: endpoint({
    method: 'PUT',
    path: '/api/extra-settings',
    access: 'office',
    permission: 'money',
    idempotent: true,
    body: ExtraSettings.partial().extend({ version }),
    response: Saved,
    summary: 'What an overgrown lawn adds to a visit, by steps, and whether the office is asked first',
  }),
  ofVisit: endpoint({
    method: 'GET',
    path: '/api/visits/:visitId/extras',
    access: 'office',
    permission: 'schedule',
    params: z.object({ visitId: z.uuid() }),
    response: z.object({ items: z.array(Extra) }),
    summary: 'What a visit costs beyond what its job says, as its crew said it',
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/extras/:id/add',
    ...decides,
    params,
    body: z.object({
      /** Left out: what the rule came to. */
      priceCents: Cents.optional(),
      version,
    }),
    response: Extra,
    summary: 'Put it on its visit as a line of its own, to be invoiced with it',
  }),
  reprice: endpoint({
    method: 'POST',
    path: '/api/extras/:id/reprice',
    ...decides,
    params,
    body: z.object({ priceCents: Cents, version }),
    response: Extra,
    summary: 'Another price for what stands on the visit',
  }),
  decline: endpoint({
    method: 'POST',
    path: '/api/extras/:id/decline',
    ...decides,
    params,
    body: z.object({ note, version }),
    response: Extra,
    summary: 'It costs nothing more; a line of it leaves the visit, and the crew reads why',
  }),
  book: endpoint({
    method: 'POST',
    path: '/api/extras/:id/book',
    ...decides,
    params,
    body: z.object({ priceCents: Cents.optional(), version }),
    response: Extra,
    summary: 'Make it a job of its own on the waiting list',
  }),
}
