import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, systemActor, type Who } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { refuse } from '../../../../shared/can.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { AppError, conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { stateCodeOf } from '../../../../shared/places.ts'
import { isSubscriptionActive } from '../../../../shared/subscription.ts'
import { createCustomerTx } from '../../../customers/server/commands.ts'
import type { LineDraft } from '../../../jobs/contract.ts'
import { inSeason, type Recurrence, type SeasonSpan } from '../../../jobs/rules.ts'
import { getCalendar } from '../../../jobs/schedule/server/queries.ts'
import { createJobTx } from '../../../jobs/server/commands.ts'
import { giveMessagesTx, queueMessage } from '../../../messages/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { sequenceBookedTx } from '../../../routes/openings/server/commands.ts'
import { getServices } from '../../../services/server/queries.ts'
import { isMachine, requestProblems } from '../../requests/rules.ts'
import { takeRequestTx } from '../../requests/server/commands.ts'
import { getKept } from '../../requests/server/queries.ts'
import { sourceLabel } from '../../rules.ts'
import { lockLead, setLead, stageTx, tellPast } from '../../server/rows.ts'
import type { LeadBooking, pageBookingApi } from '../contract.ts'
import { type BookedLine, bookingRefusals, everyLabel, holdMinutes, type Opening, partOfDay } from '../rules.ts'
import { findBookingOfLead, listPickable, type Told, tellBooking, type Wished } from './queries.ts'
import { askedWords, bookedWords, refusedWords, type Said } from './words.ts'

type Address = { street: string; city: string; state: string; zip: string }

/** Visitors of one business's page pick one after the other: the last place of a day is given once. */
const lockPicking = async (db: TenantDb): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${db.businessId}:page-booking`}, 0))`.execute(db)
}

const notBookable = () =>
  conflict('This cannot be booked here any more. Send a request instead: what you typed is still here.')

export const toldOf = ({ lines, totalCents }: Pick<Told, 'lines' | 'totalCents'>, asks: boolean) => ({
  items: lines.map(({ serviceId: id, name, frequency, priceCents: cents }) => ({ id, name, frequency, cents })),
  totalCents,
  asks,
})

/** The days for an address, and what it costs. @throws state_conflict where that cannot be booked on the page */
export const offerDays = (businessId: BusinessId, wished: Wished) =>
  withTenant({ businessId }, async (db) => {
    const told = await tellBooking(db, wished)
    if (!told) throw notBookable()
    const { bookAsks } = await getKept(db)
    return { ...toldOf(told, bookAsks), openings: await listPickable(db, { point: wished.point, ...told }) }
  })

const taken = (day: Day) =>
  conflict(`${formatDay(day)} was just taken by somebody else. Pick another day: what you typed is still here.`)

/** Keeps a place in a day for some minutes; who picks again moves theirs. @throws state_conflict when the day is full by now */
export const holdDay = (
  businessId: BusinessId,
  { key, day, address, isExact, ...wished }: Wished & { key: string; day: Day; address: Address; isExact: boolean },
) =>
  withTenant({ businessId }, async (db) => {
    await lockPicking(db)
    const told = await tellBooking(db, wished)
    if (!told) throw notBookable()
    const before = await findRow(db, key)
    if (before && before.status !== 'held') throw conflict('This was sent already. Open the page anew to book more.')
    const [opening] = await listPickable(db, { point: wished.point, ...told }, { only: day, exceptId: key })
    if (!opening) throw taken(day)
    await forgetOldHolds(db)
    const heldUntil = new Date(clock.nowMs() + holdMinutes * 60_000).toISOString()
    const values = {
      status: 'held' as const,
      day,
      crewId: opening.crewId,
      latitude: wished.point.lat,
      longitude: wished.point.lng,
      isExact,
      address: JSON.stringify(address),
      squareFeet: told.squareFeet,
      minutes: told.minutes,
      priceCents: told.totalCents,
      lines: JSON.stringify(told.lines),
      heldUntil,
      updatedAt: clock.iso(),
    }
    await db
      .insertInto('pageBookings')
      .values({ businessId, id: key, ...values, createdAt: clock.iso() })
      .onConflict((c) => c.columns(['businessId', 'id']).doUpdateSet(values))
      .execute()
    const { bookAsks } = await getKept(db)
    return { ...toldOf(told, bookAsks), day, part: partOfDay(opening.startMinute), heldUntil }
  })

/** What nobody came back for is nobody's business after a day. */
const forgetOldHolds = async (db: TenantDb): Promise<void> => {
  await db
    .deleteFrom('pageBookings')
    .where('businessId', '=', db.businessId)
    .where('status', '=', 'held')
    .where('heldUntil', '<', new Date(clock.nowMs() - 86_400_000).toISOString())
    .execute()
}

