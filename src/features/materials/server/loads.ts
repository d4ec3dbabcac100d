import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import type { Day } from '../../../shared/dates.ts'
import { todayOf } from '../../businesses/server/queries.ts'
import type { Choice } from '../calculation/contract.ts'
import { calculate, waterWeightOf, weightOf } from '../calculation/rules.ts'
import type { Load, LoadGroup, PlannedMaterial } from '../contract.ts'
import { packagesFor } from '../rules.ts'
import { getMaterialSettings, readMaterials } from './queries.ts'

/** The most calculations that are ahead, and the most that are shown of those that are over. */
export const mostPlans = 300

export const openStatuses: readonly string[] = ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused']
const isOpen = sql`v.status = any(${sql.val([...openStatuses])}::text[])`

/** Somebody still loads for it: its visit is open and today or later. */
const isAhead = (today: Day) => sql<boolean>`(${isOpen} and (v.day is null or v.day >= ${today}))`

/** Calculations that somebody still loads for. */
export const countAhead = async (db: TenantDb): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from material_plans l join visits v on v.business_id = l.business_id and v.id = l.visit_id
    where l.business_id = ${db.businessId} and l.used_at is null and ${isAhead(await todayOf(db))}`.execute(db)
  return rows[0]?.n ?? 0
}

type PlanRow = Omit<PlannedMaterial, 'problem'> & {
  crew: Load['crew']
  group: LoadGroup
  state: string | null
  choice: Choice
}
const order: readonly LoadGroup[] = ['ahead', 'done', 'canceled', 'gone']

const readPlans = async (db: TenantDb, today: Day): Promise<PlanRow[]> => {
  const read = async (ahead: boolean) => {
    const { rows } = await sql<PlanRow>`
      select l.id, l.material_id as "materialId", l.place, l.visit_id as "visitId", v.job_id as "jobId", l.amount::float8 as amount,
        u.name as by, v.day, l.choice, p.state,
        case when v.id is null then 'gone' when v.status in ('canceled', 'skipped', 'missed') then 'canceled'
          when ${isAhead(today)} then 'ahead' else 'done' end as "group",
        case when c.id is null then null else jsonb_build_object('id', c.id, 'name', c.name, 'color', c.color) end as crew
      from material_plans l
      left join visits v on v.business_id = l.business_id and v.id = l.visit_id
      left join properties p on p.business_id = v.business_id and p.id = v.property_id
      left join crews c on c.business_id = v.business_id and c.id = v.crew_id
      left join users u on u.business_id = l.business_id and u.id = l.user_id
      where l.business_id = ${db.businessId} and l.used_at is null and coalesce(${isAhead(today)}, false) = ${ahead}
      order by ${ahead ? sql`v.day nulls last` : sql`v.day desc nulls last`}, lower(c.name) nulls last, c.id, l.created_at, l.id
      limit ${mostPlans + 1}`.execute(db)
    return rows
  }
  return [...(await read(true)), ...(await read(false))]
}

/** A fertilizer goes by the state of the place and the day that its visit has now. */
const choiceNow = ({ choice, state, day }: PlanRow): Choice =>
  choice.kind === 'fertilizer' ? { ...choice, state: state || null, on: day ?? choice.on } : choice

/**
 * What is calculated and not used yet, by day and crew: each material over all stops, its packages counted once.
 * What nobody loads any more stands apart and weighs nothing.
 */
export const listLoads = async (db: TenantDb, actor: Actor): Promise<{ today: Day; items: Load[]; more: boolean }> => {
  const today = await todayOf(db)
  const rows = await readPlans(db, today)
  const ahead = rows.filter(({ group }) => group === 'ahead')
  const over = rows.filter(({ group }) => group !== 'ahead')
  const kept = [...ahead.slice(0, mostPlans), ...over.slice(0, mostPlans)]
  const { lawsOff } = await getMaterialSettings(db, actor)
  const materials = new Map(
    (await readMaterials(db, { ids: [...new Set(kept.map(({ materialId }) => materialId))] })).map((one) => [
      one.id,
      one,
    ]),
  )
  const groups = [
    ...Map.groupBy(kept, ({ group, day, crew }) =>
      group === 'ahead' ? `ahead ${day} ${crew?.id ?? ''}` : group,
    ).values(),
  ].sort(([a], [b]) => order.indexOf(a?.group ?? 'gone') - order.indexOf(b?.group ?? 'gone'))
  return {
    today,
    more: rows.length > kept.length,
    items: groups.map((own): Load => {
      const [first] = own
      const isOn = first?.group === 'ahead'
      const loaded = [...Map.groupBy(own, ({ materialId }) => materialId)].flatMap(([id, stops]) => {
        const material = materials.get(id)
        if (!material) return []
        const amount = Math.round(stops.reduce((sum, one) => sum + one.amount, 0) * 1000) / 1000
        const packages = packagesFor(amount, material)
        return [{ material, amount, packages, weight: isOn ? weightOf(material, packages) : 0, stops }]
      })
      const water = isOn ? waterWeightOf(own.map(({ choice }) => choice)) : 0
      return {
        group: first?.group ?? 'gone',
        day: isOn ? (first?.day ?? null) : null,
        crew: isOn ? (first?.crew ?? null) : null,
        weightPounds: Math.round(loaded.reduce((sum, { weight }) => sum + (weight ?? 0), water)),
        unweighed: loaded.filter(({ weight }) => weight === null).map(({ material }) => material.name),
        materials: loaded.map(({ material, amount, packages, stops }) => ({
          materialId: material.id,
          name: material.name,
          package: material.package,
          packageSize: material.packageSize,
          unit: material.unit,
          onHand: material.onHand,
          amount,
          packages,
          stops: stops.map((stop) => ({
            id: stop.id,
            materialId: stop.materialId,
            place: stop.place,
            visitId: stop.visitId,
            jobId: stop.jobId,
            day: stop.day,
            amount: stop.amount,
            by: stop.by,
            // its day, the label or the material may have changed since
            problem: isOn ? (calculate(choiceNow(stop), material, lawsOff).problem?.message ?? null) : null,
          })),
        })),
      }
    }),
  }
}
