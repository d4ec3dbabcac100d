import pg from 'pg'
import { materializeVisitsTx } from '../../src/features/jobs/schedule/server/commands.ts'
import { getCalendar, listJobIdsToTopUp } from '../../src/features/jobs/schedule/server/queries.ts'
import { topUpVisits } from '../../src/features/jobs/server/tasks.ts'
import { systemActor } from '../../src/platform/actor.ts'
import { databaseUrl } from '../../src/platform/db/database.ts'
import { asBusinessId, type BusinessId, withTenant } from '../../src/platform/db/tenant.ts'
import { addDays } from '../../src/shared/dates.ts'
import { superuserUrl } from '../../src/test/cluster.ts'
import { withBenchServer } from '../server.ts'
import { calendars } from './calendar.ts'
import { rainPushes } from './rain.ts'

const perJob = 2
/** Visits of each job that are over. */
const pastVisits = 4
const rule = (interval: number, weekday: string, more = '') =>
  `jsonb_build_object('freq', 'week', 'interval', ${interval}, 'weekdays', jsonb_build_array(${weekday}), 'phaseOn', '2020-01-06',
    'season', '[]'::jsonb, 'holiday', 'next', 'exceptions', '[]'::jsonb${more})`

/** A business with so many recurring lines, two a job: weekly or biweekly mowing with a slower winter, and every sixth week a treatment. */
const fill = async (client: pg.ClientBase, lines: number): Promise<BusinessId> => {
  const jobs = lines / perJob
  const { rows } = await client.query(
    `insert into businesses (business_id, name, slug, time_zone, plan_tier, subscription_status)
      values (gen_random_uuid(), 'Bench ${lines}', 'bench-${lines}', 'America/New_York', 'enterprise', 'active') returning business_id`,
  )
  const id: string = rows[0].business_id
  await client.query(`
    create temp table w as select n, gen_random_uuid() as customer_id, gen_random_uuid() as property_id, gen_random_uuid() as job_id from generate_series(1, ${jobs}) n;
    insert into services (business_id, id, code, name, price_rule, time_rule) select '${id}', gen_random_uuid(), 'MOW', 'Mow', '{}', '{}';
    insert into crews (business_id, id, name, color, position) select '${id}', gen_random_uuid(), 'Crew ' || k, '#14432f', k from generate_series(1, 15) k;
    insert into customers (business_id, id, name) select '${id}', customer_id, 'Customer ' || n from w;
    insert into properties (business_id, id, customer_id, street, city, state, zip) select '${id}', property_id, customer_id, n || ' Oak St', 'Savannah', 'GA', '31401' from w;
    insert into jobs (business_id, id, number, customer_id, property_id, title, crew_id, start_on)
      select '${id}', job_id, n, customer_id, property_id, 'Mowing', (select id from crews c where c.business_id = '${id}' and c.position = 1 + n % 15), '2020-01-06' from w;
    insert into job_lines (business_id, id, job_id, service_id, unit_price_cents, budget_minutes, recurrence, position)
      select '${id}', gen_random_uuid(), job_id, (select id from services where business_id = '${id}'), 5500, 40,
        case when k = 2 then ${rule(6, '1 + n % 5', `, 'minGapDays', 28`)}
          else ${rule(1, '1 + n % 5', `, 'periods', '[{"from":"12-01","to":"02-29","interval":2}]'::jsonb`)} end, k
      from w, generate_series(1, ${perJob}) k;
    insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, status, budget_minutes, price_cents)
      select '${id}', gen_random_uuid(), job_id, customer_id, property_id, current_date - 7 * k, current_date - 7 * k, 'completed', 40, 5500
      from w, generate_series(1, ${pastVisits}) k;
    drop table w`)
  // With its past, as a business has it: on an empty table PostgreSQL keeps plans that walk it for every line.
  await client.query('analyze')
  return asBusinessId(id)
}

const timed = async (work: () => Promise<void>): Promise<number> => {
  const from = performance.now()
  await work()
  return Math.round((performance.now() - from) / 10) / 100
}

/** What is still to make two weeks later, as the nightly walks until then would. */
const nextWeeks = async (businessId: BusinessId): Promise<void> => {
  const actor = systemActor(businessId)
  for (let afterId: string | null = null; ; ) {
    const last: string | null = await withTenant(actor, async (db) => {
      const { today } = await getCalendar(db)
      const ids = await listJobIdsToTopUp(db, { before: addDays(today, 400), afterId, limit: 200 })
      await materializeVisitsTx(db, ids, { untilDay: addDays(today, 97) })
      return ids.at(-1) ?? null
    })
    if (last === null) return
    afterId = last
  }
}

/**
 * `npm run -s bench -- schedule [lines ...]`: tops up twelve weeks of visits for businesses of so many recurring lines (2,000 and 5,000, and twice and
 * four times that), once more where nothing is missing, and for two more weeks; then previews, makes and takes back rain pushes of a day of 75, 150 and
 * 300 visits, and reads the calendar of a month with so many on each work day. Prints seconds, rows, bytes and what a line costs. `--rain`: only the
 * pushes; `--calendar`: only the calendar.
 */
export const run = async (args: string[]): Promise<void> => {
  const asked = args.filter((arg) => /^\d+$/.test(arg)).map(Number)
  const only = args.find((arg) => arg === '--rain' || arg === '--calendar')
  const sizesOf = (part: string | undefined, usual: number[]) =>
    only && only !== part ? [] : only === part && asked.length > 0 ? asked : usual
  await withBenchServer(async (server) => {
    const client = new pg.Client({ connectionString: superuserUrl(databaseUrl()) })
    await client.connect()
    const results = []
    let pushes: object[] = []
    let calendar: Awaited<ReturnType<typeof calendars>> = { reads: [], screen: [] }
    try {
      for (const lines of sizesOf(undefined, [2000, 5000, 10_000, 20_000])) {
        const businessId = await fill(client, lines)
        const count = async () =>
          Number((await client.query('select count(*) from visits where business_id = $1', [businessId])).rows[0].count)
        const first = await timed(() => topUpVisits.run(systemActor(businessId), {}))
        const rows = await count()
        const again = await timed(() => topUpVisits.run(systemActor(businessId), {}))
        if ((await count()) !== rows) throw new Error('The second top-up made visits twice.')
        const later = await timed(() => nextWeeks(businessId))
        results.push({
          lines,
          'first s': first,
          'visits made': rows - (lines / perJob) * pastVisits,
          'again s': again,
          'two more weeks s': later,
          'new visits': (await count()) - rows,
          'ms a line': Math.round((first / lines) * 100_000) / 100,
        })
      }
      pushes = await rainPushes(client, sizesOf('--rain', [75, 150, 300]))
      calendar = await calendars(server, client, sizesOf('--calendar', [75, 150, 300]))
    } finally {
      await client.end()
    }
    if (args.includes('--json')) console.log(JSON.stringify({ topUp: results, rain: pushes, calendar }))
    else {
      for (const table of [results, pushes, calendar.reads, calendar.screen]) if (table.length > 0) console.table(table)
    }
  })
}
