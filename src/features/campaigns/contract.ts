import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { type BinaryBody, endpoint } from '../../shared/endpoint.ts'
import { page } from '../../shared/list.ts'
import { largestUpload } from '../files/rules.ts'
import { Content } from './content/contract.ts'
import {
  campaignChannels,
  campaignStatuses,
  leastPerHour,
  mostHoldoutPercent,
  mostPerHour,
  mostTestAddresses,
  testMeasures,
  usualPerHour,
} from './rules.ts'
import { Conditions } from './segments/contract.ts'

const Channel = z.enum(campaignChannels)
const percent = z.number().int()

/** Two subjects: to what share of the audience, for how long, and what decides. */
const Test = z.object({
  percent: percent.min(10, 'At least 10%.').max(50, 'At most 50%.'),
  hours: z.number().int().min(1, 'At least one hour.').max(72, 'At most 72 hours.'),
  by: z.enum(testMeasures),
})

const fields = {
  name: z.string().trim().min(1, 'Name the campaign.').max(80, 'At most 80 characters.'),
  conditions: Conditions,
  content: Content,
  test: Test.nullable(),
  holdoutPercent: percent.min(0).max(mostHoldoutPercent, `At most ${mostHoldoutPercent}%.`),
  perHour: z
    .number()
    .int()
    .min(leastPerHour, `At least ${leastPerHour} an hour.`)
    .max(mostPerHour, `At most ${mostPerHour.toLocaleString('en-US')} an hour.`),
  leaveOutRecent: z.boolean(),
}

const TestAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'An address has at most 254 characters.')
  .pipe(z.email({ error: ({ input }) => `“${String(input)}” is not an e-mail address.` }))

const Can = z.object({
  update: z.boolean(),
  remove: z.boolean(),
  schedule: z.boolean(),
  unschedule: z.boolean(),
  start: z.boolean(),
  pause: z.boolean(),
  resume: z.boolean(),
  cancel: z.boolean(),
  copy: z.boolean(),
  test: z.boolean(),
})

export const CampaignItem = z.object({
  id: z.uuid(),
  name: z.string(),
  channel: Channel,
  status: z.enum(campaignStatuses),
  /** When it begins, of a scheduled one. */
  startsAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  pauseReason: z.string().nullable(),
  /** Who fitted when it began; nobody joins after that. */
  chosen: z.number().int(),
  /** All of them were looked at: from then on it is known how many it is for. */
  isSorted: z.boolean(),
  heldOut: z.number().int(),
  leftOut: z.number().int(),
  /** For whom a message was put into the outbox. */
  queued: z.number().int(),
  byName: z.string().nullable(),
  createdAt: z.string(),
  version: z.number().int(),
  can: Can,
})
export type CampaignItem = z.output<typeof CampaignItem>

export const Campaign = CampaignItem.extend({
  conditions: Conditions,
  content: Content,
  test: Test.nullable(),
  holdoutPercent: z.number().int(),
  perHour: z.number().int(),
  leaveOutRecent: z.boolean(),
  /** When the next ones leave, of a running one. */
  nextAt: z.string().nullable(),
  decideAt: z.string().nullable(),
  decidedAt: z.string().nullable(),
  winner: z.enum(['a', 'b']).nullable(),
  pausedAt: z.string().nullable(),
  /** Pictures of its blocks, by file, as addresses that open for a span. */
  pictures: z.record(z.string(), z.string()),
  /** What the business has of what its words lead to: with it a screen says what is wrong while it is typed. */
  surroundings: z.object({
    name: z.string(),
    hasAddress: z.boolean(),
    hasPhone: z.boolean(),
    hasPage: z.boolean(),
    hasPortal: z.boolean(),
  }),
  /** What keeps it from beginning, by field. */
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
})
export type Campaign = z.output<typeof Campaign>

/** How a mail or text of a campaign comes out, for whoever writes it. */
export const CampaignPreview = z.object({
  html: z.string(),
  /** The same in the colors of a dark mail program. */
  darkHtml: z.string(),
  text: z.string(),
  subject: z.string(),
  /** Of a text, with its line of how to get no more. */
  segments: z.number().int(),
})
export type CampaignPreview = z.output<typeof CampaignPreview>

