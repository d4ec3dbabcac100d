import { z } from 'zod'
import { endpoint, type FormFile, formWasTooLarge } from '../../shared/endpoint.ts'
import { photosFormBytes, requestActions, requestKinds, requestStates } from './rules.ts'

const Name = z.object({ name: z.string().max(100) })
const WithId = Name.extend({ id: z.string().max(60) })
const Fields = z.record(z.string().max(60), z.string().max(20_000))
const Look = z.object({
  lang: z.string().max(5).optional().catch(undefined),
  done: z.string().max(40).optional().catch(undefined),
  cursor: z.string().max(300).optional().catch(undefined),
  to: z.string().max(120).optional().catch(undefined),
  re: z.string().max(60).optional().catch(undefined),
  pause: z.string().max(60).optional().catch(undefined),
})

const page = <const P extends string>(path: P, summary: string) =>
  endpoint({ method: 'GET', path, access: 'public', params: Name, query: Look, response: z.any(), summary })
const act = <const P extends string>(path: P, summary: string) =>
  endpoint({
    method: 'POST',
    path,
    access: 'public',
    form: true,
    params: Name,
    body: Fields,
    response: z.any(),
    summary,
  })
const actOn = <const P extends string>(path: P, summary: string) =>
  endpoint({
    method: 'POST',
    path,
    access: 'public',
    form: true,
    params: WithId,
    body: Fields,
    response: z.any(),
    summary,
  })

/** The pages of the portal: drawn by the server, whole without a script. `name` is the business's address; behind `home` it may be a link's token. */
export const portalPageApi = {
  home: page('/portal/:name', 'Sign in, or what comes next; behind a link: the button that signs in'),
  ask: act('/portal/:name/link', 'Asks for a link to sign in; says the same whoever it is'),
  enter: act('/portal/:name/enter', 'Signs in by a link, once'),
  choose: act('/portal/:name/choose', 'Chooses one of several records that one address belongs to'),
  leave: act('/portal/:name/out', 'Signs out here, or everywhere'),
  language: act('/portal/:name/language', 'English or Spanish from now on'),
  visits: page('/portal/:name/visits', 'Visits to come and past ones'),
  visit: endpoint({
    method: 'GET',
    path: '/portal/:name/visits/:id',
    access: 'public',
    params: WithId,
    query: Look,
    response: z.any(),
    summary: 'One visit with its photos and what can be done with it',
  }),
  skip: actOn('/portal/:name/visits/:id/skip', "Skips a visit by the business's rule, once"),
  unskip: actOn('/portal/:name/visits/:id/unskip', 'Takes the skip back'),
  bills: page('/portal/:name/bills', 'What is open, paid and credited; the card; quotes'),
  statement: act('/portal/:name/bills/statement', 'Leads to the statement page, where everything is paid at once'),
  card: act('/portal/:name/bills/card', 'Leads to the page where a card is left'),
  removeCard: act('/portal/:name/bills/card/remove', 'Forgets the card'),
  stopAutopay: act('/portal/:name/bills/autopay/off', 'The card stays and pays nothing by itself any more'),
  startAutopay: act(
    '/portal/:name/bills/autopay/on',
    'The card on file pays by itself again, with the words that were read',
  ),
  papers: page('/portal/:name/papers', 'Signed quotes, invoices, statements and lawn treatments'),
  treatments: page('/portal/:name/papers/treatments', 'Every record of lawn treatments as a PDF'),
  service: page('/portal/:name/service', 'Pause, and ask for more'),
  pause: actOn('/portal/:name/service/:id/pause', 'Pauses a job until a day'),
  resume: actOn('/portal/:name/service/:id/resume', 'Ends the pause'),
  request: actOn('/portal/:name/service/:id/ask', 'Asks for a service, once'),
  messages: page('/portal/:name/messages', 'What was written, and a form to write'),
  write: endpoint({
    method: 'POST',
    path: '/portal/:name/messages',
    access: 'public',
    form: true,
    formBytes: photosFormBytes,
    params: Name,
    body: z.object({
      text: z.string().max(20_000).optional(),
      once: z.string().max(60).optional(),
      photos: z.array(z.any() as z.ZodType<FormFile>).optional(),
      [formWasTooLarge]: z.string().max(1).optional(),
    }),
    response: z.any(),
    summary: 'Writes to the business, once, with a few photos if they like',
  }),
  account: page('/portal/:name/account', 'Own contact data'),
  saveAccount: act('/portal/:name/account', 'Changes own contact data'),
  moveHouse: act('/portal/:name/account/address', 'Asks for a change of a property, once'),
}

