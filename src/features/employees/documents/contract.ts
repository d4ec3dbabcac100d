import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { type BinaryBody, endpoint } from '../../../shared/endpoint.ts'
import { documentKinds, largestDocument } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')

export const PersonDocument = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  kind: z.enum(documentKinds),
  name: z.string(),
  /** The last day on which it is valid. */
  expiresOn: Day.nullable(),
  mime: z.enum(['application/pdf', 'image/jpeg', 'image/png', 'image/webp']),
  byteCount: z.number().int(),
  addedBy: z.string().nullable(),
  addedAt: z.string(),
  removed: z.boolean(),
  version: z.number().int(),
})
export type PersonDocument = z.output<typeof PersonDocument>

const fields = {
  kind: z.enum(documentKinds),
  name: z.string().trim().max(80).default(''),
  expiresOn: Day.nullable().default(null),
}

const team = { access: 'office', permission: 'team' } as const
const Id = z.object({ id: z.uuid() })
const seen = z.object({ version: z.number().int() })

export const documentsApi = {
  list: endpoint({
    ...team,
    method: 'GET',
    path: '/api/employees/:id/documents',
    params: Id,
    response: z.object({ today: Day, items: z.array(PersonDocument) }),
    summary: 'Documents of a person, the newest first; never what they show',
  }),
  add: endpoint({
    ...team,
    method: 'POST',
    path: '/api/employees/:id/documents',
    bodyLimitBytes: largestDocument,
    params: Id,
    query: z.object({
      documentId: z.uuid(),
      kind: z.enum(documentKinds),
      name: z.string().trim().max(80).optional(),
      expiresOn: Day.optional(),
    }),
    body: z.any() as z.ZodType<BinaryBody>,
    response: PersonDocument,
    summary: 'A PDF or a picture as it is, in raw bytes; a repeat with the same documentId answers the first',
  }),
  update: endpoint({
    ...team,
    method: 'PUT',
    path: '/api/person-documents/:id',
    idempotent: true,
    params: Id,
    body: z.object({ ...fields, ...seen.shape }),
    response: PersonDocument,
  }),
  remove: endpoint({
    ...team,
    method: 'POST',
    path: '/api/person-documents/:id/remove',
    idempotent: true,
    params: Id,
    body: seen,
    response: PersonDocument,
    summary: 'Take a document off; `restore` brings it back for 30 days, then it is deleted',
  }),
  restore: endpoint({
    ...team,
    method: 'POST',
    path: '/api/person-documents/:id/restore',
    idempotent: true,
    params: Id,
    body: seen,
    response: PersonDocument,
  }),
  file: endpoint({
    ...team,
    method: 'GET',
    path: '/api/person-documents/:id/file',
    params: Id,
    response: z.any(),
    summary: 'What a document shows; who looked is written down',
  }),
}
