import type pg from 'pg'
import { hashPassword } from '../../src/features/accounts/server/commands.ts'
import type { Actor } from '../../src/platform/actor.ts'
import { asBusinessId } from '../../src/platform/db/tenant.ts'
import type { Day } from '../../src/shared/dates.ts'
import { permissions } from '../../src/shared/roles.ts'

export const zone = 'America/New_York'
export const password = 'correct horse 1'
const stopsPerCrew = 20

const difficultyPercent = [100, 100, 100, 100, 100]
const rules = {
  price: JSON.stringify({
    minCents: 5500,
    sizeAtMinSquareFeet: 5000,
    tiers: [{ upToSquareFeet: null, centsPerKsqft: 500 }],
    roundToCents: 100,
    difficultyPercent,
    frequencyPercent: { weekly: 100, biweekly: 115, monthly: 130, once: 150 },
    firstCutPercent: 150,
  }),
  time: JSON.stringify({ fixedMinutes: 15, minutesPerKsqft: 0, minutesPerUnit: 0, difficultyPercent }),
}

export type BenchBusiness = { owner: Actor & { kind: 'user' }; email: string; crews: number }

/** A business of its own with so many visits on each of these days, 20 a crew on the fullest, all with crews; its owner signs in with `password`. */
export const fillDays = async (
  client: pg.ClientBase,
  name: string,
  days: readonly { day: Day; visits: number }[],
): Promise<BenchBusiness> => {
  const crews = Math.max(1, Math.round(Math.max(...days.map(({ visits }) => visits)) / stopsPerCrew))
  const email = `${name}@bench.swath.test`
  const { rows } = await client.query(
    `insert into businesses (business_id, name, slug, time_zone, plan_tier, subscription_status)
      values (gen_random_uuid(), '${name}', '${name}', '${zone}', 'enterprise', 'active') returning business_id`,
  )
  const id: string = rows[0].business_id
  await client.query(`
    insert into users (business_id, id, name, role, permissions, email, email_verified_at, password_hash)
      select '${id}', gen_random_uuid(), 'Owner', 'Owner', '{}', '${email}', now(), '${await hashPassword(password)}';
    insert into account_emails (email, business_id, user_id) select '${email}', business_id, id from users where business_id = '${id}';
    insert into services (business_id, id, code, name, price_rule, time_rule) select '${id}', gen_random_uuid(), 'MOW', 'Mow', '${rules.price}', '${rules.time}';
    insert into crews (business_id, id, name, color, position, depot_latitude, depot_longitude, work_days)
      select '${id}', gen_random_uuid(), 'Crew ' || k, '#14432f', k, 32.08, -81.1, '{1,2,3,4,5}' from generate_series(0, ${crews - 1}) k;`)
  let made = 0
  for (const { day, visits } of days) {
    await client.query(`
      create temp table w as select n, gen_random_uuid() as customer_id, gen_random_uuid() as property_id, gen_random_uuid() as job_id,
        gen_random_uuid() as line_id, gen_random_uuid() as visit_id from generate_series(1, ${visits}) n;
      insert into customers (business_id, id, name, phone) select '${id}', customer_id, 'Customer ' || n, '+1912555' || lpad((n % 10000)::text, 4, '0') from w;
      insert into properties (business_id, id, customer_id, street, city, state, zip, latitude, longitude)
        select '${id}', property_id, customer_id, n || ' Oak St', 'Savannah', 'GA', '31401',
          32.08 + sin((n % ${crews}) * 1.7) * 0.08 + sin(n * 12.9898) * 0.02, -81.1 + cos((n % ${crews}) * 1.7) * 0.08 + sin(n * 78.233) * 0.02 from w;
      insert into jobs (business_id, id, number, customer_id, property_id, title, start_on)
        select '${id}', job_id, ${made} + n, customer_id, property_id, 'Mowing', '2020-01-06' from w;
      insert into job_lines (business_id, id, job_id, service_id, unit_price_cents, budget_minutes, recurrence)
        select '${id}', line_id, job_id, (select id from services where business_id = '${id}'), 5500, 15,
          '{"freq":"week","interval":1}' from w;
      insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, status, budget_minutes, price_cents, crew_id, position)
        select '${id}', visit_id, job_id, customer_id, property_id, '${day}', '${day}', 'scheduled', 15, 5500,
          (select c.id from crews c where c.business_id = '${id}' and c.position = n % ${crews}), n from w;
      insert into visit_lines (business_id, id, visit_id, job_line_id, service_id, description, unit_price_cents, budget_minutes)
        select '${id}', gen_random_uuid(), visit_id, line_id, (select id from services where business_id = '${id}'), 'Mow', 5500, 15 from w;
      drop table w`)
    made += visits
  }
  await client.query('analyze')
  const person = await client.query('select id from users where business_id = $1', [id])
  const owner: BenchBusiness['owner'] = {
    kind: 'user',
    businessId: asBusinessId(id),
    userId: person.rows[0].id,
    sessionId: person.rows[0].id,
    sessionKind: 'admin',
    role: 'Owner',
    permissions,
    name: 'Owner',
    timeZone: zone,
    subscriptionActive: true,
    mustSetUpTwoFactor: false,
  }
  return { owner, email, crews }
}
