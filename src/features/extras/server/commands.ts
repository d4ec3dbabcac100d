import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { refuse } from '../../../shared/can.ts'
import { conflict, invalid, notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { createJobTx } from '../../jobs/server/commands.ts'
import { type LockedVisit, lockVisit } from '../../visits/server/commands.ts'
import { putExtraLineTx, takeExtraLineTx } from '../../visits/server/extras/commands.ts'
import { type Extra, type extrasApi, ExtraSettings as Settings } from '../contract.ts'
import {
  type ExtraAction,
  type ExtraState,
  extraRefusals,
  extraVerdict,
  mowingCents,
  overgrownCents,
  overgrownProblem,
  overgrownTitle,
  stepText,
  withdrawRefusal,
} from '../rules.ts'
import { saleMinutesAt } from '../sales/server/queries.ts'
import { type ExtraSettings, getExtra, getExtraSettings } from './queries.ts'

/** What a visit costs beyond what its job says: kept as the crew said it, put on the visit by rule or by the office. */

/** Changes what holds for extras. @throws AppError version_conflict, validation_failed */
export const saveExtraSettings = (
  actor: Actor,
  { version, ...change }: z.output<typeof extrasApi.saveSettings.body>,
): Promise<ExtraSettings> =>
  withTenant(actor, async (db) => {
    const before = await getExtraSettings(db)
    requireVersion(before, version, 'these settings')
    const { overgrown } = Settings.parse({ ...before, ...change })
    const problem = overgrownProblem(overgrown)
    if (problem) throw invalid([problem])
    const values = { overgrown: JSON.stringify(overgrown), version: version + 1, updatedAt: clock.iso() }
    await db
      .insertInto('extraSettings')
      .values({ businessId: db.businessId, ...values })
      .onConflict((c) => c.column('businessId').doUpdateSet(values))
      .execute()
    await audit(db, actor, 'extras.settings', { type: 'business', id: actor.businessId }, { before, after: change })
    await publishChange(db, 'visits')
    return getExtraSettings(db)
  })

type Row = {
  id: string
  kind: string
  visitId: string
  state: ExtraState
  serviceId: string | null
  title: string
  titleEs: string
  quantity: number
  priceCents: number | null
  note: string
  decidedAt: string | null
  version: number
}

const columns = [
  'id',
  'kind',
  'visitId',
  'state',
  'serviceId',
  'title',
  'titleEs',
  'quantity',
  'priceCents',
  'note',
  'decidedAt',
  'version',
] as const

const find = async (db: TenantDb, id: string): Promise<Row | undefined> => {
  const row = await db
    .selectFrom('visitExtras')
    .select(columns)
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...row, quantity: Number(row.quantity) }
}

/** What is mowed of a visit, and the service that it is mowed by: the first that mows, else the first. */
const mowingOf = async (db: TenantDb, visitId: string): Promise<{ cents: number; serviceId: string | null }> => {
  const { rows } = await sql<{ category: string; cents: number; serviceId: string }>`
    select s.category, round(l.quantity * l.unit_price_cents)::int as cents, s.id as "serviceId"
    from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
    where l.business_id = ${db.businessId} and l.visit_id = ${visitId} and l.extra_id is null
    order by (s.category = 'mow') desc, l.position, l.id`.execute(db)
  return { cents: mowingCents(rows), serviceId: rows[0]?.serviceId ?? null }
}

const putOn = async (db: TenantDb, visit: LockedVisit, extra: Row, priceCents: number): Promise<void> => {
  if (extra.serviceId === null)
    throw conflict(
      'Its service is gone, so there is nothing to bill it as. Make it a job of its own. Nothing was changed.',
    )
  const { id: extraId, serviceId, title, titleEs } = extra
  // The price is of all of it, so that it is on the visit to the cent.
  const { kind, quantity } = extra
  const budgetMinutes =
    kind === 'sold' ? await saleMinutesAt(db, { visitId: visit.id, serviceId, quantity: Number(quantity) }) : 0
  const line = {
    ...{ extraId, serviceId, title, titleEs, description: '', quantity: 1, unitPriceCents: priceCents },
    budgetMinutes,
  }
  await putExtraLineTx(db, visit, line)
}

