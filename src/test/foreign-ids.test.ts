import { beforeAll, describe, expect, it } from 'vitest'
import { endpointPlugins } from '../app-endpoints.ts'
import { defaultServices } from '../features/services/defaults/rules.ts'
import { localEndpointPlugins } from '../local/endpoints.ts'
import { database } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { type Endpoint, takesAny } from '../shared/endpoint.ts'
import { aBusiness, type TestBusiness } from './factories.ts'
import { aForeignBusiness, idsByTable, rowsOf } from './foreign-business.ts'
import { smallestOf } from './smallest.ts'

/** Every endpoint that takes an id, asked for the records of another business, with a body that its contract accepts. */

/** Whose ids a path takes, by the path up to the id. An endpoint that is not in it fails here: say what its id is. */
const tableOf: Record<string, string> = {
  '/api/calendar/events/:id': 'calendar_events',
  '/api/calendar/feeds/:id': 'calendar_feeds',
  '/api/automations/:id': 'automations',
  '/api/automation-runs/:id': 'automation_runs',
  '/api/business/support-access/:id': 'support_grants',
  '/api/business/tax-rates/:id': 'tax_rates',
  '/api/business-leads/:id': 'business_leads',
  '/api/chemicals/mixes/:id': 'chemical_mixes',
  '/api/chemicals/products/:id': 'chemical_products',
  '/api/chemicals/records/:id': 'application_records',
  '/api/chemicals/unrecorded/:id': 'unrecorded_applications',
  '/api/chat/messages/:messageId': 'chat_messages',
  '/api/chat/threads/:threadId': 'chat_threads',
  '/api/crew-conflicts/:id': 'crew_commands',
  '/api/crew/visits/:visitId': 'visits',
  '/api/crews/:id': 'crews',
  '/api/custom-fields/:id': 'custom_fields',
  '/api/customers/:id': 'customers',
  '/api/crew/door-receipts/:receiptId': 'door_receipts',
  '/api/employees/:id': 'users',
  '/api/equipment/:id': 'equipment',
  '/api/truck-defects/:defectId': 'truck_defects',
  '/api/crew/truck-defects/:defectId': 'truck_defects',
  '/api/crew/receipts/:id': 'expenses',
  '/api/crew-quotes/:id': 'quotes',
  '/api/extras/:id': 'visit_extras',
  '/api/expense-categories/:id': 'expense_categories',
  '/api/expenses/:id': 'expenses',
  '/api/field-cash/hand-ins/:id': 'cash_hand_ins',
  '/api/field-cash/receipts/:receiptId': 'door_receipts',
  '/api/customer-contacts/:id': 'customer_contacts',
  '/api/customer-merges/:id': 'customer_merges',
  '/api/property-merges/:id': 'property_merges',
  '/api/mailings/:id': 'mailings',
  // a number is no id: numbers.test.ts asks for those that another business texts with
  '/api/messages/numbers/:address': 'messages',
  '/api/campaigns/:id': 'campaigns',
  '/api/segments/:id': 'segments',
  '/api/materials/:id': 'materials',
  '/api/materials/loads/:id': 'material_plans',
  '/api/materials/purchases/:id': 'material_wants',
  '/api/door-cards/:id': 'door_cards',
  '/api/calls/:id': 'customer_calls',
  '/api/notes/:id': 'customer_notes',
  '/api/tasks/:id': 'office_tasks',
  '/api/imports/:id': 'imports',
  '/api/billing-plans/:id': 'billing_plans',
  '/api/invoices/:id': 'invoices',
  '/api/invoices/batch/visits/:visitId': 'visits',
  '/api/invoices/batches/:id': 'invoice_batches',
  '/api/job-edits/:id': 'job_edits',
  '/api/jobs/:id': 'jobs',
  '/api/jobs/batches/:id': 'job_batches',
  '/api/licenses/:id': 'licenses',
  '/api/person-documents/:id': 'person_documents',
  '/api/neighbors/:id': 'chemical_neighbors',
  '/api/conversation-notes/:id': 'conversation_notes',
  '/api/message-templates/:id': 'message_templates',
  '/api/messages/:id': 'messages',
  '/api/disputes/:id': 'disputes',
  '/api/payments/:id': 'payments',
  '/api/payouts/:id': 'payouts',
  '/api/payroll/files/:id': 'payroll_files',
  '/api/payment/invoices/:id': 'subscription_invoices',
  '/api/portal-requests/:id': 'portal_requests',
  '/api/price-changes/:id': 'price_changes',
  '/api/price-letters/:id': 'price_changes',
  '/api/profile/devices/:id': 'sessions',
  '/api/programs/:id': 'programs',
  '/api/properties/:id': 'properties',
  '/api/quotes/:id': 'quotes',
  '/api/refunds/:id': 'refunds',
  '/api/renewal-runs/:id': 'renewal_runs',
  '/api/quote-templates/:id': 'quote_templates',
  '/api/quickbooks/queue/:id': 'books_queue',
  '/api/recurring-expenses/:id': 'recurring_expenses',
  '/api/reviews/:id': 'reviews',
  '/api/routes/runs/:id': 'route_runs',
  '/api/routes/templates/:id': 'saved_routes',
  '/api/reports/saved/:id': 'saved_reports',
  '/api/season/acceptances/:id': 'season_acceptances',
  '/api/season/runs/:id': 'season_runs',
  '/api/services/:id': 'services',
  '/api/tax-exemptions/:id': 'tax_exemptions',
  '/api/views/:id': 'saved_views',
  '/api/visits/:visitId': 'visits',
}

