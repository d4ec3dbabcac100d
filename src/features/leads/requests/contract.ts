import { z } from 'zod'
import { endpoint } from '../../../shared/endpoint.ts'
import { frequencies } from '../../services/rules.ts'
import { areaKinds, lawnWays } from './rules.ts'

const Corner = z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)])
const Zip = z.string().regex(/^\d{5}$/, 'A ZIP code has five digits.')

const Reward = z.number().int().min(0, 'A reward cannot be negative.').max(100_000, 'A reward is at most $1,000.')

const settings = {
  formOn: z.boolean(),
  replyOn: z.boolean(),
  replyText: z.string().trim().min(1, 'Write what they read.').max(160, 'A text has at most 160 characters.'),
  areaKind: z.enum(areaKinds),
  areaZips: z.array(Zip).max(500, 'At most 500 ZIP codes.'),
  areaRing: z.array(Corner).min(3, 'An area has at least three corners.').max(200, 'At most 200 corners.').nullable(),
  pricesOn: z.boolean(),
  serviceIds: z.array(z.uuid()).max(40),
  /** A visitor of the page may pick the day. */
  bookOn: z.boolean(),
  bookServiceIds: z.array(z.uuid()).max(40),
  bookDaysAhead: z.number().int('A whole number of days.').min(1, 'At least one day.').max(30, 'At most 30 days.'),
  bookMostDaily: z.number().int('A whole number.').min(1, 'At least one a day.').max(50, 'At most 50 a day.'),
  /** The office says yes before anything is booked. */
  bookAsks: z.boolean(),
  referralOn: z.boolean(),
  referralGiverCents: Reward,
  referralFriendCents: Reward,
}

export const LeadSettings = z.object({
  ...settings,
  version: z.number().int(),
  slug: z.string(),
  businessName: z.string(),
  publicPage: z.boolean(),
  /** Where a map of the area begins. */
  home: z.object({ lat: z.number(), lon: z.number() }).nullable(),
  /** Without a crew every day is full. */
  hasCrew: z.boolean(),
  /** What could be offered with a price. */
  services: z.array(z.object({ id: z.uuid(), name: z.string(), mows: z.boolean() })),
})
export type LeadSettings = z.output<typeof LeadSettings>

export const leadSettingsApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/lead-settings',
    access: 'office',
    permission: 'customers',
    response: LeadSettings,
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/lead-settings',
    access: 'office',
    permission: 'settings',
    idempotent: true,
    body: z.object(settings).partial().extend({ version: z.number().int() }),
    response: LeadSettings,
    summary: 'The form for the own website, where the business works, and what its page offers',
  }),
}

const slug = z.object({ slug: z.string().max(100) })
const part = (max: number) => z.string().trim().max(max).default('')

/** Everything that strangers reach; nobody is signed in, nothing of the business is told but what stands on its page. */
export const leadRequestApi = {
  page: endpoint({
    method: 'GET',
    path: '/lead-form/:slug',
    access: 'public',
    params: slug,
    response: z.any(),
    summary: 'The form as a page of its own, whole without a script',
  }),
  script: endpoint({
    method: 'GET',
    path: '/lead-form/:slug/form.js',
    access: 'public',
    params: slug,
    response: z.any(),
    summary: 'Puts the form where its script tag stands, on any website',
  }),
  send: endpoint({
    method: 'POST',
    path: '/lead-form/:slug',
    access: 'public',
    form: true,
    params: slug,
    body: z.record(z.string().max(40), z.string().max(4000)),
    response: z.any(),
    summary: 'A request, from the form of any website',
  }),
  thanks: endpoint({
    method: 'GET',
    path: '/lead-form/:slug/thanks',
    access: 'public',
    params: slug,
    response: z.any(),
    summary: 'What somebody without a script reads after they asked',
  }),
  offer: endpoint({
    method: 'GET',
    path: '/api/public/businesses/:slug/offer',
    access: 'public',
    params: slug,
    response: z.object({
      /** Requests are taken here. */
      open: z.boolean(),
      consent: z.string(),
      /** The line at the box for offers, with the business's name. */
      offers: z.string(),
      services: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          frequencies: z.array(z.enum(frequencies)),
          needsSize: z.boolean(),
          /** Nobody can say its price before they saw the beds or edges. */
          afterLook: z.boolean(),
          /** Into a day that they pick. */ bookable: z.boolean(),
        }),
      ),
    }),
    summary: 'What a visitor of the public page can ask a price for',
  }),
  place: endpoint({
    method: 'POST',
    path: '/api/public/businesses/:slug/place',
    access: 'public',
    params: slug,
    body: z.object({ street: part(200), city: part(100), state: part(40), zip: Zip }),
    response: z.object({
      served: z.boolean().nullable(),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      /** It is the house; else only the area around is known. */
      exact: z.boolean(),
    }),
    summary: 'Whether an address is served, and where it is',
  }),
  price: endpoint({
    method: 'POST',
    path: '/api/public/businesses/:slug/price',
    access: 'public',
    params: slug,
    body: z.object({
      squareFeet: z.number().int().min(100, 'A lawn has at least 100 square feet.').max(5_000_000),
      way: z.enum(lawnWays),
      services: z
        .array(z.object({ id: z.uuid(), frequency: z.enum(frequencies) }))
        .min(1, 'Choose what you need.')
        .max(10),
    }),
    response: z.object({
      items: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          lowCents: z.number().int().nullable(),
          highCents: z.number().int().nullable(),
        }),
      ),
    }),
    summary: "A price range a visit by the business's own rules",
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/public/businesses/:slug/requests',
    access: 'public',
    params: slug,
    body: z.object({
      /** Made by the page: sent twice it is one request. */
      key: z.uuid(),
      name: part(200),
      phone: part(40),
      email: part(254),
      street: part(200),
      city: part(100),
      state: part(40),
      zip: part(12),
      wants: part(2000),
      company: part(200),
      ms: part(20),
      consent: z.boolean().default(false),
      offers: z.boolean().default(false),
      ref: part(40),
      lawn: z
        .object({
          squareFeet: z.number().int().min(100).max(5_000_000),
          way: z.enum(lawnWays),
          /** The line that they drew; the server measures it again. */
          ring: z.array(Corner).max(200, 'At most 200 corners.').nullable().default(null),
        })
        .nullable()
        .default(null),
      services: z
        .array(z.object({ id: z.uuid(), frequency: z.enum(frequencies) }))
        .max(10)
        .default([]),
    }),
    response: z.object({ received: z.literal(true), served: z.boolean() }),
    summary: 'A request from the public page: it becomes a lead',
  }),
}
