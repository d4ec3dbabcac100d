import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { headerLine } from '../../shared/headerLine.ts'
import { page } from '../../shared/list.ts'
import { messageStatuses } from '../messages/rules.ts'
import { templateProblem, withPlainVariables } from '../messages/templates/rules.ts'
import { automationKinds, channels } from './kinds/rules.ts'
import { foreseenKeys, otherKeys } from './others/rules.ts'
import { approvals, longestSubject, longestText, mostAtOnce, runStatuses } from './rules.ts'

/** Words with variables in braces; an unknown one is refused with those that there are. */
const words = <T extends z.ZodType<string>>(text: T) =>
  text
    .superRefine((typed, context) => {
      const problem = templateProblem(typed)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })
    .transform(withPlainVariables)
const text = words(z.string().trim().max(longestText, `A message has at most ${longestText} characters`))
const subject = words(headerLine(longestSubject))

export const Conditions = z.object({
  /** Any of these; empty is everybody. */
  tags: z.array(z.string().trim().min(1).max(60)).max(20).default([]),
  cities: z.array(z.string().trim().min(1).max(100)).max(50).default([]),
  stages: z.array(z.enum(['lead', 'active', 'past'])).default([]),
  /** What the visit or job is of; of a yearly offer what they must not have in the year. */
  serviceIds: z.array(z.uuid()).max(50).default([]),
  balance: z.enum(['any', 'owes', 'none']).default('any'),
  /** Lawns of so many square feet and more. */
  leastLawnSquareFeet: z.number().int().min(0).max(10_000_000).nullable().default(null),
})
export type Conditions = z.output<typeof Conditions>

const fields = {
  name: z.string().trim().min(1, 'A name is needed').max(60, 'A name has at most 60 characters'),
  delay: z.number({ error: 'A whole number.' }).int('A whole number.').min(0).max(1000),
  atMinute: z.number().int().min(0).max(1439).nullable(),
  startsOn: z
    .string()
    .refine((day) => /^\d\d-\d\d$/.test(day) && isDay(`2026-${day}`), 'A day that each year has')
    .nullable(),
  conditions: Conditions,
  channels: z
    .array(z.enum(channels))
    .min(1, 'Choose at least one way.')
    .max(2)
    .refine((list) => new Set(list).size === list.length, 'Each way once.'),
  subjectEn: subject,
  subjectEs: subject,
  textEn: text.pipe(z.string().min(1, 'Write the English words first')),
  textEs: text,
  approval: z.enum(approvals),
  everyDays: z
    .number({ error: 'A number of days.' })
    .int('A whole number of days.')
    .min(1, 'At least one day.')
    .max(730, 'At most two years.'),
}

export const Automation = z.object({
  ...fields,
  subjectEn: z.string(),
  subjectEs: z.string(),
  textEn: z.string(),
  textEs: z.string(),
  id: z.uuid(),
  kind: z.enum(automationKinds),
  enabled: z.boolean(),
  /** Since when: nothing leaves for what happened before. */
  enabledAt: z.string().nullable(),
  archived: z.boolean(),
  /** Of the last 30 days, as far as it left. */
  sentCount: z.number().int(),
  waitingCount: z.number().int(),
  version: z.number().int(),
})
export type Automation = z.output<typeof Automation>

export const OtherAutomatic = z.object({
  key: z.enum(otherKeys),
  /** Null where nothing switches it for the whole business. */
  on: z.boolean().nullable(),
  /** What left in the last 30 days; null where it is no message to a customer. */
  sentCount: z.number().int().nullable(),
})
export type OtherAutomatic = z.output<typeof OtherAutomatic>