/** Fields of a body that hold the id of a record, by the record's table. Any other id of a body is a new one, made by the caller. */
const tableOfField: Record<string, string> = {
  applicatorId: 'users',
  automationId: 'automations',
  assigneeId: 'users',
  categoryId: 'expense_categories',
  crewId: 'crews',
  customerId: 'customers',
  customerIds: 'customers',
  fieldIds: 'custom_fields',
  goneId: 'customers',
  invoiceId: 'invoices',
  invoiceIds: 'invoices',
  jobId: 'jobs',
  jobIds: 'jobs',
  likeCrewId: 'crews',
  jobLineId: 'job_lines',
  lineIds: 'job_lines',
  materialId: 'materials',
  memberUserIds: 'users',
  ownerId: 'users',
  neighborId: 'chemical_neighbors',
  unrecordedId: 'unrecorded_applications',
  paidByUserId: 'users',
  productId: 'chemical_products',
  propertyId: 'properties',
  quoteId: 'quotes',
  propertyIds: 'properties',
  receiptIds: 'door_receipts',
  referredById: 'customers',
  serviceId: 'services',
  serviceIds: 'services',
  bookServiceIds: 'services',
  supervisorId: 'users',
  viewId: 'saved_views',
  seenOn: 'crews',
  toCrewId: 'crews',
  planId: 'equipment_plans',
  readingId: 'equipment_readings',
  workId: 'equipment_work',
  userId: 'users',
  visitId: 'visits',
  visitIds: 'visits',
}

const aRaise = { fromOn: '2200-01-01', scope: 'new', raise: { serviceIds: [newId()], by: { percent: 4 } } }
const aRenewal = { startsOn: '2027-03-01', endsOn: null, answerBy: '2027-02-01' }
const anEvent = { kind: 'shop', firstDay: '2026-06-12', lastDay: '2026-06-12' }

const aSeason = { startsOn: '2026-06-12', endsOn: '2026-10-12', months: ['2026-07'] }

const aMailing = {
  ...{ rhythm: 'weekly', weekday: 1, monthDay: 1, hour: 7 },
  ...{ formats: ['csv'], userIds: [newId()], emails: [] },
}

const anApplication = { startedAt: '2026-06-12T14:00:00Z', endedAt: '2026-06-12T14:20:00Z' }

const aSender = {
  ...{ legalName: '', entity: null, ein: '', street: '', city: '', state: null, zip: '' },
  ...{ website: '', email: '', phone: null },
}