const findRow = (db: TenantDb, id: string) =>
  db
    .selectFrom('pageBookings')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>

const linesOf = (row: Row): BookedLine[] => row.lines as unknown as BookedLine[]

const setRow = async (db: TenantDb, row: Row, values: Partial<Row>): Promise<void> => {
  const { lines: _, address: __, ...changes } = values
  await db
    .updateTable('pageBookings')
    .set({ ...changes, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.id)
    .execute()
  Object.assign(row, changes)
}

const rhythm = {
  weekly: { freq: 'week', interval: 1 },
  biweekly: { freq: 'week', interval: 2 },
  monthly: { freq: 'month', interval: 1 },
} as const

const recurrenceOf = (frequency: BookedLine['frequency'], day: Day): Recurrence | null =>
  frequency === 'once' ? null : { ...rhythm[frequency], weekdays: [], phaseOn: day, holiday: 'next', exceptions: [] }

/** A line of the job; what comes back only in season is done once on the picked day where that is outside of it. */
const jobLines = (line: BookedLine, day: Day, season: readonly SeasonSpan[]): LineDraft[] => {
  const one = {
    serviceId: line.serviceId,
    description: '',
    quantity: 1,
    unitPriceCents: line.priceCents,
    budgetMinutes: line.minutes,
    undated: null,
    movesPhase: false,
  }
  const recurrence = recurrenceOf(line.frequency, day)
  const once = { ...one, recurrence: null, onceOn: day }
  if (!recurrence) return [once]
  const again = { ...one, recurrence, onceOn: null }
  return inSeason(day, season) ? [again] : [once, again]
}

const businessOf = (db: TenantDb) =>
  db
    .selectFrom('businesses')
    .select(['name', 'brandColor', 'phone', 'slug', 'planTier', 'subscriptionStatus', 'pastDueSince'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()

/** By mail where there is one, by text where they agreed to texts. */
const tell = async (
  db: TenantDb,
  lead: { id: string; phone: string | null; email: string | null; customerId: string | null },
  said: Said,
  { key, texts }: { key: string; texts: boolean },
): Promise<void> => {
  const to = { purpose: 'transactional', customerId: lead.customerId, entity: { type: 'lead', id: lead.id } } as const
  if (lead.email)
    await queueMessage(db, { ...to, channel: 'email', address: lead.email, dedupeKey: `${key}:mail`, ...said.mail })
  if (lead.phone && texts)
    await queueMessage(db, { ...to, channel: 'sms', address: lead.phone, dedupeKey: `${key}:text`, text: said.text })
}

/** Whether they said that they may be texted. */
const mayText = async (db: TenantDb, phone: string | null): Promise<boolean> => {
  if (!phone) return false
  const last = await db
    .selectFrom('consentEvents')
    .select('action')
    .where('businessId', '=', db.businessId)
    .where('channel', '=', 'sms')
    .where('address', '=', phone)
    .where('purpose', '=', 'transactional')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.action === 'grant'
}

/** Customer, property, job and visit out of a picked day, in one: what was told is what it costs. */
const bookTx = async (db: TenantDb, who: Who, row: Row, leadId: string, startMinute: number | null): Promise<void> => {
  const lead = await lockLead(db, leadId)
  const address = row.address as unknown as Address
  // Whoever asks is nobody's word for being a customer: the office joins the two records where they are the same person.
  const known = lead.convertedAt ? null : lead.customerId
  const customerId =
    lead.convertedAt && lead.customerId
      ? lead.customerId
      : await createCustomerTx(db, who, {
          name: lead.name,
          email: lead.email,
          phone: lead.phone,
          stage: 'active',
          source: sourceLabel[lead.source],
          property: {
            ...address,
            state: stateCodeOf(address.state) ?? '',
            lawnSquareFeet: row.squareFeet,
            ...(row.isExact ? { latitude: row.latitude, longitude: row.longitude } : {}),
          },
          allowDuplicate: true,
        })
  const { id: propertyId } = await db
    .selectFrom('properties')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { season } = await getCalendar(db)
  const jobId = await createJobTx(db, systemActor(db.businessId), {
    propertyId,
    title: [...new Set(linesOf(row).map(({ name }) => name))].join(', ').slice(0, 160),
    instructions: '',
    poNumber: '',
    billing: 'per_visit',
    crewId: row.crewId,
    startOn: row.day,
    endOn: null,
    lines: linesOf(row).flatMap((line) => jobLines(line, row.day, season)),
    draft: false,
    includePast: false,
    pastDone: false,
  })
  const visits = await db
    .selectFrom('visits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('jobId', '=', jobId)
    .where('day', '=', row.day)
    .execute()
  await sequenceBookedTx(db, { day: row.day, crewId: row.crewId, visitIds: visits.map(({ id }) => id) })
  await setRow(db, row, { status: 'booked', jobId, leadId })
  await setLead(db, lead, { customerId, propertyId, convertedAt: clock.iso(), nextAction: '', nextActionOn: null })
  if (!known)
    await giveMessagesTx(db, {
      customerId,
      entity: { type: 'lead', id: leadId },
      addresses: [lead.phone, lead.email].filter((one) => one !== null),
    })
  await tellPast(db, leadId, {
    kind: 'customer',
    words: `${lead.name}, booked for ${formatDay(row.day)}`,
    data: { customerId, into: false },
    userId: who.kind === 'user' ? who.userId : null,
  })
  if (lead.stage !== 'won') await stageTx(db, lead, { stage: 'won', by: 'facts', why: 'Booked on your page' }, who)
  const business = await businessOf(db)
  await tell(
    db,
    lead,
    bookedWords(business, { name: lead.name, day: row.day, part: partOfDay(startMinute), lines: linesOf(row) }),
    { key: `booking:${row.id}:booked`, texts: await mayText(db, lead.phone) },
  )
  await audit(db, who, 'lead.book', { type: 'lead', id: leadId }, { after: { day: row.day, jobId, customerId } })
  if (who.kind === 'system')
    await notifyOffice(db, {
      type: 'job',
      title: `${lead.name} booked ${formatDay(row.day)} on your page`,
      content: [
        linesOf(row)
          .map(({ name, frequency }) => `${name}, ${everyLabel[frequency]}`)
          .join('; '),
        known ? 'They may be a customer of yours already: look, and join the two records.' : '',
      ]
        .filter(Boolean)
        .join('. '),
      path: linkTo.job(jobId),
      dedupeKey: `booking:${row.id}:booked`,
    })
}

const askTx = async (db: TenantDb, row: Row, leadId: string, why: string): Promise<void> => {
  const lead = await lockLead(db, leadId)
  await setRow(db, row, { status: 'asked', leadId })
  await setLead(db, lead, { nextAction: `Say yes or no to ${formatDay(row.day)}`, nextActionOn: row.day })
  await notifyOffice(db, {
    type: 'quote',
    title: `${lead.name} would like ${formatDay(row.day)}`,
    content: why,
    path: linkTo.lead(leadId),
    dedupeKey: `booking:${row.id}:asked`,
  })
  const business = await businessOf(db)
  await tell(db, lead, askedWords(business, { name: lead.name, day: row.day }), {
    key: `booking:${row.id}:asked`,
    texts: await mayText(db, lead.phone),
  })
}

type Booking = z.output<typeof pageBookingApi.book.body>

/**
 * Books the day that is held, all of it or nothing; asks for it where the office says yes first, or the business can take nothing by itself. Sent twice it is
 * one. @throws state_conflict when the minutes are over and the day is full, validation_failed
 */
export const bookDay = (businessId: BusinessId, { key, consent, offers, ref, ...form }: Booking) =>
  withTenant({ businessId }, async (db) => {
    await lockPicking(db)
    const row = await findRow(db, key)
    if (!row)
      throw conflict(
        'Your place in the day is not held any more. Pick the day once more: what you typed is still here.',
      )
    const answer = (state: 'booked' | 'asked', minute: number | null) => ({
      state,
      day: row.day,
      part: partOfDay(minute),
      totalCents: row.priceCents,
    })
    if (row.status !== 'held') return answer(row.status === 'booked' ? 'booked' : 'asked', null)
    const { bookAsks } = await getKept(db)
    if (isMachine(form)) return answer(bookAsks ? 'asked' : 'booked', null)
    const address = row.address as unknown as Address
    const problems = requestProblems({ ...form, ...address, consent: consent ? 'yes' : '' })
    if (problems.length > 0) throw invalid(problems)
    const opening = await stillOpen(db, row)
    const point = { lat: row.latitude, lng: row.longitude }
    const taking = await takeRequestTx(db, {
      ...form,
      ...address,
      consent: consent ? 'yes' : '',
      offers: offers ? 'yes' : '',
      key,
      ref,
      source: 'profile',
      sourceDetail: '',
      point: row.isExact ? point : null,
      served: true,
      lawn: { squareFeet: row.squareFeet, way: 'drawn', ring: null },
      services: linesOf(row).map(({ serviceId: id, frequency }) => ({ id, frequency })),
      answers: false,
    })
    const leadId = taking?.id ?? row.leadId
    if (!leadId) throw conflict('This was sent already. Open the page anew to book more.')
    await db
      .updateTable('businessLeads')
      .set({ priceLowCents: row.priceCents, priceHighCents: row.priceCents })
      .where('businessId', '=', businessId)
      .where('id', '=', leadId)
      .execute()
    const business = await businessOf(db)
    const why = bookAsks
      ? 'You say yes before a day is booked.'
      : isSubscriptionActive(business, clock.nowMs())
        ? null
        : 'Your plan is over, so nothing is booked by itself.'
    if (why !== null) {
      await askTx(db, row, leadId, why)
      return answer('asked', opening.startMinute)
    }
    try {
      await bookTx(db, systemActor(businessId), row, leadId, opening.startMinute)
      return answer('booked', opening.startMinute)
    } catch (error) {
      // The plan holds no more customers: that is the owner's matter, not the visitor's. Nothing was written before it was refused.
      if (!(error instanceof AppError) || error.code !== 'customer_limit_reached') throw error
      await askTx(db, row, leadId, error.message)
      return answer('asked', opening.startMinute)
    }
  })

const skillsOf = async (db: TenantDb, row: Row): Promise<string[]> =>
  (
    await getServices(
      db,
      linesOf(row).map(({ serviceId }) => serviceId),
    )
  ).flatMap(({ skills }) => skills)

/** The place while it is held, or the same day once more when the minutes are over. */
const stillOpen = async (db: TenantDb, row: Row): Promise<Opening> => {
  const told = {
    point: { lat: row.latitude, lng: row.longitude },
    minutes: row.minutes,
    skills: await skillsOf(db, row),
  }
  const [opening] = await listPickable(db, told, { only: row.day, exceptId: row.id })
  const isHeld = Date.parse(row.heldUntil) > clock.nowMs()
  if (!opening && !isHeld)
    throw conflict(
      `Your ${holdMinutes} minutes are over and ${formatDay(row.day)} is full by now. Pick another day: what you typed is still here.`,
    )
  if (opening) await setRow(db, row, { crewId: opening.crewId })
  return opening ?? { day: row.day, crewId: row.crewId, startMinute: null, addedDriveSeconds: 0 }
}

const answerTx = async (
  actor: Actor,
  leadId: string,
  work: (db: TenantDb, row: Row) => Promise<void>,
): Promise<{ booking: LeadBooking | null }> =>
  withTenant(actor, async (db) => {
    await lockPicking(db)
    const there = await findBookingOfLead(db, actor, leadId)
    const row = there ? await findRow(db, there.id) : undefined
    if (!row) throw notFound('booking')
    await work(db, row)
    return { booking: await findBookingOfLead(db, actor, leadId) }
  })

/** The office says yes, to the day that was asked for or another one with room. @throws state_conflict, customer_limit_reached */
export const acceptBooking = (actor: Actor, leadId: string, { day }: { day?: Day | undefined }) =>
  answerTx(actor, leadId, async (db, row) => {
    refuse(bookingRefusals.accept(row))
    const wanted = day ?? row.day
    const told = {
      point: { lat: row.latitude, lng: row.longitude },
      minutes: row.minutes,
      skills: await skillsOf(db, row),
    }
    const [opening] = await listPickable(db, told, { only: wanted, exceptId: row.id })
    if (!opening)
      throw conflict(`${formatDay(wanted)} has no room for this lawn any more. Nothing was booked: choose another day.`)
    await setRow(db, row, { day: wanted, crewId: opening.crewId })
    await bookTx(db, actor, row, leadId, opening.startMinute)
  })

export const refuseBooking = (actor: Actor, leadId: string) =>
  answerTx(actor, leadId, async (db, row) => {
    refuse(bookingRefusals.refuse(row))
    const lead = await lockLead(db, leadId)
    await setRow(db, row, { status: 'refused' })
    const business = await businessOf(db)
    await tell(
      db,
      lead,
      refusedWords(business, { name: lead.name, day: row.day, pageUrl: absoluteUrl(`/profile/${business.slug}`) }),
      { key: `booking:${row.id}:refused`, texts: await mayText(db, lead.phone) },
    )
    await tellPast(db, leadId, {
      kind: 'note',
      words: `${formatDay(row.day)} does not go, they were told`,
      userId: actor.userId,
    })
    await setLead(db, lead, { nextAction: '', nextActionOn: null })
    await audit(db, actor, 'lead.book.refuse', { type: 'lead', id: leadId }, { before: { day: row.day } })
  })
