import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { measures } from '../../services/measures/rules.ts'
import { JobRecord } from '../contract.ts'
import { type ProgramStep as Step, spacingProblemOf } from './rules.ts'

const MonthDay = z
  .string()
  .regex(/^\d\d-\d\d$/, 'A day like 03-01')
  .refine((text) => isDay(`2024-${text}`), 'Not a day of the calendar')

export const ProgramStep: z.ZodType<Step> = z.object({
  name: z.string().trim().min(1, 'Name the round').max(80),
  serviceId: z.uuid('Choose a service'),
  from: MonthDay,
  to: MonthDay,
  minGapDays: z.number({ error: 'A number is needed' }).int().min(0).max(365),
  priceCents: z.number().int().min(0).max(10_000_000).nullable(),
  minutes: z.number().int().min(0).max(10_000).nullable(),
})

const fields = {
  name: z.string().trim().min(1, 'A name is needed').max(120),
  steps: z.array(ProgramStep).min(1, 'Add at least one round.').max(12, 'At most twelve rounds.'),
  /** Jobs that it is put on from now on renew. */
  renews: z.boolean().default(false),
}
const canBeKept = ({ steps }: { steps: Step[] }, context: z.RefinementCtx): void => {
  const problem = spacingProblemOf(steps)
  if (problem)
    context.addIssue({ code: 'custom', path: ['steps', problem.step, 'minGapDays'], message: problem.message })
}
export const ProgramDraft = z.object(fields).superRefine(canBeKept)
export type ProgramDraft = z.output<typeof ProgramDraft>
export const ProgramChange = z.object({ ...fields, version: z.number().int() }).superRefine(canBeKept)

/** Prices are null for people who do not see money. */
export const ProgramRecord = z.object({
  id: z.uuid(),
  name: z.string(),
  steps: z.array(ProgramStep),
  renews: z.boolean(),
  /** Jobs that run with it. */
  jobCount: z.number().int(),
  version: z.number().int(),
  archivedAt: z.string().nullable(),
  can: z.object({ update: z.boolean(), archive: z.boolean(), restore: z.boolean(), putOn: z.boolean() }),
})
export type ProgramRecord = z.output<typeof ProgramRecord>

const PlannedStep = z.object({
  name: z.string(),
  serviceName: z.string(),
  opensOn: z.string(),
  closesOn: z.string(),
  minGapDays: z.number().int(),
  /** Null where the rule cannot say, and for people who do not see money. */
  priceCents: z.number().int().nullable(),
  minutes: z.number().int(),
  /** What nobody measured at the property, and the price rule needs. */
  missing: z.enum(measures).nullable(),
  /** Its window is over: it is left out. */
  past: z.boolean(),
  /** Another job that does the same work there in these weeks. */
  also: z.object({ id: z.uuid(), number: z.number().int() }).nullable(),
})

export const PutOn = z.object({
  propertyId: z.uuid(),
  /** The year in which its first round opens. */
  year: z.number().int().min(2000).max(2200),
  crewId: z.uuid().nullable().default(null),
  instructions: z.string().trim().max(4000).default(''),
  /** Left out: as the program says. */
  renews: z.boolean().optional(),
})
export type PutOn = z.output<typeof PutOn>

/** What becomes of a job of a program after its season. */
export const RenewalRecord = z.object({
  programName: z.string(),
  renews: z.boolean(),
  /** The season that follows, by the year in which its first round opens. */
  year: z.number().int(),
  renewsOn: z.string(),
  /** That day is today or past: the next night makes it. */
  due: z.boolean(),
  opensOn: z.string(),
  rounds: z.number().int(),
  /** With what the price book says, on the day on which it renews, of the day on which each window opens; null where a rule cannot say, and for people who do not see money. */
  totalCents: z.number().int().nullable(),
  /** Why it would not renew as things stand. */
  refusal: z.string().nullable(),
  /** What nobody measured at the property, and a price rule needs. */
  missing: z.enum(measures).nullable(),
  renewedAs: z.object({ id: z.uuid(), number: z.number().int(), canceled: z.boolean() }).nullable(),
  /** Of the job. */
  version: z.number().int(),
  can: z.object({ change: z.boolean() }),
})
export type RenewalRecord = z.output<typeof RenewalRecord>

const Id = z.object({ id: z.uuid() })
const change = { access: 'office', permission: 'money', needsSubscription: true, idempotent: true } as const
const seen = z.object({ version: z.number().int() })

export const programsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/programs',
    access: 'office',
    query: z.object({ archived: z.stringbool().optional() }),
    response: z.object({ items: z.array(ProgramRecord) }),
    summary: 'Programs of rounds that the business offers; the archived ones when asked for',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/programs',
    ...change,
    body: ProgramDraft,
    response: ProgramRecord,
    summary: 'Add a program',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/programs/:id',
    ...change,
    params: Id,
    body: ProgramChange,
    response: ProgramRecord,
    summary: 'Change a program; jobs keep the rounds they were made with',
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/programs/:id/archive',
    ...change,
    params: Id,
    body: seen,
    response: ProgramRecord,
    summary: 'Offer a program no longer; its jobs go on',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/programs/:id/restore',
    ...change,
    params: Id,
    body: seen,
    response: ProgramRecord,
    summary: 'Offer a program again',
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/programs/:id/preview',
    access: 'office',
    params: Id,
    query: z.object({ propertyId: z.uuid(), year: z.coerce.number().int().min(2000).max(2200).optional() }),
    response: z.object({
      year: z.number().int(),
      steps: z.array(PlannedStep),
      /** The job that has it on already. */
      already: z.object({ id: z.uuid(), number: z.number().int() }).nullable(),
    }),
    summary: 'What a program would be at a property: windows, prices, minutes',
  }),
  renewal: endpoint({
    method: 'GET',
    path: '/api/jobs/:id/renewal',
    access: 'office',
    params: Id,
    response: RenewalRecord,
    summary: 'The next season of a job of a program: when, how many rounds, for how much',
  }),
  setRenewal: endpoint({
    method: 'POST',
    path: '/api/jobs/:id/renewal',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    idempotent: true,
    params: Id,
    body: z.object({ renews: z.boolean(), version: z.number().int() }),
    response: RenewalRecord,
    summary: 'Let a job of a program renew every season, or stop it',
  }),
  putOn: endpoint({
    method: 'POST',
    path: '/api/programs/:id/put-on',
    access: 'office',
    permission: 'schedule',
    needsSubscription: true,
    idempotent: true,
    params: Id,
    body: PutOn,
    response: JobRecord,
    summary: 'Put a program on a property: a job with its rounds',
  }),
}