const aSpread = { kind: 'fertilizer', squareFeet: 1000, targetPounds: 0.5, on: '2026-06-12' }

const aLicense = { skill: 'applicator', state: 'GA', expiresOn: '2026-06-12' }

/** What a contract asks for in code, so that the schema does not show it. */
const bodies: Record<string, object> = {
  'business-leads.create': { phone: '(912) 555-0143' },
  'business-leads.note': { words: 'Called' },
  'localMail.send': { from: 'somebody@test.swath.test', text: 'Hello' },
  'tasks.create': { dueOn: '2026-06-12' },
  'tasks.update': { dueOn: '2026-06-12' },
  'tasks.logCall': { followUp: null },
  'materials.plan': { choice: aSpread },
  'materials.quoteLine': { choice: aSpread },
  'materials.setLaw': { state: 'MD' },
  'neighbors.add': { askedOn: '2026-06-12' },
  'applications.add': anApplication,
  'applications.amend': anApplication,
  'billingplans.preview': aSeason,
  'billingplans.create': aSeason,
  'licenses.create': aLicense,
  'licenses.update': aLicense,
  'daysOff.move': { days: ['2026-06-12'] },
  'calendarEvents.create': anEvent,
  'calendarEvents.update': anEvent,
  'calendarFeeds.create': { crewId: newId() },
  'jobs.batch': { customerFilter: {} },
  'geocoding.find': { street: '1 Oak St' },
  'contacts.add': { phone: '(912) 555-0143' },
  'consents.record': { on: '2026-01-02' },
  'exemptions.add': { state: 'GA', validFrom: '2026-01-01', validUntil: null },
  'month-end.close': { month: '2026-05' },
  'month-end.reopen': { month: '2026-05' },
  'payfiles.make': { from: '2026-06-08', to: '2026-06-14' },
  'payments.refundPayment': { onDay: '2026-06-12' },
  'prices.apply': aRaise,
  'push.add': { address: { kind: 'ios', token: '0'.repeat(64) } },
  'push.remove': { hash: '0'.repeat(64) },
  'prices.preview': aRaise,
  'quickbooks.checkMonth': { month: '2026-05' },
  'quickbooks.repair': { month: '2026-05' },
  'quickbooks.resend': { month: '2026-05' },
  'quickbooks.setUp': { startOn: '2026-06-12' },
  'senderRegistration.save': { details: aSender },
  'timesheets.approve': { week: '2026-06-08', items: [{ userId: newId(), version: 0 }] },
  'timesheets.sendBack': { week: '2026-06-08' },
  'timesheets.reopen': { week: '2026-06-08' },
  'timesheets.answer': { week: '2026-06-08' },
  'timesheets.count': { week: '2026-06-08' },
  'timesheets.leaveOut': { week: '2026-06-08' },
  'timesheets.correct': { week: '2026-06-08' },
  'wages.set': { from: '2026-06-08' },
  'timesheets.lock': { week: '2026-06-08' },
  'timesheets.unlock': { week: '2026-06-08' },
  'reports.mail': { mailing: aMailing },
  'renewals.candidates': aRenewal,
  'renewals.create': aRenewal,
  'services.update': { priceRule: defaultServices[0]?.priceRule, timeRule: defaultServices[0]?.timeRule },
}

/** Verbs that a path takes beside its id. */
const words: Record<string, string> = { verb: 'pause', action: 'decline' }

