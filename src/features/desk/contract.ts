import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'
import { headerLine } from '../../shared/headerLine.ts'
import { page, searched } from '../../shared/list.ts'
import { leadSources, leadStatuses } from '../prospects/rules.ts'
import { emailTemplates, pageSize, smsTemplates, textCharacters } from './rules.ts'

const TrackedMessage = z.object({
  _id: z.uuid(),
  direction: z.enum(['inbound', 'outbound']),
  sentAt: z.string(),
  message: z.string(),
  delivered: z.boolean(),
  deliveredAt: z.string().nullable(),
  failed: z.boolean(),
  read: z.boolean(),
  /** Why it waits, did not leave or failed, in words. */
  reason: z.string().nullable(),
  /** The instant before which it does not leave, while it waits for one. */
  waitsUntil: z.string().nullable(),
  /** It waits, was refused by our gate, or contact was lost while it left. */
  state: z.enum(['pending', 'held', 'sent', 'delivered', 'failed', 'suppressed', 'unknown', 'received']),
  subject: z.string().optional(),
  opened: z.boolean().optional(),
  openedAt: z.string().nullable().optional(),
  openCount: z.number().int().optional(),
  clicked: z.boolean().optional(),
  clickedAt: z.string().nullable().optional(),
  clickCount: z.number().int().optional(),
  /** An answer that came from another address than the lead's own. */
  otherAddress: z.string().nullable(),
  /** What came with it. */
  photos: z.array(z.object({ url: z.string(), smallUrl: z.string() })),
  files: z.array(z.object({ name: z.string(), url: z.string(), byteCount: z.number().int() })),
  /** What came with it and is not here, as a sentence. */
  notKept: z.string().nullable(),
})
export type TrackedMessage = z.output<typeof TrackedMessage>

export const Lead = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  source: z.enum(leadSources),
  campaign: z.string(),
  status: z.enum(leadStatuses),
  createdAt: z.string(),
  emailTracking: z.array(TrackedMessage),
  smsTracking: z.array(TrackedMessage),
  utm_source: z.string(),
  utm_medium: z.string(),
  utm_campaign: z.string(),
  utm_content: z.string(),
  utm_term: z.string(),
  userAgent: z.string(),
  platform: z.string(),
  language: z.string(),
  screenResolution: z.string(),
  viewport: z.string(),
  landingTime: z.string().nullable(),
  referrer: z.string(),
  isMobile: z.boolean(),
  currentUrl: z.string(),
  timeZone: z.string().nullable(),
  hasAccount: z.boolean(),
  isCustomer: z.boolean(),
  /** Why no mail or text can leave to them, in words. */
  emailSuppressed: z.string().nullable(),
  smsSuppressed: z.string().nullable(),
  /** When the next booked call begins. */
  nextCallAt: z.string().nullable(),
  /** What the desk has not looked at yet: the lead itself, or an answer of theirs. */
  unread: z.enum(['lead', 'answer']).nullable(),
})
export type Lead = z.output<typeof Lead>

const day = z.iso.date()

export const LeadFilter = z.object({
  status: z.enum(leadStatuses).optional(),
  source: z.enum(leadSources).optional(),
  campaign: z.string().max(300).optional(),
  dateFrom: day.optional(),
  dateTo: day.optional(),
  ...searched,
  /** Only leads with messages, the newest message first. */
  conversations: z.stringbool().optional(),
  ...page(pageSize),
})
export type LeadFilter = z.output<typeof LeadFilter>

const Analytics = z.object({
  totalLeads: z.number().int(),
  /** Percent with one decimal: leads with an account of all. */
  registrationConversionRate: z.number(),
  /** Percent with one decimal: leads with a trialing or paid subscription of all. */
  customerConversionRate: z.number(),
  /** Leads of the last seven days, the newest first, at most 100 of them. */
  recentLeads: z.array(z.object({ _id: z.uuid(), name: z.string(), email: z.string(), createdAt: z.string() })),
  recentCount: z.number().int(),
  emailsSent: z.number().int(),
  smsSent: z.number().int(),
  smsReplies: z.number().int(),
  /** Mails that a person opened; machine opens are not counted. */
  emailOpens: z.number().int(),
  emailOpenRate: z.number(),
  smsResponseRate: z.number(),
  totalConversations: z.number().int(),
  campaigns: z.array(z.string()),
  /** Leads with something that the desk has not looked at. */
  unread: z.number().int(),
})
export type Analytics = z.output<typeof Analytics>

const TemplateEntry = z.object({
  channel: z.enum(['email', 'sms']),
  key: z.enum(smsTemplates),
  subject: z.string(),
  message: z.string(),
  isChanged: z.boolean(),
  /** When it was changed, in milliseconds; 0 as it comes. */
  version: z.number().int(),
})
export type TemplateEntry = z.output<typeof TemplateEntry>

const minute = z.number().int().min(0).max(1440)

/** Weekday ('0' is Sunday) to spans of minutes after midnight in which calls may stand. */
const CallHours = z.partialRecord(
  z.enum(['0', '1', '2', '3', '4', '5', '6']),
  z.array(z.tuple([minute, minute]).refine(([from, to]) => to > from, 'The end must come after the start')).max(4),
)

