import { systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Day, isDay } from '../../../../shared/dates.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { dayIn } from '../../../invoices/words/rules.ts'
import { actOnJobTx } from '../../../jobs/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { addTaskTx } from '../../../tasks/server/commands.ts'
import { noteTx } from '../../../timeline/server/commands.ts'
import { mostOpenRequests, pauseSpan, type RequestKind } from '../../rules.ts'
import { type Door, type Language, type Person, todayAt } from '../../server/queries.ts'
import { serviceTexts } from '../rules.ts'
import { listJobs, listOffered } from './queries.ts'

type Asking = { person: Person; language: Language }

type NewRequest = {
  kind: RequestKind
  status?: 'open' | 'done'
  title: string
  words?: string
  propertyId?: string | null
  serviceId?: string | null
  jobId?: string | null
  until?: Day | null
  fields?: object
  priceCents?: number | null
  onceKey: string
}

/** One customer's requests are counted and written one after the other. */
const lockCustomer = (db: TenantDb, customerId: string) =>
  db
    .selectFrom('customers')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** @returns the id, or null when the same form was sent before */
export const addRequestTx = async (db: TenantDb, person: Person, request: NewRequest): Promise<string | null> => {
  const { fields, onceKey, ...rest } = request
  const made = await db
    .insertInto('portalRequests')
    .values({
      ...rest,
      title: request.title.slice(0, 200),
      businessId: db.businessId,
      id: newId(),
      customerId: person.customerId,
      contactId: person.contactId,
      fields: JSON.stringify(fields ?? {}),
      onceKey: `${person.customerId}:${onceKey}`,
      createdAt: clock.iso(),
    })
    .onConflict((c) => c.columns(['businessId', 'onceKey']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) await publishChange(db, 'customers', [person.customerId])
  return made?.id ?? null
}

/** @throws AppError state_conflict where too many wait already */
export const refuseManyTx = async (db: TenantDb, person: Person, language: Language): Promise<void> => {
  await lockCustomer(db, person.customerId)
  const { count } = await db
    .selectFrom('portalRequests')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', person.customerId)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostOpenRequests) throw conflict(serviceTexts[language].many)
}

/** Tells the office what a customer asks for: a task for today, and the bell. */
export const askOfficeTx = async (
  db: TenantDb,
  door: Door,
  person: Person,
  asked: { id: string; title: string; note: string },
): Promise<void> => {
  await addTaskTx(db, systemActor(door.businessId), {
    title: `${person.customerName}: ${asked.title}`.slice(0, 200),
    note: asked.note.slice(0, 2000),
    dueOn: todayAt(door),
    ownerId: null,
    customerId: person.customerId,
  })
  await notifyOffice(db, {
    type: 'other',
    topic: 'replies',
    title: `${person.customerName} asks in the portal: ${asked.title}`.slice(0, 200),
    content: asked.note.slice(0, 300),
    customerId: person.customerId,
    path: linkTo.customer(person.customerId),
    dedupeKey: `portal-request:${asked.id}`,
  })
}

/** Pauses a job until a day by the rule of the business. Again is the same. @throws AppError not_found, state_conflict */
export const pauseByCustomer = (
  door: Door,
  { person, language, jobId, until, onceKey }: Asking & { jobId: string; until: string; onceKey: string },
): Promise<void> =>
  withTenant(door, async (db) => {
    const t = serviceTexts[language]
    await lockCustomer(db, person.customerId)
    const [job] = await listJobs(db, door, person.customerId, jobId)
    if (!job) throw notFound('service')
    if (job.ownPause) return
    if (job.pause === 'off') throw conflict(t.off)
    if (job.pause === 'not_running') throw conflict(t.notRunning)
    if (job.pause === 'near') throw conflict(t.near(dayIn(language, job.next?.day ?? '')))
    const span = pauseSpan(todayAt(door), door.rules.pauseDays)
    if (!isDay(until) || until < span.first || until > span.last)
      throw conflict(t.until(dayIn(language, span.first, { year: true }), dayIn(language, span.last, { year: true })))
    const words = `${job.title} at ${job.street} is paused until ${dayIn('en', until, { year: true })}`
    const id = await addRequestTx(db, person, {
      kind: 'pause',
      status: 'done',
      title: words,
      jobId,
      until,
      onceKey: `pause:${onceKey}`,
    })
    if (id === null) return
    await actOnJobTx(db, systemActor(door.businessId), jobId, 'pause', { until })
    await noteTx(db, person.customerId, `${words}: ${person.name}, in the customer portal.`)
    await notifyOffice(db, {
      type: 'job',
      topic: 'replies',
      title: `${person.customerName} paused ${job.title}`,
      content: `${job.street} · until ${dayIn('en', until, { year: true })}`,
      customerId: person.customerId,
      path: linkTo.job(jobId),
      dedupeKey: `portal-pause:${id}`,
    })
  })

/** Ends the pause that the customer began here. Again is the same. @throws AppError not_found, state_conflict */
export const resumeByCustomer = (door: Door, { person, language, jobId }: Asking & { jobId: string }): Promise<void> =>
  withTenant(door, async (db) => {
    await lockCustomer(db, person.customerId)
    const [job] = await listJobs(db, door, person.customerId, jobId)
    if (!job) throw notFound('service')
    if (job.status === 'active') return
    if (!job.ownPause) throw conflict(serviceTexts[language].notYours)
    const ended = await db
      .updateTable('portalRequests')
      .set({ status: 'withdrawn', answeredAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('jobId', '=', jobId)
      .where('kind', '=', 'pause')
      .where('status', '=', 'done')
      .returning('id')
      .execute()
    await actOnJobTx(db, systemActor(door.businessId), jobId, 'resume')
    const words = `${job.title} at ${job.street} goes on`
    await noteTx(db, person.customerId, `${words}: ${person.name}, in the customer portal.`)
    await notifyOffice(db, {
      type: 'job',
      topic: 'replies',
      title: `${person.customerName} ended the pause of ${job.title}`,
      content: job.street,
      customerId: person.customerId,
      path: linkTo.job(jobId),
      dedupeKey: `portal-resume:${ended[0]?.id ?? jobId}`,
    })
  })

/** Asks for a service at a property; nothing is booked by that. Of a form that is sent twice once. @throws AppError not_found, state_conflict */
export const askForService = (
  door: Door,
  {
    person,
    language,
    serviceId,
    propertyId,
    words,
    onceKey,
  }: Asking & { serviceId: string; propertyId: string; words: string; onceKey: string },
): Promise<void> =>
  withTenant(door, async (db) => {
    const t = serviceTexts[language]
    if (!door.rules.requestsAllowed) throw conflict(t.requestsOff)
    const service = (await listOffered(db, door, person.customerId)).find(({ id }) => id === serviceId)
    if (!service) throw conflict(t.gone)
    const place = service.prices.find((one) => one.propertyId === propertyId)
    if (!place) throw notFound('property')
    await refuseManyTx(db, person, language)
    const id = await addRequestTx(db, person, {
      kind: 'service',
      title: service.name,
      words,
      propertyId,
      serviceId,
      priceCents: place.cents,
      onceKey: `service:${onceKey}`,
    })
    if (id === null) return
    const price = place.cents === null ? '' : ` They were shown ${formatCents(place.cents)}.`
    await noteTx(
      db,
      person.customerId,
      `${person.name} asked for ${service.name} at ${place.street} in the customer portal.`,
    )
    await askOfficeTx(db, door, person, {
      id,
      title: `${service.name} at ${place.street}`,
      note: `${words}${words ? '\n' : ''}Asked by ${person.name} in the customer portal.${price}`,
    })
  })