/** Records that no path and no body can name: a business may have none of them here. */
const unnamed = [
  'account_links',
  'application_amendments',
  'automatic_invoice_runs',
  'billing_plan_changes',
  'billing_plan_deliveries',
  'business_exports',
  'campaign_events',
  'card_requests',
  'chat_photos',
  'checkout_sessions',
  'chemical_neighbor_notices',
  'consent_events',
  'credit_notes',
  'crew_changes',
  'crew_days_off',
  'crew_devices',
  'dispute_covers',
  'dispute_turns',
  'employee_invites',
  'expense_receipts',
  'gate_code_reveals',
  'held_photos',
  'held_times',
  'invoice_taxes',
  'late_fees',
  'lead_requests',
  'meal_premiums',
  'month_closings',
  'odometer_readings',
  'own_car_miles',
  'payment_methods',
  'payroll_file_weeks',
  'payroll_lines',
  'payroll_numbers',
  'payroll_weeks',
  'portal_links',
  'portal_sessions',
  'positions',
  'push_devices',
  'push_sends',
  'quote_deposits',
  'quote_signatures',
  'recovery_codes',
  'sender_domain_keys',
  'sender_domains',
  'sender_registrations',
  'statement_links',
  'statement_runs',
  'subscriptions',
  'timesheet_changes',
  'tip_moves',
  'truck_defect_photos',
  'weather_marks',
  'weather_places',
  'write_offs',
]

/** What takes any id: a photo of a stop that is gone waits for the office, so here the bytes are refused, which are no picture. */
const takenAnyway: Record<string, number> = { 'crewapp.addPhoto': 415 }

const all = [...endpointPlugins, ...localEndpointPlugins].flatMap((plugin) =>
  Object.entries(plugin.contract as Record<string, Endpoint>).map(([name, endpoint]) => ({
    name: `${plugin.feature}.${name}`,
    endpoint,
  })),
)
const ofBusiness = all.filter(({ endpoint }) => takesAny(endpoint, 'member', 'office', 'owner'))
const withIds = ofBusiness.filter(({ endpoint }) => endpoint.path.includes(':'))
const prefixOf = (path: string): string => /^.*?:[A-Za-z]+/.exec(path)?.[0] ?? ''

let business: TestBusiness
let other: TestBusiness
let foreign: Map<string, string[]>
/** The rows of the other business as they were seen last: nothing that is asked here changes them. */
let seen: Record<string, string>
const foreignId = (table: string): string => foreign.get(table)?.[0] ?? ''

beforeAll(async () => {
  business = await aBusiness()
  other = await aForeignBusiness()
  foreign = await idsByTable(other)
  seen = await rowsOf(other)
})

/** To read every table of a business takes longer than to ask an endpoint: it is done for so many together, which a failure names. */
const lookEvery = 24
let askedSince: string[] = []

const expectUnchanged = async (): Promise<void> => {
  const before = seen
  seen = await rowsOf(other)
  expect(seen, `changed by one of ${askedSince.join(', ')}`).toEqual(before)
  askedSince = []
}

const expectUnchangedBy = async (name: string): Promise<void> => {
  askedSince.push(name)
  if (askedSince.length >= lookEvery) await expectUnchanged()
}

const bodyOf = (name: string, endpoint: Endpoint): object | undefined => {
  if (!endpoint.body) return undefined
  const idFor = (field: string) => (tableOfField[field] ? foreignId(tableOfField[field]) : newId())
  return { ...(smallestOf(endpoint.body, idFor) as object), ...bodies[name] }
}

const ask = (name: string, endpoint: Endpoint, id: string) => {
  const path = endpoint.path.replace(/:([A-Za-z]+)/g, (_, param: string) => words[param] ?? id)
  const query = endpoint.query ? (smallestOf(endpoint.query) as Record<string, string>) : {}
  const search = new URLSearchParams(query)
  const isPicture = (endpoint.bodyLimitBytes ?? 0) > 0 && path.endsWith('/photos')
  return business.api.raw({
    method: endpoint.method,
    url: search.size ? `${path}?${search}` : path,
    ...(endpoint.method === 'GET' || endpoint.method === 'DELETE'
      ? {}
      : {
          payload: isPicture ? Buffer.from('a picture') : (bodyOf(name, endpoint) ?? {}),
          headers: { 'content-type': isPicture ? 'image/jpeg' : 'application/json', 'idempotency-key': newId() },
        }),
  })
}

/**
 * Which other kinds of records an endpoint is asked for. Endpoints times kinds grows with the square of the product: a run asks each endpoint
 * for every so-manieth kind, begun at another one each time, so that every kind is still tried at many; `test:long` asks for all.
 */
