import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, type Need } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import type { VisitStatus } from '../../visits/rules.ts'
import { type Extra, extrasApi } from '../contract.ts'
import { type ExtraAction, extraRefusals, type OvergrownRule, usualOvergrown } from '../rules.ts'

export type ExtraSettings = { overgrown: OvergrownRule; version: number }

/** What holds for extras; a business that said nothing has the usual steps, switched off. */
export const getExtraSettings = async (db: TenantDb): Promise<ExtraSettings> => {
  const row = await db
    .selectFrom('extraSettings')
    .select(['overgrown', 'version'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirst()
  return row
    ? { overgrown: row.overgrown as OvergrownRule, version: row.version }
    : { overgrown: usualOvergrown, version: 0 }
}

type Row = Omit<Extra, 'can' | 'rule'> & { rule: string; status: VisitStatus; billed: boolean; billable: boolean }

/** More than these of one visit nobody makes. */
const mostOfVisit = 40

const read = async (db: TenantDb, which: RawBuilder<SqlBool>, limit: number): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select x.id, x.visit_id as "visitId", x.kind, x.state, x.title, x.quantity, x.note, x.price_cents as "priceCents", x.rule,
      x.photo_ids as "photoIds", x.at, u.name as "byName", d.name as "decidedByName", x.decision_note as "decisionNote",
      x.job_id as "jobId", x.planned, x.version,
      case when k.extra_id is null then null else jsonb_build_object('way', k.way, 'answer', k.answer, 'words', k.words, 'signer', k.signer,
        'strokes', coalesce(k.strokes, '[]'), 'at', k.at, 'byName', w.name, 'latitude', k.latitude, 'longitude', k.longitude,
        'accuracyMeters', k.accuracy_meters) end as consent, v.status, v.invoice_id is not null as billed, v.billable
    from visit_extras x
    join visits v on v.business_id = x.business_id and v.id = x.visit_id
    left join users u on u.business_id = x.business_id and u.id = x.user_id
    left join extra_consents k on k.business_id = x.business_id and k.extra_id = x.id
    left join users w on w.business_id = k.business_id and w.id = k.user_id
    left join users d on d.business_id = x.business_id and d.id = x.decided_by
    where x.business_id = ${db.businessId} and ${which}
    order by x.at, x.id limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, quantity: Number(row.quantity) }))
}

const needs: Record<ExtraAction, Need> = extrasApi

const shown = (actor: Actor, { status, billed, billable, rule, priceCents, ...row }: Row): Extra => {
  const seesMoney = hasPermission(actor, 'money')
  return {
    ...row,
    priceCents: seesMoney ? priceCents : null,
    rule: seesMoney ? rule : null,
    // The words name a price.
    consent: row.consent && { ...row.consent, words: seesMoney ? row.consent.words : null },
    can: canOf(actor, needs, extraRefusals, { state: row.state, visit: { status, billed, billable } }),
  }
}

/** What a visit costs more, the oldest first; taken back by the crew before anybody looked stays in sight, too. @throws AppError not_found */
export const listExtras = async (db: TenantDb, actor: Actor, visitId: string): Promise<Extra[]> => {
  const visit = await db
    .selectFrom('visits')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', visitId)
    .executeTakeFirst()
  if (!visit) throw notFound('visit')
  return (await read(db, sql<SqlBool>`x.visit_id = ${visitId}`, mostOfVisit)).map((row) => shown(actor, row))
}

/** @throws AppError not_found */
export const getExtra = async (db: TenantDb, actor: Actor, id: string): Promise<Extra> => {
  const [row] = await read(db, sql<SqlBool>`x.id = ${id}`, 1)
  if (!row) throw notFound('extra')
  return shown(actor, row)
}

export type WaitingExtra = {
  id: string
  visitId: string
  jobId: string
  kind: Extra['kind']
  title: string
  note: string
  priceCents: number | null
  photoCount: number
  by: string | null
  street: string
  /** The visit was skipped, missed or canceled: nothing can be put on it. */
  isUndone: boolean
}

/** So long a customer has before the office looks after it. */
const dayAgo = (): string => new Date(clock.nowMs() - 86_400_000).toISOString()

/** What waits for the office's word, and for a customer's since a day, the newest first. */
export const listWaitingExtras = async (db: TenantDb, limit: number): Promise<WaitingExtra[]> => {
  const { rows } = await sql<WaitingExtra>`
    select x.id, x.visit_id as "visitId", v.job_id as "jobId", x.kind, x.title, x.note, x.price_cents as "priceCents",
      cardinality(x.photo_ids) as "photoCount", split_part(u.name, ' ', 1) as by, p.street,
      v.status in ('skipped', 'missed', 'canceled') as "isUndone"
    from visit_extras x
    join visits v on v.business_id = x.business_id and v.id = x.visit_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    left join users u on u.business_id = x.business_id and u.id = x.user_id
    where x.business_id = ${db.businessId} and (x.state = 'waiting' or (x.state = 'asked' and x.at < ${dayAgo()}::timestamptz))
    order by x.at desc, x.id limit ${limit}`.execute(db)
  return rows
}

/** What a crew said of its stops, without money, by visit. What it took back is over. */
export const listExtrasOfStops = async (
  db: TenantDb,
  visitIds: readonly string[],
): Promise<
  Map<
    string,
    {
      id: string
      kind: Extra['kind']
      state: Extra['state']
      title: string
      titleEs: string
      by: string
      open: boolean
      why: string
    }[]
  >
> => {
  if (visitIds.length === 0) return new Map()
  const { rows } = await sql<{
    visitId: string
    id: string
    kind: Extra['kind']
    state: Extra['state']
    title: string
    titleEs: string
    by: string
    open: boolean
    why: string
  }>`
    select x.visit_id as "visitId", x.id, x.kind, x.state, x.title, x.title_es as "titleEs", coalesce(split_part(u.name, ' ', 1), '') as by,
      x.decided_at is null and v.invoice_id is null as open, x.decision_note as why
    from visit_extras x
    join visits v on v.business_id = x.business_id and v.id = x.visit_id
    left join users u on u.business_id = x.business_id and u.id = x.user_id
    where x.business_id = ${db.businessId} and x.visit_id = any(${sql.val([...visitIds])}::uuid[]) and x.state <> 'withdrawn'
    order by x.visit_id, x.at, x.id`.execute(db)
  const found = new Map<string, Omit<(typeof rows)[number], 'visitId'>[]>()
  for (const { visitId, ...row } of rows) found.set(visitId, [...(found.get(visitId) ?? []), row])
  return found
}
