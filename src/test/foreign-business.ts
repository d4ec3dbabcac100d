import { sql } from 'kysely'
import sharp from 'sharp'
import { automationsApi } from '../features/automations/contract.ts'
import { businessesApi } from '../features/businesses/contract.ts'
import { campaignsApi } from '../features/campaigns/contract.ts'
import { segmentsApi } from '../features/campaigns/segments/contract.ts'
import { starters } from '../features/campaigns/starters/rules.ts'
import { neighborsApi } from '../features/chemicals/neighbors/contract.ts'
import { recordsApi } from '../features/chemicals/records/contract.ts'
import { crewappApi } from '../features/crewapp/contract.ts'
import { areasApi } from '../features/customers/areas/contract.ts'
import { contactsApi } from '../features/customers/contacts/contract.ts'
import { customersApi } from '../features/customers/contract.ts'
import { customFieldsApi } from '../features/customers/custom/contract.ts'
import { doorcardsApi } from '../features/doorcards/contract.ts'
import { documentsApi } from '../features/employees/documents/contract.ts'
import { licensesApi } from '../features/employees/licenses/contract.ts'
import { importsApi } from '../features/imports/contract.ts'
import { invoicesApi } from '../features/invoices/contract.ts'
import { exemptionsApi } from '../features/invoices/exemptions/contract.ts'
import { jobsApi } from '../features/jobs/contract.ts'
import { programsApi } from '../features/jobs/programs/contract.ts'
import { sixRounds } from '../features/jobs/programs/rules.ts'
import { mailingsApi } from '../features/mailings/contract.ts'
import { mergesApi } from '../features/merges/contract.ts'
import { placeMergesApi } from '../features/merges/places/contract.ts'
import { conversationsApi } from '../features/messages/conversations/contract.ts'
import { paymentsApi } from '../features/payments/contract.ts'
import { correctionsApi } from '../features/payments/corrections/contract.ts'
import { doorApi } from '../features/payments/door/contract.ts'
import { markTx } from '../features/quickbooks/queue/server/rows.ts'
import { quotesApi } from '../features/quotes/contract.ts'
import { renewalsApi } from '../features/quotes/renewals/contract.ts'
import { quoteTemplatesApi } from '../features/quotes/templates/contract.ts'
import { reportsApi } from '../features/reports/contract.ts'
import { askTx } from '../features/reviews/asking/server/commands.ts'
import { answerReview } from '../features/reviews/server/commands.ts'
import { routesApi } from '../features/routes/contract.ts'
import { savedRoutesApi } from '../features/routes/saved/contract.ts'
import { servicesApi } from '../features/services/contract.ts'
import { supportApi } from '../features/support/contract.ts'
import { tasksApi } from '../features/tasks/contract.ts'
import { timelineApi } from '../features/timeline/contract.ts'
import { viewsApi } from '../features/views/contract.ts'
import { clock } from '../platform/clock.ts'
import { asBusinessId } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { addDays } from '../shared/dates.ts'
import { runTasks, stranger } from './api.ts'
import { withBooks } from './books.ts'
import { aMix, aProduct, aRecord } from './chemicals.ts'
import type { TestBusiness } from './factories.ts'
import { aLawn, today } from './field.ts'
import { aFullBusiness } from './full-business.ts'
import { anOwner } from './prospects.ts'