export const AutomationRun = z.object({
  id: z.uuid(),
  automation: z.object({ id: z.uuid(), name: z.string() }),
  customer: z.object({ id: z.uuid(), name: z.string() }),
  status: z.enum(runStatuses),
  reason: z.string().nullable(),
  dueAt: z.string(),
  channel: z.enum(channels).nullable(),
  message: z
    .object({
      id: z.uuid(),
      status: z.enum(messageStatuses),
      reason: z.string().nullable(),
      runAfter: z.string().nullable(),
    })
    .nullable(),
  /** How it would read now, of one that waits; null where it has left or never will. */
  draft: z
    .object({
      subject: z.string(),
      text: z.string(),
      language: z.enum(['en', 'es']),
      /** The same with its variables, to be written over. */
      words: z.object({ subject: z.string(), text: z.string() }),
    })
    .nullable(),
  /** Stands for the draft as it would leave: whoever says yes gives it back, and nothing leaves that reads otherwise. */
  seal: z.string().nullable(),
  /** What a variable says nothing for now, as a sentence. */
  problem: z.string().nullable(),
  decidedByName: z.string().nullable(),
  createdAt: z.string(),
  version: z.number().int(),
  can: z.object({ approve: z.boolean(), edit: z.boolean(), drop: z.boolean() }),
})
export type AutomationRun = z.output<typeof AutomationRun>

const Named = z.object({ id: z.uuid(), name: z.string() })

export const DryRun = z.object({
  from: z.string(),
  to: z.string(),
  /** More began it than are looked at: the newest were. */
  tooMany: z.boolean(),
  /** What is taken for so and is not, as a sentence: it is off, say. */
  assumes: z.string().nullable(),
  /** Messages that would have left, by the way that each would have taken. */
  texts: z.number().int(),
  mails: z.number().int(),
  /** What the texts count as against the plan. */
  segments: z.number().int(),
  /** The newest of them. */
  sent: z.array(
    z.object({
      customer: Named,
      channel: z.enum(channels),
      /** When it would have left, after quiet hours. */
      leavesAt: z.string(),
      /** Of an e-mail. */
      subject: z.string().nullable(),
      text: z.string(),
    }),
  ),
  /** How often nothing would have left, and for whom, the newest. */
  notSentCount: z.number().int(),
  notSent: z.array(z.object({ customer: Named, reason: z.string() })),
  reasons: z.array(z.object({ reason: z.string(), count: z.number().int() })),
})
export type DryRun = z.output<typeof DryRun>

export const CustomerAutomations = z.object({
  customerId: z.uuid(),
  items: z.array(z.object({ id: z.uuid(), name: z.string(), when: z.string(), wanted: z.boolean() })),
})
export type CustomerAutomations = z.output<typeof CustomerAutomations>

export const AutomationSettings = z.object({
  mostWeekly: z
    .number({ error: 'A number of messages.' })
    .int('A whole number.')
    .min(1, 'At least one a week.')
    .max(14, 'At most 14 a week.'),
  version: z.number().int(),
})
export type AutomationSettings = z.output<typeof AutomationSettings>

const byId = z.object({ id: z.uuid() })
const read = { access: 'office', permission: 'customers' } as const
const change = { access: 'office', permission: 'settings', needsSubscription: true, idempotent: true } as const
const decide = { ...read, needsSubscription: true, idempotent: true } as const
const version = z.number().int()
const seal = z.string().min(1, 'Look at it first').max(100, 'Look at it first')

