import { lawnsApi } from '../features/analytics/lawns/contract.ts'
import { jobsApi } from '../features/jobs/contract.ts'
import { servicesApi } from '../features/services/contract.ts'
import { visitsApi } from '../features/visits/contract.ts'
import { setClock } from '../platform/clock.ts'
import { ownerPool } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { addDays } from '../shared/dates.ts'
import { runTasks } from './api.ts'
import { aBusiness, type TestBusiness } from './factories.ts'
import { aLawn } from './field.ts'

/** Lawns that earn too little, and price letters about them. */

// A Monday in season.
export const today = '2026-06-08'
export const minute = 60_000
export let own: TestBusiness
export let mow = ''

export const at = (ms = 0) => setClock(() => new Date(Date.parse(`${today}T15:00:00Z`) + ms))
/** A business with a target for a labor hour, before each test. */
export const begin = async (): Promise<void> => {
  at()
  own = await aBusiness()
  const { items } = await own.api.ok(servicesApi.addDefaults, {})
  mow = items[0]?.id ?? ''
  await own.db((db) =>
    db.updateTable('businesses').set({ targetLaborHourCents: 6000 }).where('businessId', '=', own.id).execute(),
  )
}

const weekly = { freq: 'week', interval: 1, weekdays: [2], phaseOn: today, holiday: 'next', exceptions: [] }
type Customer = { name?: string; phone?: string | null; email?: string | null; language?: 'en' | 'es'; street?: string }

/** A weekly lawn with finished visits of an hour of labor each. */
export const aJob = async (
  unitPriceCents: number,
  customer: Customer = {},
  { visits = 3, quantity = 1, ...changes }: { visits?: number; quantity?: number; [key: string]: unknown } = {},
) => {
  const { customerId, propertyId } = await aLawn(own, {
    customer: customer.name ?? 'Ann Early',
    street: customer.street ?? '1 Oak St',
  })
  await own.db((db) =>
    db
      .updateTable('customers')
      .set({ phone: customer.phone ?? null, email: customer.email ?? null, language: customer.language ?? 'en' })
      .where('businessId', '=', own.id)
      .where('id', '=', customerId)
      .execute(),
  )
  const job = await own.api.ok(jobsApi.create, {
    body: {
      propertyId,
      startOn: today,
      lines: [{ serviceId: mow, recurrence: weekly, unitPriceCents, quantity }],
      ...changes,
    } as never,
  })
  for (let week = 1; week <= visits; week++) await work(job, customerId, propertyId, addDays(today, -7 * week))
  return { ...job, customerId, propertyId, lineId: job.lines[0]?.id ?? '' }
}
export type Job = Awaited<ReturnType<typeof aJob>>

type Work = { workedSeconds?: number; quantity?: number }
/** A finished visit of a lawn by two people. */
export const work = (
  job: { id: string; lines: { id: string }[] },
  customerId: string,
  propertyId: string,
  day: string,
  { workedSeconds = 1800, quantity = 1 }: Work = {},
) =>
  own.db(async (db) => {
    const visitId = newId()
    const price = { priceCents: 4000, budgetMinutes: 60 }
    await db
      .insertInto('visits')
      .values({
        ...{ businessId: own.id, id: visitId, jobId: job.id, customerId, propertyId, occurrenceOn: day, day, ...price },
        ...{ status: 'completed', people: 2, workedSeconds },
      })
      .execute()
    await db
      .insertInto('visitLines')
      .values({
        ...{ businessId: own.id, id: newId(), visitId, jobLineId: job.lines[0]?.id ?? '', serviceId: mow },
        ...{ quantity, unitPriceCents: 4000, budgetMinutes: 60 },
      })
      .execute()
  })

export const list = () => own.api.ok(lawnsApi.list, { query: {} })
export const fromOn = addDays(today, 30)
export const preview = (lines: { lineId: string; toCents: number }[], day = fromOn) =>
  own.api.call(lawnsApi.preview, { body: { fromOn: day, lines } })
export const send = async (lines: { lineId: string; toCents: number }[]) => {
  const { body } = await preview(lines)
  return own.api.call(lawnsApi.send, {
    body: { fromOn, lines, seal: body.seal },
  })
}
export const pricesOf = async (job: Job) => {
  const { items } = await own.api.ok(visitsApi.list, { query: { jobId: job.id, limit: '100' } })
  const open = items.filter((visit) => visit.status === 'scheduled')
  const of = (isNew: boolean) => [
    ...new Set(open.filter((visit) => (visit.day ?? '') >= fromOn === isNew).map((visit) => visit.priceCents)),
  ]
  return { before: of(false), after: of(true) }
}
export const messages = () =>
  own.db((db) =>
    db
      .selectFrom('messages')
      .select(['id', 'channel', 'status', 'customerId', 'bodyText', 'reason'])
      .where('businessId', '=', own.id)
      .where('entityType', '=', 'price_change')
      .orderBy('createdAt')
      .execute(),
  )

/** Lets five minutes go by, and the letters leave. */
export const leave = async () => {
  at(6 * minute)
  // The queue's clock is the database's.
  for (const { id } of await messages())
    await ownerPool().query('update graphile_worker._private_jobs set run_at = now() where key like $1', [`%${id}`])
  await runTasks()
}
export const print = async (id: string, query = '') => {
  const pdf = await own.api.raw({ method: 'GET', url: `/api/price-letters/${id}/letters.pdf${query}` })
  return [pdf.status, pdf.bytes.subarray(0, 5).toString()]
}
export const letterOf = async (id: string) => (await list()).letters.find((one) => one.id === id)
export const raised = ({ lineId }: Job, toCents = 6000) => ({ lineId, toCents })
export const setMessages = (changes: object) =>
  own.db((db) =>
    db
      .updateTable('messages')
      .set(changes)
      .where('businessId', '=', own.id)
      .where('entityType', '=', 'price_change')
      .execute(),
  )