const settings = {
  timeZone: z.string().min(3).max(60),
  callHours: CallHours,
  /** Nobody books a call that begins sooner than this. */
  callNoticeMinutes: z.number().int().min(0).max(20_160),
  callHorizonDays: z.number().int().min(1).max(90),
  /** Kept free after each call. */
  callBufferMinutes: z.number().int().min(0).max(120),
  /** Days without calls, in the zone of the hours. Those that are over are forgotten. */
  holidays: z.array(day).max(400, 'At most 400 days'),
  /** No calls on federal holidays, besides the days above. */
  restsOnHolidays: z.boolean(),
  /** Where the call is held, as it stands in the invitation. */
  callLink: z.string().trim().max(500),
  monthlyAdmissions: z.number().int().min(0).max(1000),
  fromName: headerLine(80).min(1, 'A sender is needed'),
  postalAddress: z.string().trim().max(300),
}

const DeskSettings = z.object({
  ...settings,
  version: z.number().int(),
  /** Calls that were booked before their day became one without calls. They stand until somebody moves or cancels them. */
  holidayCalls: z.array(z.object({ callId: z.uuid(), name: z.string(), title: z.string(), startsAt: z.string() })),
})
export type DeskSettings = z.output<typeof DeskSettings>

const Params = z.object({ leadId: z.uuid() })

export const deskApi = {
  leads: endpoint({
    method: 'GET',
    path: '/api/leads/owner/leads',
    access: 'productOwner',
    query: LeadFilter,
    response: z.object({ leads: z.array(Lead), nextCursor: z.string().nullable(), total: z.number().int() }),
    summary: 'Leads by filter, newest first, with what was written',
  }),
  analytics: endpoint({
    method: 'GET',
    path: '/api/leads/owner/analytics',
    access: 'productOwner',
    response: Analytics,
    summary: 'The figures of the funnel',
  }),
  setStatus: endpoint({
    method: 'PUT',
    path: '/api/leads/owner/:leadId/status',
    access: 'productOwner',
    idempotent: true,
    params: Params,
    body: z.object({ status: z.enum(leadStatuses) }),
    response: Lead,
    summary: 'Any status may follow any other',
  }),
  emails: endpoint({
    method: 'GET',
    path: '/api/leads/owner/:leadId/email',
    access: 'productOwner',
    params: Params,
    response: z.object({ emailMessages: z.array(TrackedMessage) }),
    summary: 'Mail with a lead, newest first',
  }),
  texts: endpoint({
    method: 'GET',
    path: '/api/leads/owner/:leadId/sms',
    access: 'productOwner',
    params: Params,
    response: z.object({ smsMessages: z.array(TrackedMessage) }),
    summary: 'Texts with a lead, newest first',
  }),
  sendEmail: endpoint({
    method: 'POST',
    path: '/api/leads/owner/:leadId/email',
    access: 'productOwner',
    idempotent: true,
    params: Params,
    body: z.object({
      subject: headerLine(200).min(1, 'A subject is needed'),
      message: z.string().trim().min(1, 'Write something first').max(20_000),
    }),
    response: Lead,
    summary: 'Mail a lead',
  }),
  sendText: endpoint({
    method: 'POST',
    path: '/api/leads/owner/:leadId/sms',
    access: 'productOwner',
    idempotent: true,
    params: Params,
    body: z.object({
      message: z
        .string()
        .trim()
        .min(1, 'Write something first')
        .max(textCharacters, 'A text has at most 160 characters'),
    }),
    response: Lead,
    summary: 'Text a lead',
  }),
  removeMessage: endpoint({
    method: 'DELETE',
    path: '/api/leads/owner/:leadId/message',
    access: 'productOwner',
    idempotent: true,
    params: Params,
    body: z.object({ messageId: z.uuid(), messageType: z.enum(['email', 'sms']) }),
    response: Lead,
    summary: 'Takes a message out of the conversation',
  }),
  templates: endpoint({
    method: 'GET',
    path: '/api/leads/owner/templates',
    access: 'productOwner',
    response: z.object({ items: z.array(TemplateEntry), schedulingLink: z.string() }),
    summary: 'What the quick templates say',
  }),
  saveTemplate: endpoint({
    method: 'PUT',
    path: '/api/leads/owner/templates/:channel/:key',
    access: 'productOwner',
    idempotent: true,
    params: z.object({ channel: z.enum(['email', 'sms']), key: z.enum(smsTemplates) }),
    /** Null puts back what came with the product. */
    body: z
      .object({
        subject: headerLine(200).optional(),
        message: z.string().trim().min(1, 'Write something first').max(20_000).optional(),
        version: z.number().int().optional(),
      })
      .nullable(),
    response: TemplateEntry,
    summary: 'Changes a template, or puts it back',
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/owner/settings',
    access: 'productOwner',
    response: DeskSettings,
    summary: 'Admissions, call hours, sender and postal address',
  }),
  saveSettings: endpoint({
    method: 'PUT',
    path: '/api/owner/settings',
    access: 'productOwner',
    idempotent: true,
    body: z.object({ ...z.object(settings).partial().shape, version: z.number().int() }),
    response: DeskSettings,
    summary: 'Changes what is given; the version says what it was changed from',
  }),
  open: endpoint({
    method: 'GET',
    path: '/o/:token',
    access: 'public',
    params: z.object({ token: z.string().max(100) }),
    response: z.any(),
    summary: 'The invisible picture of a mail',
  }),
  click: endpoint({
    method: 'GET',
    path: '/c/:token',
    access: 'public',
    params: z.object({ token: z.string().max(100) }),
    response: z.any(),
    summary: 'A link of a mail: leads to the stored address and nowhere else',
  }),
}

/** Only these can be chosen for a channel. */
export const templatesOf = (channel: 'email' | 'sms') => (channel === 'email' ? emailTemplates : smsTemplates)
