import { expect } from 'vitest'
import { billingPlansApi } from '../features/billingplans/contract.ts'
import { calendarEventsApi } from '../features/calendar/events/contract.ts'
import { calendarFeedsApi } from '../features/calendar/feeds/contract.ts'
import { campaignsApi } from '../features/campaigns/contract.ts'
import { starters } from '../features/campaigns/starters/rules.ts'
import { chatApi } from '../features/chat/contract.ts'
import { crewappApi } from '../features/crewapp/contract.ts'
import { checksApi } from '../features/equipment/checks/contract.ts'
import { usualItems } from '../features/equipment/checks/rules.ts'
import { equipmentApi } from '../features/equipment/contract.ts'
import { categoriesApi } from '../features/expenses/categories/contract.ts'
import { expensesApi } from '../features/expenses/contract.ts'
import { recurringApi } from '../features/expenses/recurring/contract.ts'
import { extrasApi } from '../features/extras/contract.ts'
import { usualOvergrown } from '../features/extras/rules.ts'
import { importsApi } from '../features/imports/contract.ts'
import { invoicesApi } from '../features/invoices/contract.ts'
import { jobEditsApi } from '../features/jobs/bulk/contract.ts'
import { jobsApi } from '../features/jobs/contract.ts'
import { pricesApi } from '../features/jobs/prices/contract.ts'
import { programsApi } from '../features/jobs/programs/contract.ts'
import { sixRounds } from '../features/jobs/programs/rules.ts'
import { businessLeadsApi } from '../features/leads/contract.ts'
import { materialsApi } from '../features/materials/contract.ts'
import { routesApi } from '../features/routes/contract.ts'
import { seasonApi } from '../features/season/contract.ts'
import { servicesApi } from '../features/services/contract.ts'
import { defaultServices } from '../features/services/defaults/rules.ts'
import { clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import { addDays } from '../shared/dates.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import { type Api, runTasks } from './api.ts'
import { aBusiness, type Person, type TestBusiness } from './factories.ts'
import { aCrew, aVisit, publishDay, today } from './field.ts'
import { aWorkday, optimized, placeNear, runOver } from './planning.ts'

/** Keys of prices, wages, costs and gate codes. The mark of a gate code says only whether it is another one. */
export const hiddenKey =
  /Cents$|CentsPer|Cents[A-Z]|^prices?$|^price[A-Z]|Price|[wW]age(?!nt)|[cC]osts?|[bB]urden|^gateCode(?!Mark)/

/** Paths of hidden keys that carry a value. */
export const carried = (value: unknown, path = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => carried(one, `${path}[]`))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(hiddenKey.test(key) && inner !== null && inner !== '' ? [`${path}.${key}`] : []),
    ...carried(inner, `${path}.${key}`),
  ])
}