const rules = {
  enabled: z.boolean(),
  skipAllowed: z.boolean(),
  skipHours: z.number().int().min(0, 'From 0 hours.').max(336, 'At most two weeks: 336 hours.'),
  skipReason: z.string().trim().min(1, 'Choose a reason.').max(60),
  pauseAllowed: z.boolean(),
  pauseDays: z.number().int().min(7, 'At least a week: 7 days.').max(365, 'At most a year: 365 days.'),
  requestsAllowed: z.boolean(),
  serviceIds: z.array(z.uuid()).max(100, 'At most 100 services.'),
}

export const PortalSettings = z.object({
  ...rules,
  /** Where customers sign in. */
  url: z.string(),
  version: z.number().int(),
})
export type PortalSettings = z.output<typeof PortalSettings>

export const PortalRequest = z.object({
  can: z.record(z.enum(requestActions), z.boolean()),
  id: z.uuid(),
  kind: z.enum(requestKinds),
  status: z.enum(requestStates),
  title: z.string(),
  words: z.string(),
  customerId: z.uuid(),
  customerName: z.string(),
  /** Who asked, where it was not the customer themself. */
  byName: z.string().nullable(),
  propertyId: z.uuid().nullable(),
  street: z.string().nullable(),
  serviceId: z.uuid().nullable(),
  /** Null for people who do not see money. */
  priceCents: z.number().int().nullable(),
  answer: z.string(),
  answeredAt: z.string().nullable(),
  createdAt: z.string(),
})
export type PortalRequest = z.output<typeof PortalRequest>

const byId = z.object({ id: z.uuid() })
const change = { access: 'office', permission: 'customers', needsSubscription: true, idempotent: true } as const

export const portalApi = {
  settings: endpoint({
    method: 'GET',
    path: '/api/portal/settings',
    access: 'office',
    response: PortalSettings,
    summary: 'The rules of the customer portal',
  }),
  saveSettings: endpoint({
    method: 'PATCH',
    path: '/api/portal/settings',
    access: 'office',
    permission: 'settings',
    needsSubscription: true,
    idempotent: true,
    body: z.object(rules).partial().extend({ version: z.number().int() }),
    response: PortalSettings,
  }),
  sendLink: endpoint({
    method: 'POST',
    path: '/api/customers/:id/portal-link',
    ...change,
    params: byId,
    body: z.object({ by: z.enum(['email', 'sms']) }),
    response: z.object({ address: z.string() }),
    summary: 'Send a customer a link to sign in to their portal',
  }),
  requests: endpoint({
    method: 'GET',
    path: '/api/customers/:id/portal-requests',
    access: 'office',
    permission: 'customers',
    params: byId,
    response: z.object({
      items: z.array(PortalRequest),
      /** When somebody of theirs was in the portal last. */
      lastSeenAt: z.string().nullable(),
    }),
    summary: 'What a customer asked for in the portal, open ones first; at most 30',
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/portal-requests/:id/:action',
    ...change,
    params: byId.extend({ action: z.enum(requestActions) }),
    body: z.object({ words: z.string().trim().max(1000).default('') }),
    response: PortalRequest,
    summary: 'Accept a request (an address is changed by that) or decline it; the customer hears of it',
  }),
}
