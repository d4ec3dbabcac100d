import { sql } from 'kysely'
import { type Actor, hasPermission } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf } from '../../../shared/can.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { notFound } from '../../../shared/errors.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import { type Equipment, type EquipmentDetail, equipmentApi, type ServicePlan } from '../contract.ts'
import { byDue, dueOf, equipmentRefusals, mostEquipment, paceOf, type Reading } from '../rules.ts'

const needs = {
  update: equipmentApi.update,
  assign: equipmentApi.assign,
  read: equipmentApi.read,
  service: equipmentApi.service,
  takeOut: equipmentApi.takeOut,
  bringBack: equipmentApi.bringBack,
  archive: equipmentApi.archive,
  restore: equipmentApi.restore,
}

type Row = Pick<Equipment, 'id' | 'kind' | 'name' | 'model' | 'serial' | 'meter' | 'crew' | 'version'> & {
  outSince: string | null
  outReason: string
  archivedAt: string | null
  stoppedBy: string | null
  defectCount: number
  doubtedCount: number
}
type Filter = { ids?: readonly string[]; archived?: boolean | undefined; crewId?: string | undefined }

const rowsOf = async (db: TenantDb, today: Day, { ids, archived, crewId }: Filter): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select e.id, e.kind, e.name, e.model, e.serial, e.meter, e.version, e.out_since as "outSince", e.out_reason as "outReason",
      e.archived_at as "archivedAt",
      case when c.id is null then null else jsonb_build_object('id', c.id, 'name', c.name, 'color', c.color) end as crew,
      (select count(*)::int from truck_defects d where d.business_id = e.business_id and d.equipment_id = e.id and d.settled_at is null) as "defectCount",
      (select d.item from truck_defects d where d.business_id = e.business_id and d.equipment_id = e.id and d.settled_at is null and d.stops
        order by d.found_at desc, d.id desc limit 1) as "stoppedBy",
      (select count(*)::int from equipment_readings r where r.business_id = e.business_id and r.equipment_id = e.id and r.state = 'doubted') as "doubtedCount"
    from equipment e
    left join equipment_crews m on m.business_id = e.business_id and m.equipment_id = e.id and m.valid_from <= ${today}::date
      and (m.valid_to is null or m.valid_to >= ${today}::date)
    left join crews c on c.business_id = m.business_id and c.id = m.crew_id and c.archived_at is null
    where e.business_id = ${db.businessId}
      ${ids ? sql`and e.id = any(${sql.val([...ids])}::uuid[])` : sql`and (e.archived_at is not null) = ${archived ?? false}`}
      ${crewId ? sql`and c.id = ${crewId}` : sql``}
    order by array_position(array['truck', 'trailer', 'mower', 'other'], e.kind), lower(e.name), e.id
    limit ${mostEquipment}`.execute(db)
  return rows
}

/** The readings of the last five weeks that count, and the last one however old, the newest first. */
const readingsOf = async (db: TenantDb, today: Day, ids: readonly string[]): Promise<Map<string, Reading[]>> => {
  const { rows } = await sql<Reading & { equipmentId: string }>`
    select e.id as "equipmentId", r.tenths, r.earlier_tenths as "earlierTenths", r.read_on as on
    from unnest(${sql.val([...ids])}::uuid[]) as e(id)
    join lateral (
      select tenths, earlier_tenths, read_on, read_at, id from equipment_readings
      where business_id = ${db.businessId} and equipment_id = e.id and state = 'counted'
      order by read_at desc, id desc limit 60) r on true
    order by e.id, r.read_at desc, r.id desc`.execute(db)
  const from = addDays(today, -35)
  const found = new Map<string, Reading[]>()
  for (const { equipmentId, ...reading } of rows) {
    const known = found.get(equipmentId)
    if (!known) found.set(equipmentId, [reading])
    else if ((known.at(-1)?.on ?? '') >= from) known.push(reading)
  }
  return found
}

type PlanRow = Omit<ServicePlan, 'due'> & { equipmentId: string; lastEarlierTenths: number }

const plansOf = async (db: TenantDb, ids: readonly string[]): Promise<PlanRow[]> => {
  const { rows } = await sql<PlanRow>`
    select p.id, p.equipment_id as "equipmentId", p.what, p.every_tenths as "everyTenths", p.every_months as "everyMonths", p.version,
      coalesce(w.tenths, p.from_tenths) as "lastTenths",
      case when w.tenths is null then p.from_earlier_tenths else w.earlier_tenths end as "lastEarlierTenths", coalesce(w.done_on, p.from_on) as "lastOn", w.done_on is not null as "wasDone"
    from equipment_plans p
    left join lateral (
      select done_on, tenths, earlier_tenths from equipment_work w
      where w.business_id = p.business_id and w.plan_id = p.id and w.removed_at is null
      order by w.done_on desc, w.id desc limit 1) w on true
    where p.business_id = ${db.businessId} and p.equipment_id = any(${sql.val([...ids])}::uuid[]) and p.archived_at is null
    order by p.created_at, p.id`.execute(db)
  return rows
}

const shown = async (db: TenantDb, actor: Actor, today: Day, rows: readonly Row[]) => {
  const ids = rows.map(({ id }) => id)
  const [readings, plans] = [await readingsOf(db, today, ids), await plansOf(db, ids)]
  return rows.map(({ outSince, outReason, archivedAt, stoppedBy, ...row }) => {
    const own = readings.get(row.id) ?? []
    const reading = own[0] ?? null
    const pace = paceOf(own, today)
    const due = plans
      .filter((plan) => plan.equipmentId === row.id)
      .map(
        ({ equipmentId: _, lastEarlierTenths, ...plan }): ServicePlan => ({
          ...plan,
          due: dueOf({ ...plan, lastEarlierTenths }, reading, pace, today),
        }),
      )
      .sort((a, b) => byDue(a.due, b.due))
    const out = outSince ? { since: outSince, reason: outReason } : null
    const equipment: Equipment = {
      ...row,
      reading: reading && { tenths: reading.tenths, on: reading.on },
      out,
      due: due[0] ? { ...due[0].due, what: due[0].what } : null,
      archived: archivedAt !== null,
      can: canOf(actor, needs, equipmentRefusals, {
        ...row,
        archived: archivedAt !== null,
        out: out !== null,
        stoppedBy,
      }),
    }
    return { equipment, plans: due }
  })
}

export const listEquipment = async (
  db: TenantDb,
  actor: Actor,
  filter: Omit<Filter, 'ids'>,
): Promise<{ today: Day; items: Equipment[] }> => {
  const today = await todayOf(db)
  const found = await shown(db, actor, today, await rowsOf(db, today, filter))
  return { today, items: found.map(({ equipment }) => equipment) }
}

const lastRows = 20

/** @throws AppError not_found */
export const getEquipment = async (db: TenantDb, actor: Actor, id: string): Promise<EquipmentDetail> => {
  const today = await todayOf(db)
  const [found] = await shown(db, actor, today, await rowsOf(db, today, { ids: [id] }))
  if (!found) throw notFound('equipment')
  const { rows: crews } = await sql<EquipmentDetail['crews'][number]>`
    select m.id, m.valid_from as from, m.valid_to as to, jsonb_build_object('id', c.id, 'name', c.name, 'color', c.color) as crew
    from equipment_crews m join crews c on c.business_id = m.business_id and c.id = m.crew_id
    where m.business_id = ${db.businessId} and m.equipment_id = ${id}
    order by m.valid_from desc limit ${lastRows}`.execute(db)
  const { rows: readings } = await sql<EquipmentDetail['readings'][number]>`
    select r.id, r.tenths, r.read_on as on, r.source, r.state, r.reason, r.new_meter as "newMeter", u.name as by
    from equipment_readings r left join users u on u.business_id = r.business_id and u.id = r.user_id
    where r.business_id = ${db.businessId} and r.equipment_id = ${id}
    order by r.read_at desc, r.id desc limit ${lastRows}`.execute(db)
  const { rows: work } = await sql<EquipmentDetail['work'][number]>`
    select w.id, w.what, w.done_on as "doneOn", w.tenths, w.note, u.name as by, x.id as "expenseId",
      ${hasPermission(actor, 'money') ? sql`x.total_cents` : sql`null::int`} as "costCents"
    from equipment_work w
    left join users u on u.business_id = w.business_id and u.id = w.user_id
    left join expenses x on x.business_id = w.business_id and x.id = w.expense_id and x.deleted_at is null
    where w.business_id = ${db.businessId} and w.equipment_id = ${id} and w.removed_at is null
    order by w.done_on desc, w.id desc limit ${lastRows}`.execute(db)
  return { ...found.equipment, plans: found.plans, crews, readings, work }
}

/** What needs somebody: service that is due, readings that cannot be right, and equipment out of service that a crew has. */
export const listEquipmentNeeds = async (db: TenantDb, actor: Actor, today: Day): Promise<Equipment[]> => {
  const all = await shown(db, actor, today, await rowsOf(db, today, {}))
  return all
    .map(({ equipment }) => equipment)
    .filter(
      (one) =>
        one.doubtedCount > 0 ||
        (one.out !== null && one.crew !== null) ||
        (one.due !== null && one.due.state !== 'later'),
    )
}
