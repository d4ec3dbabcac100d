import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { headerLine } from '../../../shared/headerLine.ts'
import { longestSubject, longestTemplate, templateProblem, withPlainVariables } from './rules.ts'

export const MessageTemplate = z.object({
  id: z.uuid(),
  name: z.string(),
  textEn: z.string(),
  /** Empty: customers who read Spanish get the English text. */
  textEs: z.string(),
  /** What a mail is called; empty where who writes it says so. */
  subjectEn: z.string(),
  subjectEs: z.string(),
  archived: z.boolean(),
  version: z.number().int(),
})
export type MessageTemplate = z.output<typeof MessageTemplate>

const words = z
  .string()
  .trim()
  .max(longestTemplate, `A template has at most ${longestTemplate.toLocaleString('en-US')} characters`)
  .superRefine((text, context) => {
    const problem = templateProblem(text)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .transform(withPlainVariables)

const subject = headerLine(longestSubject)
  .superRefine((text, context) => {
    const problem = templateProblem(text)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .transform(withPlainVariables)

const fields = {
  name: z.string().trim().min(1, 'A name is needed').max(60, 'A name has at most 60 characters'),
  textEn: words.pipe(z.string().min(1, 'Write the English text first')),
  textEs: words,
  subjectEn: subject,
  subjectEs: subject,
}

const byId = z.object({ id: z.uuid() })
const read = { access: 'office', permission: 'customers' } as const
const change = { ...read, needsSubscription: true, idempotent: true } as const
const version = z.number().int()

export const messageTemplatesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/message-templates',
    ...read,
    response: z.object({ items: z.array(MessageTemplate) }),
    summary: 'Words that are sent again and again, by name; archived ones are not among them',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/message-templates',
    ...change,
    body: z.object({
      ...fields,
      textEs: fields.textEs.default(''),
      subjectEn: fields.subjectEn.default(''),
      subjectEs: fields.subjectEs.default(''),
    }),
    response: MessageTemplate,
    summary: 'A new template; what stands in braces must be a variable',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/message-templates/:id',
    ...change,
    params: byId,
    body: z.object({
      name: fields.name.optional(),
      textEn: fields.textEn.optional(),
      textEs: fields.textEs.optional(),
      subjectEn: fields.subjectEn.optional(),
      subjectEs: fields.subjectEs.optional(),
      version,
    }),
    response: MessageTemplate,
    summary: 'Change its name or words',
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/message-templates/:id/archive',
    ...change,
    params: byId,
    body: z.object({ version }),
    response: MessageTemplate,
    summary: 'Offer it no more; what was sent with it stays',
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/message-templates/:id/restore',
    ...change,
    params: byId,
    response: MessageTemplate,
    summary: 'Take the archiving back',
  }),
}
