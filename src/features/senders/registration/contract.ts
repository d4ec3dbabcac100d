import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { isZip, zipWords } from '../../../shared/places.ts'
import { stateOrNull } from '../../../shared/states.ts'
import { PhoneOrNull } from '../../businesses/contract.ts'
import { entities, markedSteps, markStates, senderKinds, stepKeys, stepStates } from './rules.ts'

const line = (most: number) => z.string().trim().max(most, `At most ${most} characters`)

const Details = z.object({
  legalName: line(120),
  entity: z.enum(entities).nullable(),
  ein: z
    .string()
    .trim()
    .transform((text) => text.replace(/[\s-]/g, ''))
    .pipe(z.string().regex(/^(\d{9})?$/, 'An EIN has nine digits, like 12-3456789.')),
  street: line(120),
  city: line(80),
  state: stateOrNull,
  zip: z
    .string()
    .trim()
    .refine((text) => text === '' || isZip(text), zipWords),
  website: line(200).refine(
    (text) => text === '' || /^https?:\/\/[^\s/]+\.[^\s]+$/i.test(text),
    'An address like https://greenlawn.com.',
  ),
  email: z.union([z.literal(''), z.email('Write an address like office@greenlawn.com.')]),
  phone: PhoneOrNull,
})

const Mark = z.object({ state: z.enum(markStates), on: z.string().nullable(), note: z.string().nullable() })

export const SenderRegistration = z.object({
  kind: z.enum(senderKinds).nullable(),
  details: z.object({
    legalName: z.string(),
    entity: z.enum(entities).nullable(),
    ein: z.string(),
    street: z.string(),
    city: z.string(),
    state: z.string().nullable(),
    zip: z.string(),
    website: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
  }),
  brand: Mark,
  campaign: Mark,
  steps: z.array(z.object({ key: z.enum(stepKeys), title: z.string(), state: z.enum(stepStates), words: z.string() })),
  /** To be copied into the registration. */
  texts: z.array(z.object({ label: z.string(), text: z.string() })),
  /** 0: nothing was saved yet. */
  version: z.number().int(),
})
export type SenderRegistration = z.output<typeof SenderRegistration>

const change = {
  access: 'office',
  permission: 'settings',
  needsSubscription: true,
  idempotent: true,
  response: SenderRegistration,
} as const
const version = z.number().int()

export const senderRegistrationApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/sender/texts',
    access: 'office',
    permission: 'settings',
    response: SenderRegistration,
    summary: 'How far the registration is that carriers ask for before texts leave from a number of one’s own',
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/sender/texts',
    ...change,
    body: z.object({ kind: z.enum(senderKinds), details: Details, version }),
    summary: 'The kind of number, and who the business is',
  }),
  mark: endpoint({
    method: 'POST',
    path: '/api/sender/texts/mark',
    ...change,
    body: z.object({
      step: z.enum(markedSteps),
      state: z.enum(markStates),
      on: z.string().refine(isDay, 'Use a day like 2026-06-12.').nullable().default(null),
      note: z.string().trim().max(300, 'At most 300 characters').nullable().default(null),
      version,
    }),
    summary: 'That a step was sent in, approved or sent back',
  }),
}
