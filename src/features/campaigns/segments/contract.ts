import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { CustomerStage } from '../../customers/contract.ts'
import { mostConditions } from './rules.ts'

const has = z.boolean()
const several = <T extends z.ZodType>(item: T, message: string) => z.array(item).min(1, message).max(50)
const word = z.string().trim().min(1).max(200)
const days = z.number().int().min(1, 'At least one day.').max(3650, 'At most ten years.')

export const Condition = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stage'), stages: several(CustomerStage, 'Choose a stage.') }),
  z.object({ kind: z.literal('tag'), has, tags: several(word, 'Choose a tag.') }),
  z.object({ kind: z.literal('city'), cities: several(word, 'Choose a city.') }),
  z.object({ kind: z.literal('zip'), zips: several(word, 'Choose a ZIP code.') }),
  z.object({ kind: z.literal('service'), has, serviceIds: several(z.uuid(), 'Choose a service.') }),
  z.object({ kind: z.literal('job'), has }),
  z.object({ kind: z.literal('lastVisit'), within: z.boolean(), days }),
  z.object({ kind: z.literal('balance'), has }),
  z.object({ kind: z.literal('plan'), has }),
  z.object({ kind: z.literal('autopay'), has }),
  z.object({ kind: z.literal('source'), sources: several(word, 'Choose where they came from.') }),
  z.object({ kind: z.literal('created'), within: z.boolean(), days }),
  z.object({ kind: z.literal('language'), language: z.enum(['en', 'es']) }),
  z.object({ kind: z.literal('type'), type: z.enum(['residential', 'commercial']) }),
])

export const Conditions = z.array(Condition).max(mostConditions, `At most ${mostConditions} conditions.`)

export const SegmentCount = z.object({
  /** Who fits. */
  chosen: z.number().int(),
  /** Of so many it was looked at whether they can be reached; fewer than `chosen` in a very long list. */
  looked: z.number().int(),
  /** By way, who can be reached now. */
  reached: z.object({ email: z.number().int(), sms: z.number().int() }),
  /** Why the others cannot, the commonest first, by way. */
  reasons: z.object({
    email: z.array(z.object({ reason: z.string(), count: z.number().int() })),
    sms: z.array(z.object({ reason: z.string(), count: z.number().int() })),
  }),
  /** Who had a campaign in the last days, of those looked at. */
  recent: z.number().int(),
  /** Of those who can be reached, by way, who had one. */
  recentReached: z.object({ email: z.number().int(), sms: z.number().int() }),
})
export type SegmentCount = z.output<typeof SegmentCount>

export const Segment = z.object({
  id: z.uuid(),
  name: z.string(),
  conditions: Conditions,
  version: z.number().int(),
})
export type Segment = z.output<typeof Segment>

const Name = z.string().trim().min(1, 'Name the audience.').max(60, 'At most 60 characters.')
const byId = z.object({ id: z.uuid() })
const office = { access: 'office', permission: 'customers' } as const
const change = { ...office, needsSubscription: true, idempotent: true } as const

export const segmentsApi = {
  count: endpoint({
    method: 'POST',
    path: '/api/segments/count',
    ...office,
    body: z.object({ conditions: Conditions }),
    response: SegmentCount,
    summary: 'Who fits conditions, how many of them can be reached, and why the others cannot',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/segments',
    ...office,
    response: z.object({ items: z.array(Segment) }),
    summary: 'The audiences that were saved, by name',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/segments',
    ...change,
    body: z.object({ name: Name, conditions: Conditions }),
    response: Segment,
    summary: 'Keep conditions under a name',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/segments/:id',
    ...change,
    params: byId,
    body: z.object({ version: z.number().int(), name: Name.optional(), conditions: Conditions.optional() }),
    response: Segment,
    summary: 'Another name or other conditions; a campaign that was made from it keeps its own',
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/segments/:id/archive',
    ...change,
    needsSubscription: false,
    params: byId,
    response: z.object({ items: z.array(Segment) }),
    summary: 'Take a saved audience out of use',
  }),
}
