import type pg from 'pg'
import type { DayPlan, RouteRun } from '../../src/features/routes/contract.ts'
import { applyRun, startRun, undoChange } from '../../src/features/routes/server/commands.ts'
import { getDayPlan, getRun } from '../../src/features/routes/server/queries.ts'
import { rainSpec } from '../../src/features/routes/server/runs/specs.ts'
import type { Actor } from '../../src/platform/actor.ts'
import { asBusinessId, withTenant } from '../../src/platform/db/tenant.ts'
import { addDays, type Day, dayOf, weekdayOf } from '../../src/shared/dates.ts'
import { permissions } from '../../src/shared/roles.ts'

const zone = 'America/New_York'
const stopsPerCrew = 20

/** A business with so many visits on the next Monday and half as many on each of the six work days after it, all with crews. */
const fill = async (client: pg.ClientBase, visits: number, day: Day): Promise<Actor> => {
  const crews = Math.max(1, Math.round(visits / stopsPerCrew))
  const { rows } = await client.query(
    `insert into businesses (business_id, name, slug, time_zone, plan_tier, subscription_status)
      values (gen_random_uuid(), 'Rain ${visits}', 'rain-${visits}', '${zone}', 'enterprise', 'active') returning business_id`,
  )
  const id: string = rows[0].business_id
  const days = Array.from({ length: 9 }, (_, i) => addDays(day, i)).filter((one) => ![0, 6].includes(weekdayOf(one)))
  await client.query(`
    insert into users (business_id, id, name, role, permissions) select '${id}', gen_random_uuid(), 'Owner', 'Owner', '{}';
    insert into services (business_id, id, code, name, price_rule, time_rule) select '${id}', gen_random_uuid(), 'MOW', 'Mow', '{}', '{}';
    insert into crews (business_id, id, name, color, position, depot_latitude, depot_longitude, work_days)
      select '${id}', gen_random_uuid(), 'Crew ' || k, '#14432f', k, 32.08, -81.1, '{1,2,3,4,5}' from generate_series(0, ${crews - 1}) k;`)
  for (const [i, one] of days.entries()) {
    const count = i === 0 ? visits : Math.round(visits / 2)
    await client.query(`
      create temp table w as select n, gen_random_uuid() as customer_id, gen_random_uuid() as property_id, gen_random_uuid() as job_id,
        gen_random_uuid() as line_id, gen_random_uuid() as visit_id from generate_series(1, ${count}) n;
      insert into customers (business_id, id, name, phone) select '${id}', customer_id, 'Customer ' || n, '+1912555' || lpad((n % 10000)::text, 4, '0') from w;
      insert into properties (business_id, id, customer_id, street, city, state, zip, latitude, longitude)
        select '${id}', property_id, customer_id, n || ' Oak St', 'Savannah', 'GA', '31401',
          32.08 + sin((n % ${crews}) * 1.7) * 0.08 + sin(n * 12.9898) * 0.02, -81.1 + cos((n % ${crews}) * 1.7) * 0.08 + sin(n * 78.233) * 0.02 from w;
      insert into jobs (business_id, id, number, customer_id, property_id, title, start_on)
        select '${id}', job_id, ${i * visits} + n, customer_id, property_id, 'Mowing', '2020-01-06' from w;
      insert into job_lines (business_id, id, job_id, service_id, unit_price_cents, budget_minutes, recurrence)
        select '${id}', line_id, job_id, (select id from services where business_id = '${id}'), 5500, 15,
          '{"freq":"week","interval":1}' from w;
      insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, status, budget_minutes, price_cents, crew_id, position)
        select '${id}', visit_id, job_id, customer_id, property_id, '${one}', '${one}', 'scheduled', 15, 5500,
          (select c.id from crews c where c.business_id = '${id}' and c.position = n % ${crews}), n from w;
      insert into visit_lines (business_id, id, visit_id, job_line_id, service_id, description, unit_price_cents, budget_minutes)
        select '${id}', gen_random_uuid(), visit_id, line_id, (select id from services where business_id = '${id}'), 'Mow', 5500, 15 from w;
      drop table w`)
  }
  await client.query('analyze')
  const owner = await client.query('select id from users where business_id = $1', [id])
  return {
    kind: 'user',
    businessId: asBusinessId(id),
    userId: owner.rows[0].id,
    sessionId: owner.rows[0].id,
    sessionKind: 'admin',
    role: 'Owner',
    permissions,
    name: 'Owner',
    timeZone: zone,
    subscriptionActive: true,
    mustSetUpTwoFactor: false,
  }
}

const seconds = (from: number): number => Math.round((performance.now() - from) / 10) / 100

/** Previews, makes and takes back a rain push of days of so many visits. */
export const rainPushes = async (client: pg.ClientBase, sizes: readonly number[]): Promise<object[]> => {
  let day = addDays(dayOf(new Date(), zone), 1)
  while (weekdayOf(day) !== 1) day = addDays(day, 1)
  const results: object[] = []
  for (const visits of sizes) {
    const actor = await fill(client, visits, day)
    for (const strategy of ['push', 'replan'] as const) {
      const began = performance.now()
      let run: RouteRun = await startRun(actor, rainSpec({ day, strategy, days: 6, moveIds: [] }))
      while (run.status === 'running') {
        await new Promise((next) => setTimeout(next, 20))
        run = await withTenant(actor, (db) => getRun(db, actor, run.id))
      }
      if (!run.result) throw new Error(`The rain push ended ${run.status}: ${run.error}`)
      const preview = seconds(began)
      const at = performance.now()
      await applyRun(actor, run.id, { tell: true })
      const applied = seconds(at)
      const messages = Number(
        (await client.query('select count(*) from messages where business_id = $1', [actor.businessId])).rows[0].count,
      )
      const back = performance.now()
      await undoChange(actor, day, undefined)
      const undone = seconds(back)
      const plan: DayPlan = await withTenant(actor, (db) => getDayPlan(db, actor, day))
      if (plan.totals.stops !== visits) throw new Error('Undo did not bring every visit back.')
      results.push({
        visits,
        way: strategy,
        'preview s': preview,
        'searched s': run.result.tookMs / 1000,
        'rows moved': run.result.changeCount,
        'preview kB': Math.round(JSON.stringify(run).length / 1024),
        'apply s': applied,
        messages,
        'undo s': undone,
      })
    }
  }
  return results
}
