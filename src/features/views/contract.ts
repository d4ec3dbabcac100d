import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { hubs, isViewKey, type ViewQuery } from './rules.ts'

const Name = z.string().trim().min(1, 'Name the view').max(60, 'At most 60 characters.')
const Query: z.ZodType<ViewQuery> = z.record(z.string().max(40), z.string().max(1500, 'At most 1,500 characters.'))
const Hub = z.enum(hubs)

export const ViewRecord = z.object({
  id: z.uuid(),
  hub: Hub,
  name: z.string(),
  query: Query,
  /** The whole office has it. */
  shared: z.boolean(),
  /** Who made it; null for one's own. */
  makerName: z.string().nullable(),
  /** The list of who asks opens with it. */
  isDefault: z.boolean(),
  version: z.number().int(),
  can: z.object({ update: z.boolean(), share: z.boolean(), remove: z.boolean() }),
})
export type ViewRecord = z.output<typeof ViewRecord>

export const NewView = z
  .object({
    hub: Hub,
    name: Name,
    query: Query,
    shared: z.boolean().default(false),
    isDefault: z.boolean().default(false),
  })
  .superRefine(({ hub, query }, context) => {
    for (const key of Object.keys(query))
      if (!isViewKey(hub, key))
        context.addIssue({ code: 'custom', path: ['query', key], message: 'This list has no such filter.' })
  })
export type NewView = z.output<typeof NewView>

export const ViewChange = z.object({
  version: z.number().int(),
  name: Name.optional(),
  query: Query.optional(),
  shared: z.boolean().optional(),
})
export type ViewChange = z.output<typeof ViewChange>

const Id = z.object({ id: z.uuid() })
const Views = z.object({ items: z.array(ViewRecord) })
const change = { access: 'office', idempotent: true } as const

export const viewsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/views',
    access: 'office',
    query: z.object({ hub: Hub }),
    response: Views,
    summary: "The views kept of a list: one's own, and those shared with the office",
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/views',
    ...change,
    body: NewView,
    response: ViewRecord,
    summary: 'Keep the filter of a list under a name',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/views/:id',
    ...change,
    params: Id,
    body: ViewChange,
    response: ViewRecord,
    summary: 'Rename a view, change what it shows, or share it',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/views/:id',
    ...change,
    params: Id,
    response: z.object({ id: z.uuid() }),
    summary: 'Delete a view',
  }),
  setDefault: endpoint({
    method: 'PUT',
    path: '/api/views/default',
    ...change,
    body: z.object({ hub: Hub, viewId: z.uuid().nullable() }),
    response: Views,
    summary: 'Open a list with a view, or with none',
  }),
}
