import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { frequencies } from '../../services/rules.ts'
import { lawnWays } from '../requests/rules.ts'
import { bookingActions, bookingStatuses, dayParts } from './rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const part = (max: number) => z.string().trim().max(max).default('')
const slug = z.object({ slug: z.string().max(100) })

const wish = {
  street: z.string().trim().min(1, 'Which street and number?').max(200),
  city: part(100),
  state: part(40),
  zip: z.string().regex(/^\d{5}$/, 'A ZIP code has five digits.'),
  lawn: z.object({
    squareFeet: z.number().int().min(100, 'A lawn has at least 100 square feet.').max(5_000_000),
    way: z.enum(lawnWays),
  }),
  services: z
    .array(z.object({ id: z.uuid(), frequency: z.enum(frequencies) }))
    .min(1, 'Choose what you need.')
    .max(10),
}

const Told = z.object({
  items: z.array(z.object({ id: z.uuid(), name: z.string(), frequency: z.enum(frequencies), cents: z.number().int() })),
  totalCents: z.number().int(),
  /** The office says yes first. */
  asks: z.boolean(),
})
const Part = z.enum(dayParts).nullable()

/** What a visitor of the public page does; nobody is signed in, and what it costs is never taken from them. */
export const pageBookingApi = {
  days: endpoint({
    method: 'POST',
    path: '/api/public/businesses/:slug/days',
    access: 'public',
    params: slug,
    body: z.object(wish),
    response: Told.extend({
      /** What suits the routes best first. */
      days: z.array(z.object({ day: Day, part: Part, close: z.boolean() })),
    }),
    summary: 'The days that can be picked for an address, the least added driving first',
  }),
  hold: endpoint({
    method: 'POST',
    path: '/api/public/businesses/:slug/holds',
    access: 'public',
    params: slug,
    body: z.object({ ...wish, key: z.uuid(), day: Day }),
    response: Told.extend({ day: Day, part: Part, heldUntil: z.string() }),
    summary: 'Keep a place in a day for some minutes; picked again, the place moves',
  }),
  book: endpoint({
    method: 'POST',
    path: '/api/public/businesses/:slug/bookings',
    access: 'public',
    params: slug,
    body: z.object({
      /** Of the place that is held: sent twice it is one booking. */
      key: z.uuid(),
      name: part(200),
      phone: part(40),
      email: part(254),
      wants: part(2000),
      company: part(200),
      ms: part(20),
      consent: z.boolean().default(false),
      offers: z.boolean().default(false),
      ref: part(40),
    }),
    response: z.object({ state: z.enum(['booked', 'asked']), day: Day, part: Part, totalCents: z.number().int() }),
    summary: 'Book the day that is held, or ask for it where the office says yes first',
  }),
}

export const LeadBooking = z.object({
  id: z.uuid(),
  status: z.enum(bookingStatuses),
  day: Day,
  crewName: z.string(),
  /** All services of one visit, as the page told it; null for people who do not see money. */
  totalCents: z.number().int().nullable(),
  services: z.array(z.object({ name: z.string(), frequency: z.enum(frequencies) })),
  jobId: z.uuid().nullable(),
  can: z.record(z.enum(bookingActions), z.boolean()),
})
export type LeadBooking = z.output<typeof LeadBooking>

const byLead = z.object({ id: z.uuid() })
const answer = { access: 'office', permission: 'schedule', needsSubscription: true, idempotent: true } as const
const Answered = z.object({ booking: LeadBooking.nullable() })

export const leadBookingApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/business-leads/:id/booking',
    access: 'office',
    permission: 'customers',
    params: byLead,
    response: Answered,
    summary: 'The day that a lead picked on the business page, the last one',
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/business-leads/:id/booking/accept',
    ...answer,
    params: byLead,
    body: z.object({
      /** Another day than the one that was asked for. */
      day: Day.optional(),
    }),
    response: Answered,
    summary: 'Say yes to the day: customer, property, job and visit in one, and the customer is told',
  }),
  refuse: endpoint({
    method: 'POST',
    path: '/api/business-leads/:id/booking/refuse',
    ...answer,
    params: byLead,
    response: Answered,
    summary: 'Say that this day does not go; its place is free again and the customer is told',
  }),
}
