import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { versionConflict } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { emit } from '../../../../platform/events/events.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { dayOf, formatDay } from '../../../../shared/dates.ts'
import { AppError, conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { linkTo } from '../../../../shared/links.ts'
import { timeZoneOf } from '../../../businesses/server/queries.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { listTold } from '../../neighbors/server/queries.ts'
import { fieldLabel, keepOffUntil, licenseTexts, licenseVerdict, missingOf } from '../../rules.ts'
import { listProducts } from '../../server/queries.ts'
import { answerPhoneTx, settleByRecordTx } from '../../unrecorded/server/commands.ts'
import { getUnrecorded } from '../../unrecorded/server/queries.ts'
import type { ApplicationDraft, ApplicationFacts, ApplicationRecord, Applicator, recordsApi } from '../contract.ts'
import { changesBetween, completenessOf } from '../rules.ts'
import { applicationRefusal, getRecord, getTreatment, listApplicators, weatherAsOf } from './queries.ts'

type Treatment = Awaited<ReturnType<typeof getTreatment>>

/** Nobody writes down an application that is longer ago; a record must be kept for two years at least, so older ones are in a drawer. */
const longestAgoMs = 2 * 366 * 86_400_000
const aheadMs = 5 * 60_000

const checkTimes = ({ startedAt, endedAt }: Pick<ApplicationDraft, 'startedAt' | 'endedAt'>): void => {
  const [from, to] = [Date.parse(startedAt), Date.parse(endedAt)]
  if (to < from) throw invalid([{ path: 'endedAt', message: 'It ends before it begins.' }])
  if (to - from > 86_400_000) throw invalid([{ path: 'endedAt', message: 'That is longer than a day.' }])
  if (to > clock.nowMs() + aheadMs) throw invalid([{ path: 'endedAt', message: 'This time has not come yet.' }])
  if (from < clock.nowMs() - longestAgoMs)
    throw invalid([{ path: 'startedAt', message: 'That is more than two years ago.' }])
}

type Products = ApplicationFacts['products']

/** Products as they are on the shelf now; one that stood in the record before stays as it was then. */
const productsOf = async (db: TenantDb, draft: ApplicationDraft, before: Products): Promise<Products> => {
  if (new Set(draft.products.map(({ productId }) => productId)).size < draft.products.length)
    throw invalid([{ path: 'products', message: 'A product stands here twice.' }])
  const known = await listProducts(
    db,
    draft.products.map(({ productId }) => productId),
  )
  return draft.products.map(({ productId, rate, amount }) => {
    const was = before.find((one) => one.productId === productId)
    if (was) return { ...was, rate, amount }
    const product = known.find(({ id }) => id === productId)
    if (!product) throw notFound('product')
    const { id: _id, version: _version, archivedAt: _archivedAt, ...snapshot } = product
    return { productId, ...snapshot, rate, amount }
  })
}

/** The verdict on who applied it does not allow a restricted product. */
export const refusedReason =
  'A restricted-use product takes somebody with a valid license of this category in this state, or a supervisor who has one. The record was not saved: name who supervised, or add the license under Employees first.'

/** Which neighbors were told, how and when: the record keeps it, whatever becomes of the list of neighbors. */
const toldText = (told: Awaited<ReturnType<typeof listTold>>, timeZone: string): string =>
  told
    .map(({ name, how, at }) => `${name} (${how}, ${formatDay(dayOf(at, timeZone))})`)
    .join('; ')
    .slice(0, 3000)

type Site = Pick<ApplicationFacts, 'customer' | 'billing' | 'site' | 'zip' | 'state'>

/** The same products, put down by the same people. */
const isSameWork = (
  before: ApplicationFacts,
  now: { products: Products; applicator: Applicator; supervisor: Applicator | null },
): boolean =>
  before.applicator.id === now.applicator.id &&
  (before.supervisor?.id ?? null) === (now.supervisor?.id ?? null) &&
  now.products.every(({ productId }) => before.products.some((one) => one.productId === productId))

const buildFacts = async (
  db: TenantDb,
  site: Site,
  draft: ApplicationDraft,
  { before, leavers }: { before?: ApplicationFacts; leavers: boolean },
): Promise<{ facts: ApplicationFacts; day: string }> => {
  checkTimes(draft)
  const day = dayOf(draft.startedAt, await timeZoneOf(db))
  const where = { state: site.state, day }
  const products = await productsOf(db, draft, before?.products ?? [])
  const ids = [draft.applicatorId, ...(draft.supervisorId ? [draft.supervisorId] : [])]
  const people = await listApplicators(db, ids)
  const personOf = (id: string): Applicator => {
    const found = people.find((one) => one.id === id && (leavers || !one.left))
    if (!found) throw notFound('person')
    return found
  }
  const applicator = personOf(draft.applicatorId)
  const supervisor =
    draft.supervisorId && draft.supervisorId !== draft.applicatorId ? personOf(draft.supervisorId) : null
  // Who applied what it was under which license stays as it was then, whatever became of names and licenses since; a license
  // that was lacking may have been put on file.
  const asThen =
    before && before.license !== 'missing' && isSameWork(before, { products, applicator, supervisor }) ? before : null
  const license = asThen?.license ?? licenseVerdict(products, applicator.licenses, supervisor?.licenses ?? null, where)
  if (license === 'refused') throw conflict(refusedReason)
  const { applicatorId: _a, supervisorId: _s, ...rest } = draft
  const named = (person: Applicator) => ({
    id: person.id,
    name: person.name,
    license: licenseTexts(products, person.licenses, where).join(', '),
  })
  const { customer, billing, site: street, zip, state } = site
  const facts: ApplicationFacts = {
    ...rest,
    customer,
    billing,
    site: street,
    zip,
    state,
    products,
    applicator: asThen?.applicator.license ? asThen.applicator : named(applicator),
    supervisor: asThen ? asThen.supervisor : supervisor && named(supervisor),
    license,
    keepOffUntil: keepOffUntil(products, draft.endedAt),
  }
  return { facts, day }
}

const isWhole = (facts: ApplicationFacts): boolean => missingOf(completenessOf(facts)).length === 0

const publish = async (db: TenantDb, visitId: string | null): Promise<void> => {
  if (!visitId) return publishChange(db, 'visits')
  const visit = await db
    .selectFrom('visits')
    .select(['day', 'crewId', 'publishedDay', 'publishedCrewId'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirst()
  await publishChange(db, 'visits', [visitId], {
    days: [visit?.day, visit?.publishedDay],
    crewIds: [visit?.crewId, visit?.publishedCrewId],
  })
}

/** What a crew wrote down and the law asks more of: the office hears of it on the day, not at the next look into the records. */
const tellDoubtsTx = async (db: TenantDb, visit: Treatment, id: string, facts: ApplicationFacts): Promise<void> => {
  const missing = missingOf(completenessOf(facts))
  const unlicensed = facts.license === 'missing'
  if (!unlicensed && missing.length === 0) return
  await notifyOffice(db, {
    type: 'job',
    topic: 'needsYou',
    title: unlicensed
      ? `${facts.applicator.name} applied at ${facts.site} without a valid license on file`
      : `The record of ${facts.site} is not complete`,
    content: [
      unlicensed ? 'Add the license under Employees, or name who supervised, and amend the record.' : '',
      missing.length > 0 ? `Missing: ${missing.map((field) => fieldLabel[field]).join(', ')}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    customerId: visit.customerId,
    path: linkTo.chemicals('records'),
    dedupeKey: `application:${id}`,
  })
}

/**
 * Writes an application down under an id; the same id again changes nothing.
 * @param leavers whether it may name who works here no more: what a phone wrote was done before it came in
 * @throws AppError state_conflict where a restricted product takes a license that nobody has, validation_failed, not_found
 */
export const recordTx = async (
  db: TenantDb,
  actor: Actor,
  visit: Treatment,
  {
    id,
    draft,
    fromPhone,
    enteredAt = clock.iso(),
    leavers = fromPhone,
  }: { id: string; draft: ApplicationDraft; fromPhone: boolean; enteredAt?: string; leavers?: boolean },
): Promise<void> => {
  const typed = draft.neighborsTold.trim()
  const told = typed === '' ? toldText(await listTold(db, visit.id), await timeZoneOf(db)) : typed
  const { facts, day } = await buildFacts(db, visit, { ...draft, neighborsTold: told }, { leavers })
  const made = await db
    .insertInto('applicationRecords')
    .values({
      businessId: db.businessId,
      id,
      visitId: visit.id,
      customerId: visit.customerId,
      propertyId: visit.propertyId,
      enteredBy: actor.userId,
      day,
      state: facts.state,
      productIds: facts.products.map(({ productId }) => productId),
      appliedAt: draft.endedAt,
      keepOffUntil: facts.keepOffUntil,
      enteredAt,
      fromPhone,
      facts: JSON.stringify(facts),
    })
    .onConflict((c) => c.columns(['businessId', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  await settleByRecordTx(db, actor, { recordId: id, visitId: visit.id, whole: isWhole(facts) })
  if (!made) return
  await audit(
    db,
    actor,
    'application.record',
    { type: 'application', id },
    { after: { visitId: visit.id, mix: draft.mix } },
  )
  if (fromPhone) await tellDoubtsTx(db, visit, id, facts)
  await emit(db, 'application.recorded', { recordId: id, visitId: visit.id })
  await publish(db, visit.id)
}

/** The office writes down what was applied on a visit; what a phone had sent before is recorded under its own id, so that it is never there twice. */
export const addRecord = (
  actor: Actor,
  visitId: string,
  { unrecordedId, ...draft }: z.output<typeof recordsApi.add.body>,
): Promise<ApplicationRecord> =>
  withTenant(actor, async (db) => {
    const visit = await getTreatment(db, visitId)
    refuse(applicationRefusal(visit, dayOf(clock.now(), await timeZoneOf(db))))
    const waiting = unrecordedId ? await getUnrecorded(db, unrecordedId) : null
    if (waiting && waiting.visitId !== visitId) throw notFound('application')
    const id = waiting?.kind === 'refused' ? waiting.id : newId()
    const weather = await weatherAsOf(db, visit, draft, false)
    const leavers = waiting !== null
    await recordTx(db, actor, visit, { id, draft: { ...draft, weather }, fromPhone: false, leavers })
    if (waiting) await answerPhoneTx(db, actor, { id, visitId, note: '', counts: true })
    return getRecord(db, actor, id)
  })

/** Puts a record right; what stood there stays with its reason. @throws AppError version_conflict when it was amended meanwhile */
export const amendRecord = (
  actor: Actor,
  id: string,
  { reason, seen, ...draft }: z.output<typeof recordsApi.amend.body>,
): Promise<ApplicationRecord> =>
  withTenant(actor, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`application:${id}`}, 0))`.execute(db)
    const before = await getRecord(db, actor, id)
    if (before.amendments.length !== seen) throw versionConflict('this record', before.amendments.length)
    const { customer, billing, site, zip, state } = before.facts
    const { facts, day } = await buildFacts(db, { customer, billing, site, zip, state }, draft, {
      before: before.facts,
      leavers: true,
    })
    if (day !== before.day)
      throw invalid([
        { path: 'startedAt', message: 'The day of a record stays. Write another record on the visit of that day.' },
      ])
    if (changesBetween(before.facts, facts, await timeZoneOf(db)).length === 0)
      throw new AppError('state_conflict', 'Nothing is different from what stands in the record. Nothing was saved.')
    const amendmentId = newId()
    await db
      .insertInto('applicationAmendments')
      .values({
        businessId: db.businessId,
        id: amendmentId,
        recordId: id,
        number: seen + 1,
        amendedBy: actor.userId,
        reason,
        productIds: facts.products.map(({ productId }) => productId),
        keepOffUntil: facts.keepOffUntil,
        facts: JSON.stringify(facts),
        createdAt: clock.iso(),
      })
      .execute()
    if (before.visitId) await emit(db, 'application.amended', { recordId: id, visitId: before.visitId })
    await settleByRecordTx(db, actor, { recordId: id, visitId: before.visitId, whole: isWhole(facts) })
    await audit(db, actor, 'application.amend', { type: 'application', id }, { after: { reason } })
    await publish(db, before.visitId)
    return getRecord(db, actor, id)
  })