/** What a crew found at a lawn. */
export type Overgrown = {
  id: string
  visitId: string
  stepId: string
  note: string
  photoIds: readonly string[]
  at: string
}

export type ExtraOutcome =
  | { result: 'applied'; reason: 'already' | null }
  | { result: 'conflict' | 'refused'; reason: string }

/**
 * A lawn is overgrown, says its crew. By the rule of the business it stands on the visit at once, or waits for the office: where that wants to be
 * asked, where the step is none of today's rule any more, and where nobody is billed for the visit by itself. Said twice it is one.
 */
export const addOvergrownTx = async (db: TenantDb, actor: Actor, said: Overgrown): Promise<ExtraOutcome> => {
  const visit = await lockVisit(db, said.visitId)
  if (await find(db, said.id)) return { result: 'applied', reason: 'already' }
  const verdict = extraVerdict({ status: visit.status, billed: visit.invoiceId !== null })
  if (verdict.kind !== 'apply') return { result: verdict.kind, reason: verdict.reason }
  const live = await db
    .selectFrom('visitExtras')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('visitId', '=', visit.id)
    .where('kind', '=', 'overgrown')
    .where('state', 'in', ['waiting', 'added', 'booked'])
    .executeTakeFirst()
  if (live) {
    await showAlsoTx(db, live.id, said.photoIds)
    return { result: 'applied', reason: 'already' }
  }
  const { overgrown } = await getExtraSettings(db)
  const step = overgrown.steps.find(({ id }) => id === said.stepId) ?? null
  const { cents, serviceId } = await mowingOf(db, visit.id)
  const priceCents = step && serviceId ? overgrownCents(step, cents) : null
  const atOnce = overgrown.on && !overgrown.asks && priceCents !== null && visit.billable
  const extra: Row = {
    id: said.id,
    kind: 'overgrown',
    visitId: visit.id,
    state: atOnce ? 'added' : 'waiting',
    serviceId,
    ...overgrownTitle(step),
    quantity: 1,
    priceCents,
    note: said.note.trim().slice(0, 500),
    decidedAt: null,
    version: 1,
  }
  await db
    .insertInto('visitExtras')
    .values({
      businessId: db.businessId,
      ...extra,
      kind: 'overgrown',
      stepId: said.stepId,
      rule: step ? stepText(step) : '',
      photoIds: [...said.photoIds],
      userId: actor.userId,
      at: said.at,
      createdAt: clock.iso(),
    })
    .execute()
  if (atOnce) await putOn(db, visit, extra, priceCents)
  await tell(db, visit)
  return { result: 'applied', reason: null }
}

/** The photos of a second phone stand beside those of the first. */
const showAlsoTx = async (db: TenantDb, id: string, photoIds: readonly string[]): Promise<void> => {
  await sql`update visit_extras set photo_ids = array(select distinct unnest(photo_ids || ${[...photoIds]}::uuid[]) limit 10)
    where business_id = ${db.businessId} and id = ${id}`.execute(db)
}

const tell = (db: TenantDb, visit: LockedVisit): Promise<void> =>
  publishChange(db, 'visits', [visit.id], {
    days: [visit.day, visit.publishedDay],
    crewIds: [visit.crewId, visit.publishedCrewId],
  })

const become = async (db: TenantDb, id: string, change: object): Promise<void> => {
  await db
    .updateTable('visitExtras')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
}

/** The crew takes back what it said, as long as nobody of the office has decided about it and it is on no invoice. */
export const withdrawExtraTx = async (
  db: TenantDb,
  { extraId, visitId }: { extraId: string; visitId: string },
): Promise<ExtraOutcome> => {
  const visit = await lockVisit(db, visitId)
  const extra = await find(db, extraId)
  if (!extra || extra.visitId !== visitId) return { result: 'refused', reason: 'not_found' }
  const refusal = withdrawRefusal({
    state: extra.state,
    decided: extra.decidedAt !== null,
    billed: visit.invoiceId !== null,
  })
  if (refusal === 'already') return { result: 'applied', reason: 'already' }
  if (refusal) return { result: 'refused', reason: refusal }
  if (extra.state === 'added') await takeExtraLineTx(db, visit, extraId)
  await become(db, extraId, { state: 'withdrawn' })
  await tell(db, visit)
  return { result: 'applied', reason: null }
}

