import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { headerLine } from '../../shared/headerLine.ts'
import { page, searched, sorted } from '../../shared/list.ts'
import { isZip, zipWords } from '../../shared/places.ts'
import { stateText } from '../../shared/states.ts'
import { CustomerDuplicate, NewProperty } from '../customers/contract.ts'
import { email, phone } from '../customers/fields/contract.ts'
import { latitude, longitude, optional, required, text } from '../customers/properties/contract.ts'
import { MessageFile, Photo } from '../messages/contract.ts'
import { messageChannels, messageStatuses } from '../messages/rules.ts'
import { frequencies } from '../services/rules.ts'
import { callOutcomes, leadActions, lostReasons, sources, stages, ties } from './rules.ts'

const Stage = z.enum(stages)
const Person = z.object({ id: z.uuid(), name: z.string() })

export const LeadItem = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  street: z.string(),
  unit: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  wants: z.string(),
  source: z.enum(sources),
  stage: Stage,
  stageAt: z.string(),
  lostReason: z.enum(lostReasons).nullable(),
  assignee: Person.nullable(),
  nextAction: z.string(),
  nextActionOn: z.string().nullable(),
  repliedAt: z.string().nullable(),
  /** Since when they wait for an answer. */
  askedAt: z.string(),
  /** They live where the business does not work. */
  outOfArea: z.boolean(),
  /** What the page told them a visit costs. */
  priceLowCents: z.number().int().nullable(),
  priceHighCents: z.number().int().nullable(),
  /** The customer that it became, or belongs to. */
  customer: Person.nullable(),
  /** Where the customer is, of somebody who asked without an address. */
  customerPlace: z.string(),
  /** How often they asked, and what they said the last time where that was not the first. */
  requestCount: z.number().int(),
  lastWants: z.string().nullable(),
  /** Another lead with the same phone, e-mail or address. */
  tied: Person.extend({ stage: Stage, by: z.enum(ties) }).nullable(),
  createdAt: z.string(),
  version: z.number().int(),
})
export type LeadItem = z.output<typeof LeadItem>

/** Another lead that may be the same person. */
export const LeadDuplicate = z.object({
  id: z.uuid(),
  name: z.string(),
  stage: Stage,
  matches: z.array(z.enum(ties)),
})
export type LeadDuplicate = z.output<typeof LeadDuplicate>

/** One time that they asked, as it came. */
export const LeadRequest = z.object({
  id: z.uuid(),
  at: z.string(),
  /** Empty where it was not kept: a request of before each was kept whole. */
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  street: z.string(),
  unit: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  lawnSquareFeet: z.number().int().nullable(),
  wants: z.string(),
  source: z.enum(sources),
  sourceDetail: z.string(),
  priceLowCents: z.number().int().nullable(),
  priceHighCents: z.number().int().nullable(),
})
export type LeadRequest = z.output<typeof LeadRequest>

/** A service as a visitor chose it. */
export const ChosenWork = z.object({
  serviceId: z.uuid(),
  frequency: z.enum(frequencies),
  /** They were told no price for it. */
  afterLook: z.boolean().optional(),
})
export type ChosenWork = z.output<typeof ChosenWork>

export const LeadRecord = LeadItem.extend({
  sourceDetail: z.string(),
  referredBy: Person.nullable(),
  lostNote: z.string(),
  stageBy: z.enum(['facts', 'person']),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  lawnSquareFeet: z.number().int().nullable(),
  /** What the lawn measures that they drew themselves; null where they drew none. */
  drawnSquareFeet: z.number().int().nullable(),
  convertedAt: z.string().nullable(),
  /** Each time that they asked, the newest first, where it was more than once; the newest 20. */
  requests: z.array(LeadRequest),
  /** The work that was ticked on the business page, of the newest request that had some. */
  chosen: z.array(ChosenWork),
  /** Services that the price they were told says nothing of: they go by what somebody has to look at. */
  afterLook: z.array(z.string()),
  /** Leads with the same phone, e-mail or address. */
  others: z.array(LeadDuplicate),
  /** Why no text or mail can leave to them, in words. */
  smsSuppressed: z.string().nullable(),
  emailSuppressed: z.string().nullable(),
  /** What who asked may do with it now. */
  can: z.record(z.enum(leadActions), z.boolean()),
})
export type LeadRecord = z.output<typeof LeadRecord>