/** A business with a record of every kind, and every id that a path may take. */
export const aFullBusiness = async (): Promise<{ business: TestBusiness; employee: Person; ids: string[] }> => {
  const business = await aBusiness()
  const employee = await business.employee({ permissions: ['crewLead'], wageCents: 2300 })
  const crewId = await aCrew(business, { members: [employee, business.owner] })
  await business.db((db) =>
    db.updateTable('businesses').set({ doorPayments: true }).where('businessId', '=', business.id).execute(),
  )
  const workday = aWorkday()
  const done = await aVisit(business, { crewId, status: 'completed', position: 0, gateCode: '4711#' })
  await aVisit(business, { crewId, position: 1, gateCode: '4712#', startMinute: 540 })
  await publishDay(business, crewId)
  await business.api.ok(extrasApi.saveSettings, {
    body: { version: 0, overgrown: { ...usualOvergrown, on: true, asks: true } },
  })
  const overgrown = { stepId: 'tall', note: '', photoIds: [newId()] }
  const extraId = newId()
  await employee.api.ok(crewappApi.commands, {
    body: {
      commands: [{ id: extraId, type: 'overgrown', visitId: done.visitId, at: clock.iso(), payload: { overgrown } }],
    },
  })
  for (let n = 0; n < 3; n++) await aVisit(business, { day: workday, ...placeNear(n), priceCents: 6100 })
  await aVisit(business, { day: null, priceCents: 6100 })
  await business.db((db) =>
    db
      .updateTable('customers')
      .set({ email: 'rebecca@test.swath.test' })
      .where('businessId', '=', business.id)
      .where('id', '=', done.customerId)
      .execute(),
  )
  await business.db((db) =>
    db
      .insertInto('portalRequests')
      .values({
        businessId: business.id,
        id: newId(),
        customerId: done.customerId,
        propertyId: done.propertyId,
        kind: 'service',
        title: 'Core aeration',
        priceCents: 12_100,
        onceKey: 'full',
      })
      .execute(),
  )
  const usual = defaultServices[0]
  await business.db((db) =>
    db
      .updateTable('services')
      .set({ priceRule: JSON.stringify(usual?.priceRule), timeRule: JSON.stringify(usual?.timeRule) })
      .where('businessId', '=', business.id)
      .execute(),
  )
  const { items: services } = await business.api.ok(servicesApi.addDefaults, {})
  const program = await business.api.ok(programsApi.create, {
    body: {
      name: 'Two rounds',
      steps: sixRounds.slice(0, 2).map((step) => ({ ...step, serviceId: services[0]?.id ?? '', priceCents: 6100 })),
    },
  })
  const treated = await business.api.ok(programsApi.putOn, {
    params: { id: program.id },
    body: { propertyId: done.propertyId, year: Number(workday.slice(0, 4)) + 1 },
  })
  await business.api.ok(pricesApi.apply, {
    body: {
      fromOn: workday,
      scope: 'new',
      raise: { serviceIds: services.slice(0, 1).map(({ id }) => id), by: { percent: 4 } },
    },
  })
  const season = Number(workday.slice(0, 4)) + 1
  const wish = {
    customerId: treated.customerId,
    kind: 'budget' as const,
    startsOn: `${season}-01-01`,
    endsOn: `${season}-12-31`,
    months: [`${season}-03`, `${season}-04`],
  }
  const seen = await business.api.ok(billingPlansApi.preview, { body: wish })
  const plan = await business.api.ok(billingPlansApi.create, {
    body: {
      ...wish,
      name: 'Season',
      lineIds: seen.lines.filter(({ covered }) => covered).map(({ lineId }) => lineId),
      seasonCents: seen.listCents,
      expectedListCents: seen.listCents,
    },
  })
  const { run } = await optimized(business.api, { day: workday })
  const rain = await business.api.ok(routesApi.rain, { body: { day: workday, strategy: 'push' } })
  expect((await runOver(business.api, rain.run.id)).status).toBe('proposed')
  await business.api.ok(jobsApi.create, {
    body: {
      propertyId: done.propertyId,
      crewId,
      startOn: workday,
      lines: [
        {
          serviceId: services[0]?.id ?? '',
          unitPriceCents: 6100,
          recurrence: { freq: 'week', interval: 1, weekdays: [2], phaseOn: workday, holiday: 'skip', exceptions: [] },
        },
      ],
    },
  })
  const planning = await business.api.ok(seasonApi.start, { body: { whatIf: null } })
  while ((await business.api.ok(seasonApi.run, { params: { id: planning.run.id } })).status === 'running')
    await new Promise((next) => setTimeout(next, 25))
  const made = await business.api.ok(invoicesApi.createBatch, { body: { send: true } })
  const { items } = await business.api.ok(invoicesApi.list, { query: { batchId: made.batchId } })
  await runTasks()
  const imported = await business.api.raw({ method: 'GET', url: importsApi.list.path })
  expect([made.invoiceCount, imported.status]).toEqual([1, 200])
  await business.api.ok(calendarEventsApi.create, {
    // all day, when the crews are at the shop and nothing else is read
    body: { kind: 'shop', title: 'Sharpen blades', firstDay: addDays(workday, 1), lastDay: addDays(workday, 1) },
  })
  await business.api.ok(calendarFeedsApi.create, { body: { crewId } })
  const higher = { choice: { filter: {} }, change: { kind: 'price', mode: 'percent', percent: 5 } }
  const { fingerprint } = await business.api.ok(jobEditsApi.preview, { body: higher as never })
  await business.api.ok(jobEditsApi.create, { body: { ...higher, fingerprint } as never })
  const { items: categories } = await business.api.ok(categoriesApi.list, {})
  const categoryId = categories[0]?.id ?? ''
  const expense = await business.api.ok(expensesApi.create, {
    body: { day: today(), categoryId, totalCents: 6100, method: 'card' },
  })
  await employee.api.ok(expensesApi.handIn, { body: { kind: 'fuel', totalCents: 4100 } })
  const recurring = await business.api.ok(recurringApi.create, {
    body: { every: 'month', firstOn: today(), categoryId, totalCents: 41_000, method: 'bank' },
  })
  const said = await business.api.ok(chatApi.send, {
    params: { threadId: employee.userId },
    body: { text: 'Mind the gate', visitId: done.visitId },
  })
  await business.api.ok(chatApi.send, { params: { threadId: crewId }, body: { text: 'Shop at 7' } })
  const mower = await business.api.ok(equipmentApi.create, {
    body: { kind: 'mower', name: 'Mower 3', meter: 'hours', crewId, tenths: 12_000 },
  })
  await business.api.ok(equipmentApi.addPlan, { params: { id: mower.id }, body: { what: 'Oil', everyTenths: 500 } })
  await business.api.ok(equipmentApi.service, {
    params: { id: mower.id },
    body: { what: 'Belt', doneOn: today(), expense: { totalCents: 6100, method: 'card' } },
  })
  const seed = await business.api.ok(materialsApi.create, {
    body: {
      kind: 'seed',
      name: 'Fescue',
      package: 'bag',
      packageSize: 50,
      unit: 'lb',
      costCents: 6100,
      onHand: 1,
      reorderAt: 2,
    },
  })
  await business.api.ok(materialsApi.want, { body: { materialId: seed.id, packages: 2 } })
  const planned = await aVisit(business, { day: workday, ...placeNear(4) })
  await business.api.ok(materialsApi.plan, {
    body: {
      materialId: seed.id,
      visitId: planned.visitId,
      choice: { kind: 'seed', squareFeet: 1000, grass: 'rye', seeding: 'overseed', ratePounds: 3, extraPercent: 0 },
    },
  })
  await business.api.ok(materialsApi.setLaw, { body: { state: 'MD', reason: 'Sod farm' } })
  await business.api.ok(materialsApi.saveSettings, { body: { payloadPounds: 2500, version: 0 } })
  const defectId = newId()
  const flat = { id: defectId, note: 'Flat', stops: false, photoIds: [] }
  await employee.api.ok(crewappApi.commands, {
    body: {
      commands: [
        {
          id: newId(),
          type: 'truck_check',
          at: clock.iso(),
          payload: {
            truckCheck: { readings: [], answers: [{ equipmentId: mower.id, item: 'Tires', ok: false, defect: flat }] },
          },
        },
      ],
    },
  })
  await business.api.ok(checksApi.saveSettings, { body: { asks: 'anytime', items: [...usualItems], version: 0 } })
  const lead = await business.api.ok(businessLeadsApi.create, {
    body: { name: 'Maya Brooks', source: 'profile', phone: '(912) 555-0171' },
  })
  const { id: importId } = await business.api.ok(importsApi.create, {
    body: { fileName: 'a.csv', text: 'name,street,city,open balance\nAnn,1 Oak St,Pooler,61.00\n' },
  })
  await business.api.ok(importsApi.check, { params: { id: importId } })
  await business.db(async (db) => {
    const priced = { priceLowCents: 4000, priceHighCents: 5200 }
    await db.updateTable('businessLeads').set(priced).where('businessId', '=', business.id).execute()
    const { id: crewOfDay } = await db
      .selectFrom('crews')
      .select('id')
      .where('businessId', '=', business.id)
      .limit(1)
      .executeTakeFirstOrThrow()
    const now = clock.iso()
    await db
      .insertInto('pageBookings')
      .values({
        businessId: business.id,
        id: newId(),
        status: 'asked',
        day: today(),
        crewId: crewOfDay,
        latitude: 32.06,
        longitude: -81.1,
        isExact: false,
        address: JSON.stringify({ street: '7 Bay St', city: 'Savannah', state: 'GA', zip: '31401' }),
        squareFeet: 8000,
        minutes: 40,
        priceCents: 5300,
        lines: JSON.stringify([]),
        heldUntil: now,
        leadId: lead.id,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await db.updateTable('imports').set({ balanceCents: 900 }).where('businessId', '=', business.id).execute()
  })
  const campaign = await business.api.ok(campaignsApi.create, {
    body: { name: 'Fall', channel: 'email', content: starters[0]!.content },
  })
  const ids = [
    done.propertyId,
    lead.id,
    importId,
    extraId,
    mower.id,
    seed.id,
    defectId,
    ...Object.values(done),
    program.id,
    treated.id,
    plan.id,
    crewId,
    run.id,
    planning.run.id,
    said.id,
    employee.userId,
    expense.id,
    recurring.id,
    ...items.map((one) => one.id),
    campaign.id,
    newId(),
  ]
  return { business, employee, ids }
}

/** Everything that a read answers to somebody: with every id it may take, and the days on which something is. */
export const answersTo = async (api: Api, endpoint: Endpoint, ids: readonly string[]) => {
  const values = endpoint.path.includes(':') ? ids : ['']
  const found: { status: number; body: unknown; text: string }[] = []
  for (const id of values) {
    for (const day of endpoint.query ? [today(), aWorkday()] : [today()]) {
      const query = new URLSearchParams({ day, month: day.slice(0, 7), from: addDays(day, -7), to: addDays(day, 7) })
      if (endpoint.path === '/api/search') query.set('q', 'Odom')
      if (endpoint.path === '/api/programs/:id/preview') query.set('propertyId', ids[0] ?? '')
      const url = `${endpoint.path.replace(/:[A-Za-z]+/g, id)}${endpoint.query ? `?${query}` : ''}`
      const { status, body, text } = await api.raw({ method: 'GET', url })
      found.push({ status, body, text })
    }
  }
  return found
}