/** Takes an extra and its visit for a decision of the office, which wins over what the crew does later. */
const decide = (
  actor: Actor,
  action: ExtraAction,
  { id, version }: { id: string; version: number },
  work: (db: TenantDb, visit: LockedVisit, extra: Row) => Promise<{ state: ExtraState } & Record<string, unknown>>,
): Promise<Extra> =>
  withTenant(actor, async (db) => {
    const seen = await find(db, id)
    if (!seen) throw notFound('extra')
    const visit = await lockVisit(db, seen.visitId)
    // What a phone did before the lock was ours is read after it.
    const extra = (await find(db, id)) ?? seen
    requireVersion(extra, version, 'this extra')
    refuse(
      extraRefusals[action]({
        state: extra.state,
        visit: { status: visit.status, billed: visit.invoiceId !== null, billable: visit.billable },
      }),
    )
    const change = await work(db, visit, extra)
    await become(db, id, { ...change, decidedBy: actor.userId, decidedAt: clock.iso() })
    await audit(
      db,
      actor,
      `visit.extra.${action}`,
      { type: 'visit', id: visit.id },
      { before: { state: extra.state, priceCents: extra.priceCents }, after: { ...change, reason: extra.title } },
    )
    await tell(db, visit)
    return getExtra(db, actor, id)
  })

const priceOf = (extra: Row, given: number | undefined): number => {
  const cents = given ?? extra.priceCents
  if (cents === null)
    throw invalid([{ path: 'priceCents', message: 'Nobody has priced this yet. Type what it costs.' }])
  return cents
}

export const addExtra = (
  actor: Actor,
  id: string,
  { version, priceCents: given }: { version: number; priceCents?: number | undefined },
): Promise<Extra> =>
  decide(actor, 'add', { id, version }, async (db, visit, extra) => {
    const priceCents = priceOf(extra, given)
    await putOn(db, visit, extra, priceCents)
    return { state: 'added', priceCents }
  })

export const priceExtra = (
  actor: Actor,
  id: string,
  { version, priceCents }: { version: number; priceCents: number },
): Promise<Extra> =>
  decide(actor, 'reprice', { id, version }, async (db, visit, extra) => {
    await putOn(db, visit, extra, priceCents)
    return { state: 'added', priceCents }
  })

export const declineExtra = (
  actor: Actor,
  id: string,
  { version, note }: { version: number; note: string },
): Promise<Extra> =>
  decide(actor, 'decline', { id, version }, async (db, visit, extra) => {
    if (extra.state === 'added') await takeExtraLineTx(db, visit, id)
    return { state: 'declined', decisionNote: note }
  })

/** A job of its own on the waiting list, to be put on a day and invoiced like any other. */
export const bookExtra = (
  actor: Actor,
  id: string,
  { version, priceCents: given }: { version: number; priceCents?: number | undefined },
): Promise<Extra> =>
  decide(actor, 'book', { id, version }, async (db, visit, extra) => {
    if (extra.serviceId === null) throw conflict('Its service is gone. Book the work by hand. Nothing was changed.')
    const priceCents = priceOf(extra, given)
    if (extra.state === 'added') await takeExtraLineTx(db, visit, id)
    const { propertyId } = await db
      .selectFrom('visits')
      .select('propertyId')
      .where('businessId', '=', db.businessId)
      .where('id', '=', visit.id)
      .executeTakeFirstOrThrow()
    const today = await todayOf(db)
    const jobId = await createJobTx(db, actor, {
      propertyId,
      title: extra.title,
      instructions: extra.note,
      poNumber: '',
      billing: 'per_visit',
      crewId: null,
      startOn: today,
      endOn: null,
      draft: false,
      includePast: false,
      pastDone: false,
      lines: [
        {
          serviceId: extra.serviceId,
          description: extra.title,
          quantity: 1,
          unitPriceCents: priceCents,
          recurrence: null,
          onceOn: null,
          undated: { kind: 'waiting', fromOn: today, warnOn: null },
          movesPhase: false,
        },
      ],
    })
    return { state: 'booked', priceCents, jobId }
  })