/** Which leads are meant. */
export const LeadFilter = z.object({
  ...searched,
  stage: Stage.optional(),
  source: z.enum(sources).optional(),
  /** A person's id, or `none`. */
  assigneeId: z.union([z.uuid(), z.literal('none')]).optional(),
  /** `reply`: nobody has answered yet; `today`: the next action is due. */
  due: z.enum(['reply', 'today']).optional(),
  /** Only who asked from where the business does not work. */
  area: z.literal('out').optional(),
})
export type LeadFilter = z.output<typeof LeadFilter>

const leadFields = z.object({
  name: required(120, 'The name'),
  email,
  phone,
  street: text(200, 'The street'),
  unit: text(60, 'The unit'),
  city: text(100, 'The city'),
  state: stateText,
  zip: text(12, 'The ZIP code').refine(isZip, zipWords),
  wants: text(2000, 'What they asked for'),
  source: z.enum(sources),
  sourceDetail: text(300, 'The detail'),
  referredById: z.uuid().nullable(),
  assigneeId: z.uuid().nullable(),
  nextAction: text(200, 'The next step'),
  nextActionOn: z.iso.date().nullable(),
  lawnSquareFeet: z
    .number()
    .int('The lawn size is a whole number of square feet.')
    .min(0, 'The lawn size cannot be negative.')
    .max(50_000_000, 'The lawn size is too large.')
    .nullable(),
})

export const NewLead = leadFields
  .partial()
  .extend({
    name: leadFields.shape.name,
    source: leadFields.shape.source,
    latitude: latitude.nullable().optional(),
    longitude: longitude.nullable().optional(),
    /** Go on although somebody with the same phone, e-mail or address is there already. */
    allowDuplicate: z.boolean().default(false),
  })
  .superRefine((lead, context) => {
    if (!lead.phone && !lead.email && !lead.street)
      context.addIssue({
        code: 'custom',
        path: ['phone'],
        message: 'A phone number, an e-mail or an address is needed.',
      })
  })
export type NewLead = z.output<typeof NewLead>

export const LeadChanges = leadFields.partial().extend({ version: z.number().int() })
export type LeadChanges = z.output<typeof LeadChanges>

export const LeadDuplicates = z.object({ leads: z.array(LeadDuplicate), customers: z.array(CustomerDuplicate) })
export type LeadDuplicates = z.output<typeof LeadDuplicates>

/** Beyond a thousand they are not counted. */
const Count = z.number().int().nullable()

export const Board = z.object({
  columns: z.array(z.object({ stage: Stage, count: Count, items: z.array(LeadItem), hasMore: z.boolean() })),
})
export type Board = z.output<typeof Board>

export const TimelineItem = z.object({
  id: z.uuid(),
  at: z.string(),
  kind: z.enum(['created', 'again', 'stage', 'note', 'call', 'assigned', 'next', 'changed', 'customer', 'message']),
  /** Who did it; null where it happened by itself. */
  byName: z.string().nullable(),
  words: z.string(),
  message: z
    .object({
      channel: z.enum(messageChannels),
      direction: z.enum(['inbound', 'outbound']),
      subject: z.string(),
      status: z.enum(messageStatuses),
      reason: z.string().nullable(),
      runAfter: z.string().nullable(),
      photos: z.array(Photo),
      files: z.array(MessageFile),
      notKept: z.string().nullable(),
    })
    .nullable(),
})
export type TimelineItem = z.output<typeof TimelineItem>

const byId = z.object({ id: z.uuid() })
const version = z.number().int()
const read = { access: 'office', permission: 'customers' } as const
const change = { access: 'office', permission: 'customers', needsSubscription: true, idempotent: true } as const

export const lostBody = z.object({
  reason: z.enum(lostReasons),
  note: text(300, 'The note').default(''),
})

/** How many of a column; a column shows at most 200, the table shows all. */
const shown = z.coerce.number().int().min(1).max(200).default(20)

export const Choice = z.object({ ids: z.array(z.uuid()).min(1, 'Choose at least one lead.').max(200) })

