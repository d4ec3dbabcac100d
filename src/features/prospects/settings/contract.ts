import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'

const Span = z.tuple([z.number().int(), z.number().int()])

/** What the product owner decides about calls, places and mail. */
export const Settings = z.object({
  timeZone: z.string().min(1).max(60),
  /** Weekday ("0" = Sunday) to spans of minutes after midnight in `timeZone`. */
  callHours: z.record(z.string(), z.array(Span).max(6)),
  callNoticeMinutes: z.number().int().min(0).max(20_160),
  callHorizonDays: z.number().int().min(1).max(90),
  callBufferMinutes: z.number().int().min(0).max(120),
  /** Where a call takes place; without one we call the number of the lead. */
  callLink: z.union([z.literal(''), z.url({ protocol: /^https$/ }).max(500)]),
  holidays: z.array(z.string().refine(isDay, 'This day does not exist')).max(100),
  monthlyAdmissions: z.number().int().min(0).max(1000),
  fromName: z.string().trim().min(1).max(80),
  postalAddress: z.string().trim().max(300),
  version: z.number().int(),
})
export type Settings = z.output<typeof Settings>

export const prospectSettingsApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/leads/owner/settings',
    access: 'productOwner',
    response: Settings,
    summary: 'Settings of calls, places and mail to leads',
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/leads/owner/settings',
    access: 'productOwner',
    body: Settings,
    response: Settings,
    summary: 'Change them; refused when somebody else did meanwhile',
  }),
}