const office = { access: 'office', permission: 'customers' } as const
const change = { ...office, needsSubscription: true, idempotent: true } as const
const byId = z.object({ id: z.uuid() })
const seen = z.object({ version: z.number().int() })

export const campaignsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/campaigns',
    ...office,
    query: z.object({ status: z.enum(campaignStatuses).optional(), ...page(20) }),
    response: z.object({ items: z.array(CampaignItem), nextCursor: z.string().nullable() }),
    summary: 'Campaigns, the newest first',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/campaigns/:id',
    ...office,
    params: byId,
    response: Campaign,
    summary: 'One campaign with what it says and where it stands',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/campaigns',
    ...change,
    body: z.object({
      name: fields.name,
      channel: Channel,
      content: Content,
      conditions: Conditions.default([]),
      test: Test.nullable().default(null),
      holdoutPercent: fields.holdoutPercent.default(0),
      perHour: fields.perHour.default(usualPerHour),
      leaveOutRecent: z.boolean().default(false),
    }),
    response: Campaign,
    summary: 'A campaign to work on; nothing leaves',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/campaigns/:id',
    ...change,
    params: byId,
    body: seen.extend(z.object(fields).partial().shape),
    response: Campaign,
    summary: 'Changes what is given, of a draft or a scheduled one',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/campaigns/:id',
    ...office,
    idempotent: true,
    params: byId,
    response: z.object({ removed: z.literal(true) }),
    summary: 'Throws away a campaign that has not begun',
  }),
  copy: endpoint({
    method: 'POST',
    path: '/api/campaigns/:id/copy',
    ...change,
    params: byId,
    response: Campaign,
    summary: 'The same again as a draft',
  }),
  schedule: endpoint({
    method: 'POST',
    path: '/api/campaigns/:id/schedule',
    ...change,
    params: byId,
    body: seen.extend({
      day: z.string().refine(isDay, 'Choose a day.'),
      minute: z.number().int().min(0).max(1439),
    }),
    response: Campaign,
    summary: 'Begins by itself on a day at a time of the business’s clock',
  }),
  unschedule: endpoint({
    method: 'POST',
    path: '/api/campaigns/:id/unschedule',
    ...office,
    idempotent: true,
    params: byId,
    response: Campaign,
    summary: 'Is a draft again',
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/campaigns/:id/start',
    ...change,
    params: byId,
    body: seen,
    response: Campaign,
    summary: 'Begins now: from here on nobody joins its audience and nothing of it changes',
  }),
  pause: endpoint({
    method: 'POST',
    path: '/api/campaigns/:id/pause',
    ...office,
    idempotent: true,
    params: byId,
    response: Campaign,
    summary: 'Nothing more leaves until it goes on',
  }),
  resume: endpoint({
    method: 'POST',
    path: '/api/campaigns/:id/resume',
    ...change,
    params: byId,
    response: Campaign,
    summary: 'Goes on where it was; nobody gets it twice',
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/campaigns/:id/cancel',
    ...office,
    idempotent: true,
    params: byId,
    response: Campaign,
    summary: 'Ends it for good; what has left stays with the customers',
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/campaigns/:id/test',
    ...change,
    params: byId,
    body: z.object({
      language: z.enum(['en', 'es']),
      variant: z.enum(['a', 'b']),
      /** E-mail addresses instead of the own one. */
      to: z
        .array(TestAddress)
        .min(1, 'Write an e-mail address.')
        .max(mostTestAddresses, `At most ${mostTestAddresses} addresses at once.`)
        .optional(),
    }),
    response: z.object({ to: z.string() }),
    summary: 'One as a customer would get it, to the person who asks or to addresses that they typed',
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/campaigns/preview',
    ...office,
    body: z.object({
      channel: Channel,
      content: Content,
      language: z.enum(['en', 'es']),
      variant: z.enum(['a', 'b']),
    }),
    response: CampaignPreview,
    summary: 'How what is written comes out',
  }),
  addPicture: endpoint({
    method: 'POST',
    path: '/api/campaigns/pictures',
    ...office,
    needsSubscription: true,
    bodyLimitBytes: largestUpload,
    body: z.any() as z.ZodType<BinaryBody>,
    response: z.object({ fileId: z.uuid(), url: z.string() }),
    summary: 'A picture for a mail: a picture as it is',
  }),
}