export const businessLeadsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/business-leads',
    ...read,
    query: LeadFilter.extend({ ...sorted(['created', 'name', 'next'], 'created', 'desc'), ...page(50) }),
    response: z.object({ items: z.array(LeadItem), nextCursor: z.string().nullable(), total: Count }),
    summary: 'Leads of the business by search, filter and sort',
  }),
  board: endpoint({
    method: 'GET',
    path: '/api/business-leads/board',
    ...read,
    query: LeadFilter.omit({ stage: true }).extend({
      new: shown,
      contacted: shown,
      quoted: shown,
      won: shown,
      lost: shown,
    }),
    response: Board,
    summary: 'The funnel: the newest of each stage, and how many there are',
  }),
  counts: endpoint({
    method: 'GET',
    path: '/api/business-leads/counts',
    ...read,
    response: z.object({ all: Count, open: Count, reply: Count, today: Count, mine: Count }),
    summary: 'How many leads each view holds',
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/business-leads/people',
    ...read,
    response: z.object({ items: z.array(Person) }),
    summary: 'Who a lead can be given to',
  }),
  duplicates: endpoint({
    method: 'GET',
    path: '/api/business-leads/duplicates',
    ...read,
    query: z.object({
      phone: z.string().max(40).default(''),
      email: z.string().max(254).default(''),
      street: z.string().max(200).default(''),
      city: z.string().max(100).default(''),
      zip: z.string().max(12).default(''),
      /** A lead that is no duplicate of itself. */
      exceptId: z.uuid().optional(),
    }),
    response: LeadDuplicates,
    summary: 'Leads and customers with the same phone, e-mail or address',
  }),
  get: endpoint({ method: 'GET', path: '/api/business-leads/:id', ...read, params: byId, response: LeadRecord }),
  timeline: endpoint({
    method: 'GET',
    path: '/api/business-leads/:id/timeline',
    ...read,
    params: byId,
    query: z.object(page(30)),
    response: z.object({ items: z.array(TimelineItem), nextCursor: z.string().nullable() }),
    summary: 'What happened and what was written, newest first',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/business-leads',
    ...change,
    body: NewLead,
    response: LeadRecord,
    summary: 'Add a lead by hand',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/business-leads/:id',
    ...change,
    params: byId,
    body: LeadChanges,
    response: LeadRecord,
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/business-leads/:id/stage',
    ...change,
    params: byId,
    body: z.object({ stage: Stage, lost: lostBody.optional(), version }),
    response: LeadRecord,
    summary: 'Put a lead into another stage by hand; what happened before does not move it back',
  }),
  note: endpoint({
    method: 'POST',
    path: '/api/business-leads/:id/notes',
    ...change,
    params: byId,
    body: z
      .object({ words: text(4000, 'The note').default(''), call: z.enum(callOutcomes).nullable().default(null) })
      .refine(({ words, call }) => words !== '' || call !== null, {
        path: ['words'],
        message: 'Write something first.',
      }),
    response: LeadRecord,
    summary: 'Write a note, or that somebody called',
  }),
  sendText: endpoint({
    method: 'POST',
    path: '/api/business-leads/:id/texts',
    ...change,
    params: byId,
    body: z.object({
      text: z.string().trim().min(1, 'Write something first').max(160, 'A text has at most 160 characters'),
    }),
    response: LeadRecord,
    summary: 'Text a lead',
  }),
  sendEmail: endpoint({
    method: 'POST',
    path: '/api/business-leads/:id/emails',
    ...change,
    params: byId,
    body: z.object({
      subject: headerLine(200).min(1, 'A subject is needed'),
      text: z.string().trim().min(1, 'Write something first').max(20_000),
    }),
    response: LeadRecord,
    summary: 'Mail a lead',
  }),
  convert: endpoint({
    method: 'POST',
    path: '/api/business-leads/:id/convert',
    ...change,
    params: byId,
    body: z.object({
      version,
      /** The customer that it belongs to; left out, a new one is made. */
      customerId: z.uuid().optional(),
      name: required(120, 'The name').optional(),
      company: optional(120, 'The company').optional(),
      /** The place to work at; null for none yet. */
      property: NewProperty.nullable(),
      /** Only where they said yes; who is sent a quote is not won yet. */
      won: z.boolean().default(false),
      allowDuplicate: z.boolean().default(false),
    }),
    response: LeadRecord,
    summary: 'Make a lead a customer with a property, or part of a customer who is there, once',
  }),
  bulk: endpoint({
    method: 'POST',
    path: '/api/business-leads/bulk',
    ...change,
    body: z.object({
      choice: Choice,
      action: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('assign'), assigneeId: z.uuid().nullable() }),
        z.object({ kind: z.literal('stage'), stage: Stage, lost: lostBody.optional() }),
        z.object({
          kind: z.literal('next'),
          nextAction: text(200, 'The next step'),
          nextActionOn: z.iso.date().nullable(),
        }),
      ]),
    }),
    response: z.object({ changed: z.number().int() }),
    summary: 'One thing to many leads at once',
  }),
}