const kindsFor = (nth: number): [string, string[]][] => {
  const kinds = [...foreign].filter(([, ids]) => ids.length > 0)
  if (process.env.SWATH_TEST_LONG === '1') return kinds
  const step = Math.max(1, Math.floor(kinds.length / 16))
  return kinds.filter((_, index) => index % step === nth % step)
}

/** There are more kinds of records than somebody may write messages in a minute. */
const askUnhurried = async (...asked: Parameters<typeof ask>) => {
  const answer = await ask(...asked)
  if (answer.status !== 429) return answer
  await database().deleteFrom('rateLimits').execute()
  return ask(...asked)
}

describe('what is asked', () => {
  it.each(withIds)('$name: it is known whose id its path takes, and there is one', ({ endpoint }) => {
    const table = tableOf[prefixOf(endpoint.path)]
    expect(table, `whose id is ${prefixOf(endpoint.path)}? Say it in tableOf.`).toBeDefined()
    expect(foreign.get(table ?? ''), `the foreign business has no row in ${table}`).not.toEqual([])
    expect(foreign.has(table ?? '')).toBe(true)
  })

  it('nothing is listed that is gone, and a kind of record that is new is in the foreign business or known to be unnamed', () => {
    const prefixes = new Set(withIds.map(({ endpoint }) => prefixOf(endpoint.path)))
    expect(Object.keys(tableOf).filter((prefix) => !prefixes.has(prefix))).toEqual([])
    for (const table of Object.values(tableOfField)) expect(foreign.get(table)?.length, table).toBeGreaterThan(0)
    expect([...foreign].filter(([, ids]) => ids.length === 0).map(([table]) => table)).toEqual(unnamed)
  })

  it.each(ofBusiness.filter(({ endpoint }) => endpoint.body && !/photos$|logo$/.test(endpoint.path)))(
    '$name: its body is one that its contract accepts',
    ({ name, endpoint }) => {
      const judged = endpoint.body?.safeParse(bodyOf(name, endpoint))
      expect(judged?.error?.issues).toBeUndefined()
    },
  )
})

describe("with another business's id", () => {
  it.each(withIds)('$name finds nothing and changes nothing', async ({ name, endpoint }) => {
    const nothing = takenAnyway[name] ?? 404
    for (const id of foreign.get(tableOf[prefixOf(endpoint.path)] ?? '') ?? []) {
      const { status, text } = await ask(name, endpoint, id)
      expect(status, text.slice(0, 300)).toBe(nothing)
    }
    // an id of another kind is none either
    const kinds = kindsFor(withIds.findIndex((one) => one.name === name))
    const asker = async () => {
      for (let kind = kinds.pop(); kind; kind = kinds.pop()) {
        const [table, [id]] = kind
        if (!id) continue
        const { status, text } = await askUnhurried(name, endpoint, id)
        expect(status, `${table}: ${text.slice(0, 300)}`).toBe(nothing)
      }
    }
    await Promise.all([asker(), asker(), asker(), asker()])
    await expectUnchangedBy(name)
  })

  const named = ofBusiness.filter(
    ({ name, endpoint }) =>
      // `keyId` of a browser that subscribes is the name of a key of the server's, not a record
      name !== 'push.add' &&
      // what a phone holds may be unknown here: there is no answer to it, to nobody else's either
      name !== 'conflicts.answers' &&
      endpoint.body &&
      !endpoint.path.includes(':') &&
      /Ids?"/.test(JSON.stringify(smallestOf(endpoint.body))),
  )
  it.each(named)('$name in its body answers 4xx and changes nothing', async ({ name, endpoint }) => {
    const { status, text } = await ask(name, endpoint, newId())
    expect(status, text.slice(0, 300)).toBeGreaterThanOrEqual(400)
    expect(status, text.slice(0, 300)).toBeLessThan(500)
    await expectUnchangedBy(name)
  })

  it('nothing of the other business is different after all of them', expectUnchanged)
})