/** Tables of a business whose rows have an id, and those ids. */
export const idsByTable = (business: TestBusiness): Promise<Map<string, string[]>> =>
  business.db(async (db) => {
    const { rows: tables } = await sql<{ name: string }>`
      select i.table_name as name from information_schema.columns i
      join information_schema.columns b on b.table_schema = i.table_schema and b.table_name = i.table_name and b.column_name = 'business_id'
      where i.table_schema = 'public' and i.column_name = 'id' and i.data_type = 'uuid' order by 1`.execute(db)
    const found = new Map<string, string[]>()
    for (const { name } of tables) {
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(name)} where business_id = ${business.id} order by id desc limit 3`.execute(db)
      found.set(
        name,
        rows.map(({ id }) => id),
      )
    }
    return found
  })

let tenantTables: Promise<string[]> | undefined
const listTenantTables = (business: TestBusiness): Promise<string[]> =>
  business.db(async (db) => {
    const { rows } = await sql<{ name: string }>`
      select distinct table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'business_id' order by 1`.execute(db)
    return rows.map(({ name }) => name)
  })

/** One text that is another one as soon as a row of the business is. */
export const rowsOf = async (business: TestBusiness): Promise<Record<string, string>> => {
  tenantTables ??= listTenantTables(business)
  const sums = (await tenantTables).map(
    (name) => sql`
      select ${name}::text as name, concat(count(*), ' ', sum(hashtextextended(t::text, 0)::numeric)) as sum
      from ${sql.table(name)} t where t.business_id = ${business.id}`,
  )
  return business.db(async (db) => {
    const { rows } = await sql<{ name: string; sum: string }>`${sql.join(sums, sql` union all `)}`.execute(db)
    return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
  })
}

/** A call with its follow-up, a note, and a second record of the customer that was merged into the first. */
const talkWith = async (api: TestBusiness['api'], customerId: string): Promise<void> => {
  const params = { id: customerId }
  await api.ok(tasksApi.logCall, { params, body: { followUp: { title: 'Call back', dueOn: '2026-06-12' } } })
  await api.ok(timelineApi.addNote, { params, body: { text: 'Left a card' } })
  await api.ok(conversationsApi.addNote, { params, body: { text: 'Asks for mulch' } })
  await api.ok(customFieldsApi.create, { body: { record: 'customer', name: 'Pool', type: 'yesno' } })
  const { version: before } = await api.ok(customersApi.get, { params })
  await api.ok(customersApi.update, { params, body: { version: before, email: 'rebecca@foreign.test' } })
  await api.ok(mailingsApi.send, {
    body: { choice: { ids: [customerId] }, way: 'best', about: 'service', subject: 'Rain', en: 'We come on Friday.' },
  })
  await api.ok(segmentsApi.create, { body: { name: 'Regulars', conditions: [] } })
  const [starter] = starters
  if (starter)
    await api.ok(campaignsApi.create, { body: { name: starter.name, channel: 'email', content: starter.content } })
  const gone = await api.ok(customersApi.create, { body: { name: 'The same again', allowDuplicate: true } })
  const { version } = await api.ok(customersApi.get, { params })
  await api.ok(mergesApi.merge, { params, body: { goneId: gone.id, version, goneVersion: gone.version } })
  const twins = []
  for (const street of ['7 Twin Street', '7 Twin St'])
    twins.push(await api.ok(customersApi.addProperty, { params, body: { street, zip: '31401' } }))
  const [kept, other] = twins
  if (kept && other)
    await api.ok(placeMergesApi.merge, {
      params: { id: kept.id },
      body: { goneId: other.id, version: kept.version, goneVersion: other.version, measures: 'kept' },
    })
}

/** A quote that was sent, and the template that came of it. */
const quoteTo = async (api: TestBusiness['api'], propertyId: string, serviceId: string): Promise<void> => {
  const content = { lines: [{ id: 'mow', serviceId, name: 'Mowing', unitPriceCents: 5000 }] }
  const quote = await api.ok(quotesApi.create, { body: { propertyId, content } })
  await api.ok(quoteTemplatesApi.create, { body: { name: 'Usual', fromQuoteId: quote.id } })
  await api.ok(quotesApi.send, {
    params: { id: quote.id },
    body: { mail: true, text: false, version: quote.version },
  })
}

/** A renewal that was put together, with what it found. */
const renewalOf = async (api: TestBusiness['api']): Promise<void> => {
  const startsOn = addDays(today(), 200)
  const body = { startsOn, endsOn: null, answerBy: addDays(today(), 100) }
  await api.ok(renewalsApi.create, { body })
  await runTasks()
}

/** An automation, and a message of it that waits for a yes. */
const automationOf = async (business: TestBusiness, customerId: string): Promise<void> => {
  const { id: automationId } = await business.api.ok(automationsApi.create, { body: { kind: 'visit_done' } })
  const now = clock.iso()
  await business.db((db) =>
    db
      .insertInto('automationRuns')
      .values({
        businessId: business.id,
        id: newId(),
        automationId,
        customerId,
        subjectId: newId(),
        dueAt: now,
        status: 'waiting',
        createdAt: now,
        updatedAt: now,
      })
      .execute(),
  )
}

/** A customer was asked how a visit was, and answered. */
const reviewOf = async (business: TestBusiness, { customerId }: { customerId: string }): Promise<void> => {
  const askId = await business.db(async (db) => {
    const visit = await db
      .selectFrom('visits')
      .select('id')
      .where('businessId', '=', business.id)
      .limit(1)
      .executeTakeFirstOrThrow()
    await askTx(db, { visitId: visit.id, customerId, day: today() })
    const ask = await db
      .selectFrom('reviewAsks')
      .select('id')
      .where('businessId', '=', business.id)
      .executeTakeFirstOrThrow()
    return ask.id
  })
  await answerReview(asBusinessId(business.id), askId, { stars: 2, words: 'Ruts', published: true, language: 'en' })
}

/** A business that has at least one record of every kind that a path can name. */
export const aForeignBusiness = async (): Promise<TestBusiness> => {
  const { business, employee } = await aFullBusiness()
  const { api } = business
  const { id: importId } = await api.ok(importsApi.create, {
    body: { fileName: 'list.csv', text: 'name,street,city,latitude,longitude\nAnn,1 Oak St,Pooler,32.11,-81.25\n' },
  })
  await api.ok(importsApi.check, { params: { id: importId } })
  await api.ok(importsApi.confirm, { params: { id: importId }, body: { duplicates: 'skip' } })
  await runTasks()
  await api.ok(businessesApi.addTaxRate, {
    body: { name: 'Georgia', ratePercent: 7, taxCategory: 'lawn', state: 'GA' },
  })
  const { customerId, propertyId: stopId } = await aLawn(business)
  await talkWith(api, customerId)
  await reviewOf(business, { customerId })
  await automationOf(business, customerId)
  const { doors } = await api.ok(doorcardsApi.near, { params: { id: stopId } })
  await api.ok(doorcardsApi.make, {
    params: { id: stopId },
    body: { keys: doors.slice(0, 2).map(({ key }) => key), language: 'en', offer: 'A card' },
  })
  await api.ok(contactsApi.add, {
    params: { id: customerId },
    body: { name: 'Beth Beside', role: 'billing', email: 'beth@beside.test', invoicesBy: 'email' },
  })
  await api.ok(exemptionsApi.add, {
    params: { id: customerId },
    body: { certificate: 'GA-1', state: 'GA', validFrom: '2026-01-01', validUntil: null },
  })
  await api.ok(
    documentsApi.add,
    {
      params: { id: employee.userId },
      query: { documentId: newId(), kind: 'i9' },
      body: Buffer.from('%PDF-1.7'),
    },
    { 'content-type': 'application/octet-stream' },
  )
  await api.ok(licensesApi.create, {
    params: { id: employee.userId },
    body: { skill: 'applicator', state: 'GA', expiresOn: today() },
  })
  const { items } = await api.ok(invoicesApi.list, { query: {} })
  const recorded = await api.ok(paymentsApi.recordPayment, {
    params: { id: items[0]?.id ?? '' },
    body: { method: 'check', amountCents: 500, receivedOn: today() },
  })
  await api.ok(correctionsApi.refundPayment, {
    params: { id: recorded.id },
    body: { amountCents: 100, method: 'check', onDay: today(), reason: 'Not mowed' },
  })
  await business.db(async (db) => {
    const { id } = await db
      .selectFrom('payments')
      .select('id')
      .where('businessId', '=', business.id)
      .limit(1)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('disputes')
      .values({
        businessId: business.id,
        id: newId(),
        paymentId: id,
        provider: 'local',
        livemode: false,
        accountId: 'acct_foreign',
        providerDisputeId: `dp_${newId()}`,
        kind: 'dispute',
        status: 'needs_response',
        reason: 'general',
        amountCents: 500,
        openedOn: today(),
      })
      .execute()
  })
  await business.db((db) =>
    db
      .insertInto('payouts')
      .values({
        businessId: business.id,
        id: newId(),
        provider: 'local',
        livemode: false,
        accountId: 'acct_foreign',
        providerPayoutId: `po_${newId()}`,
        status: 'on_its_way',
        amountCents: 500,
        madeOn: today(),
        arrivesOn: today(),
      })
      .execute(),
  )
  const [visit] = (await employee.api.ok(crewappApi.todayJobs, {})).jobs
  const { id: productId } = await aProduct(api)
  await aMix(api, productId)
  const { propertyId } = await api.ok(neighborsApi.ofVisit, { params: { visitId: visit?.id ?? '' } })
  await api.ok(neighborsApi.add, {
    params: { id: propertyId },
    body: { name: 'Ann Beside', contact: '912 555 0147', askedOn: today() },
  })
  const { version } = await api.ok(areasApi.list, { params: { id: propertyId } })
  await api.ok(areasApi.save, {
    params: { id: propertyId },
    body: { version, areas: [{ kind: 'turf', squareFeet: 4000 }] },
  })
  await api.ok(recordsApi.add, { params: { visitId: visit?.id ?? '' }, body: aRecord(productId, employee.userId) })
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#3c8f4f' } })
    .jpeg()
    .toBuffer()
  await employee.api.ok(
    crewappApi.addPhoto,
    { params: { visitId: visit?.id ?? '' }, query: { id: newId(), kind: 'before' }, body: picture },
    { 'content-type': 'image/jpeg' },
  )
  await business.db((db) =>
    db.updateTable('properties').set({ lawnSquareFeet: 8000 }).where('businessId', '=', business.id).execute(),
  )
  const taken = [newId(), newId()].map((id) => ({
    id,
    type: 'collect' as const,
    visitId: visit?.id,
    at: clock.iso(),
    payload: { amountCents: 100, method: 'cash' as const },
  }))
  await api.ok(crewappApi.commands, { body: { commands: taken } })
  const lost = { id: newId(), type: 'treat' as const, visitId: visit?.id, at: clock.iso(), payload: { record: {} } }
  await employee.api.ok(crewappApi.commands, { body: { commands: [lost] } })
  await api.ok(doorApi.handIn, {
    body: { userId: business.owner.userId, receiptIds: taken.slice(0, 1).map(({ id }) => id), countedCents: 100 },
  })
  const { items: services } = await api.ok(servicesApi.catalog, {})
  await api.ok(jobsApi.batch, {
    body: {
      serviceIds: [services[0]?.id ?? ''],
      recurrence: { freq: 'week', interval: 1, phaseOn: today(), holiday: 'skip' },
      startOn: today(),
      customerFilter: {},
    } as never,
  })
  await api.ok(programsApi.create, {
    body: {
      name: 'Two rounds',
      steps: sixRounds.slice(0, 2).map((step) => ({ ...step, serviceId: services[0]?.id ?? '' })),
    },
  })
  await quoteTo(api, propertyId, services[0]?.id ?? '')
  await renewalOf(api)
  await api.ok(viewsApi.create, { body: { hub: 'jobs', name: 'Late', query: { view: 'late' }, isDefault: true } })
  const { crews } = await api.ok(routesApi.day, { query: { day: today() } })
  const crewId = crews.find((crew) => crew.stops.length > 0)?.crewId ?? ''
  await api.ok(savedRoutesApi.create, { body: { name: 'Usual', day: today(), crewId } })
  const runId = newId()
  await business.db((db) =>
    db
      .insertInto('seasonRuns')
      .values({
        businessId: business.id,
        id: runId,
        kind: 'plan',
        label: 'Season plan',
        request: 'null',
        status: 'failed',
        error: 'Cut off',
        heartbeatAt: clock.iso(),
        state: JSON.stringify({ jobs: [], crews: [], left: [], weeks: 39 }),
      })
      .execute(),
  )
  await business.db((db) =>
    db
      .insertInto('seasonAcceptances')
      .values({
        ...{ businessId: business.id, id: newId(), runId, editId: newId(), fromOn: today() },
        moves: '[]',
        summary: JSON.stringify({ visits: { moved: 0, kept: 0 } }),
      })
      .execute(),
  )
  await employee.api.ok(crewappApi.commands, {
    body: { sentAt: clock.iso(), commands: [{ id: newId(), type: 'clock_in', at: clock.iso() }] } as never,
  })
  await business.db((db) =>
    db
      .insertInto('subscriptionInvoices')
      .values({
        businessId: business.id,
        id: newId(),
        provider: 'local',
        livemode: false,
        providerInvoiceId: `in_${newId()}`,
        status: 'paid',
        subtotalCents: 7999,
        totalCents: 7999,
        issuedAt: clock.iso(),
      })
      .execute(),
  )
  await business.db((db) =>
    db
      .insertInto('payrollFiles')
      .values({
        businessId: business.id,
        id: newId(),
        fromDay: '2026-06-08',
        toDay: '2026-06-14',
        preset: 'plain',
        name: 'payroll.csv',
        content: 'Name',
        people: 1,
        grossCents: 100,
        mileageCents: 0,
        madeAt: clock.iso(),
      })
      .execute(),
  )
  await api.ok(reportsApi.save, { body: { name: 'Sales', kind: 'sales', settings: {} } })
  await withBooks(business)
  await runTasks()
  await business.db((db) => markTx(db, { kind: 'customer', id: customerId }))
  const { grant } = await api.ok(supportApi.grant, { body: { hours: 4, note: '' } })
  const { code } = await (await anOwner()).ok(supportApi.makeCode, { params: { id: grant?.id ?? '' } })
  await stranger.ok(supportApi.open, { body: { code } })
  await runTasks()
  return business
}