export const automationsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/automations',
    ...read,
    response: z.object({
      items: z.array(Automation),
      settings: AutomationSettings,
      waitingCount: z.number().int(),
    }),
    summary: 'The automations, with what left of each and what waits',
  }),
  others: endpoint({
    method: 'GET',
    path: '/api/automation-others',
    ...read,
    response: z.object({ items: z.array(OtherAutomatic) }),
    summary: 'What other parts send by themselves, with what left of it in the last 30 days',
  }),
  othersDryRun: endpoint({
    method: 'GET',
    path: '/api/automation-others/dry-run',
    ...read,
    query: z.object({ of: z.enum(foreseenKeys) }),
    response: DryRun,
    summary:
      'The same of what another part sends: reminders of visits, review requests and, for who may see money, reminders of invoices',
  }),
  choices: endpoint({
    method: 'GET',
    path: '/api/automation-choices',
    ...read,
    response: z.object({ tags: z.array(z.string()), cities: z.array(z.string()) }),
    summary: 'Tags and cities of customers, the most frequent first',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/automations/:id',
    ...read,
    params: byId,
    response: Automation,
    summary: 'One automation',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/automations',
    ...change,
    body: z
      .object(fields)
      .partial()
      .extend({ kind: z.enum(automationKinds) }),
    response: Automation,
    summary: 'A new automation, off; what is not given is as usual for its kind',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/automations/:id',
    ...change,
    params: byId,
    body: z.object(fields).partial().extend({ version }),
    response: Automation,
    summary: 'Change when it leaves, to whom and in which words',
  }),
  turn: endpoint({
    method: 'POST',
    path: '/api/automations/:id/switch',
    // switching on asks for a plan, off never does
    access: 'office',
    permission: 'settings',
    idempotent: true,
    params: byId,
    body: z.object({ on: z.boolean(), version }),
    response: Automation,
    summary: 'On, from now on, or off: what waits is canceled',
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/automations/:id/archive',
    access: 'office',
    permission: 'settings',
    idempotent: true,
    params: byId,
    body: z.object({ version }),
    response: Automation,
    summary: 'Remove it; its history stays',
  }),
  saveSettings: endpoint({
    method: 'PATCH',
    path: '/api/automation-settings',
    ...change,
    body: AutomationSettings,
    response: AutomationSettings,
    summary: 'How many of these messages one customer gets in a week',
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/automations/:id/test',
    ...decide,
    params: byId,
    body: z.object({ channel: z.enum(channels), language: z.enum(['en', 'es']) }),
    response: z.object({ to: z.string() }),
    summary: 'The message to the person who asks, with invented values',
  }),
  dryRun: endpoint({
    method: 'GET',
    path: '/api/automations/:id/dry-run',
    ...read,
    params: byId,
    response: DryRun,
    summary: 'Who would have got it in the last 30 days, when and how, and who would not and why',
  }),
}

export const automationRunsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/automation-runs',
    ...read,
    query: z.object({
      ...page(20),
      automationId: z.uuid().optional(),
      customerId: z.uuid().optional(),
      show: z.enum(['all', 'waiting']).default('all'),
    }),
    response: z.object({ items: z.array(AutomationRun), nextCursor: z.string().nullable() }),
    summary: 'What became of each thing that began an automation, the newest first',
  }),
  edit: endpoint({
    method: 'PATCH',
    path: '/api/automation-runs/:id',
    ...decide,
    params: byId,
    body: z.object({
      subject: subject.optional(),
      text: text.pipe(z.string().min(1, 'Write something first')),
      version,
    }),
    response: AutomationRun,
    summary: 'Other words for this one alone, with variables that are filled in as it leaves',
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/automation-runs/:id/approve',
    ...decide,
    params: byId,
    body: z.object({ version, seal }),
    response: AutomationRun,
    summary:
      'Send one that waits as it was seen; what speaks against it by now is said, and by another way it goes on waiting',
  }),
  drop: endpoint({
    method: 'POST',
    path: '/api/automation-runs/:id/drop',
    // nothing leaves by it, so it asks for no plan
    ...read,
    idempotent: true,
    params: byId,
    body: z.object({ version }),
    response: AutomationRun,
    summary: 'Do not send one that waits',
  }),
  approveAll: endpoint({
    method: 'POST',
    path: '/api/automation-runs/approve',
    ...decide,
    body: z.object({
      runs: z
        .array(z.object({ id: z.uuid(), version, seal }))
        .min(1)
        .max(mostAtOnce),
    }),
    response: z.object({
      sent: z.number().int(),
      notSent: z.number().int(),
      /** Still waiting: they would read otherwise now than they were seen. */
      changed: z.number().int(),
    }),
    summary: 'Send those that wait and were seen',
  }),
  customer: endpoint({
    method: 'GET',
    path: '/api/customers/:id/automations',
    ...read,
    params: byId,
    response: CustomerAutomations,
    summary: 'Which automations a customer gets',
  }),
  want: endpoint({
    method: 'PUT',
    path: '/api/customers/:id/automations',
    ...read,
    idempotent: true,
    params: byId,
    body: z.object({ automationId: z.uuid(), wanted: z.boolean() }),
    response: CustomerAutomations,
    summary: 'Whether a customer gets an automation',
  }),
}
