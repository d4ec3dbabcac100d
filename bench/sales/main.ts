import pg from 'pg'
import { databaseUrl } from '../../src/platform/db/database.ts'
import { asBusinessId } from '../../src/platform/db/tenant.ts'
import { signAccessToken } from '../../src/platform/http/session.ts'
import { newId } from '../../src/platform/ids.ts'
import { superuserUrl } from '../../src/test/cluster.ts'
import { withBenchServer } from '../server.ts'
import { renewSeason } from './renewals.ts'

const business = `
insert into businesses (business_id, name, slug, time_zone, plan_tier, subscription_status)
  values (gen_random_uuid(), 'Bench', 'bench-sales', 'America/New_York', 'enterprise', 'active');
create temp table biz as select business_id from businesses where slug = 'bench-sales';
insert into users (business_id, id, email, name, role, password_hash, email_verified_at)
  select business_id, gen_random_uuid(), 'owner@bench.test', 'Owner', 'Owner', 'x', now() from biz;
insert into sessions (business_id, id, user_id, family_id, kind, token_hash, expires_at)
  select business_id, gen_random_uuid(), id, gen_random_uuid(), 'admin', md5(id::text), now() + interval '1 day' from users`

/** Customers `from` to `to`: each with a property, weekly work from a crew's job, every tenth with two tags, calls of a year, a quote, and a lead that stands somewhere in the funnel. */
const customers = (from: number, to: number): string => `
insert into customers (business_id, id, name, email, phone, tags, created_at)
  select business_id, gen_random_uuid(), 'Customer ' || k, 'c' || k || '@bench.test', '+1912' || lpad(k::text, 7, '0'),
    case when k % 10 = 0 then '{weekly,"front gate"}'::text[] else '{}' end, now() - make_interval(mins => k)
  from biz, generate_series(${from}, ${to}) k;
create temp table fresh as select business_id, id, substr(name, 10)::int as n from customers where substr(name, 10)::int between ${from} and ${to};
insert into properties (business_id, id, customer_id, street, city, state, zip, latitude, longitude, geocode_quality)
  select business_id, gen_random_uuid(), id, n || ' ' || (array['Oak St', 'Vernon River Dr', 'Bull St', 'Elm Ave'])[1 + n % 4], 'Savannah', 'GA', '314' || lpad((n % 20)::text, 2, '0'),
    32 + random() / 5, -81 - random() / 5, 'exact' from fresh;
insert into jobs (business_id, id, number, customer_id, property_id, title, start_on, horizon_on)
  select f.business_id, gen_random_uuid(), f.n, f.id, p.id, 'Weekly mowing', '2026-01-01', current_date + 14
  from fresh f join properties p on p.business_id = f.business_id and p.customer_id = f.id;
insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, status, budget_minutes, price_cents)
  select j.business_id, gen_random_uuid(), j.id, j.customer_id, j.property_id, d, d, case when d < current_date then 'completed' else 'scheduled' end, 45, 5500
  from jobs j join fresh f on f.business_id = j.business_id and f.id = j.customer_id,
    lateral (select current_date + j.number % 6 - 7 * w as d from generate_series(-1, 2) w) days;
insert into customer_calls (business_id, id, customer_id, direction, outcome, note, at)
  select business_id, gen_random_uuid(), id, 'out', 'talked', 'About the gate', now() - make_interval(days => w * 30) from fresh, generate_series(1, 3) w;
insert into quotes (business_id, id, number, customer_id, property_id, status, title, content, total_cents, first_sent_at, sent_at, created_at)
  select f.business_id, gen_random_uuid(), 1000 + f.n, f.id, p.id, (array['draft', 'sent', 'viewed', 'approved', 'declined', 'converted'])[1 + f.n % 6],
    'Weekly mowing', '{"lines": [], "packages": [], "photoIds": []}', 5500 + f.n, now() - make_interval(mins => f.n), now() - make_interval(mins => f.n), now() - make_interval(mins => f.n)
  from fresh f join properties p on p.business_id = f.business_id and p.customer_id = f.id;
insert into business_leads (business_id, id, name, email, phone, street, city, state, zip, wants, source, stage, stage_at, lost_reason, replied_at, created_at, updated_at)
  select business_id, gen_random_uuid(), 'Lead ' || n, 'l' || n || '@bench.test', '+1478' || lpad(n::text, 7, '0'), n || ' Pine St', 'Macon', 'GA', '31201', 'Weekly mowing',
    'website', (array['new', 'contacted', 'quoted', 'won', 'lost'])[1 + n % 5], now() - make_interval(mins => n), case when n % 5 = 4 then 'price' end,
    case when n % 5 > 0 then now() end, now() - make_interval(mins => n), now() from fresh;
drop table fresh`

const tries = [
  ['list, first page', '/api/customers?limit=100'],
  ['list, by city', '/api/customers?limit=100&sort=city'],
  ['list, newest first', '/api/customers?limit=100&sort=created&order=desc'],
  ['filter by tag', '/api/customers?limit=100&tag=front%20gate'],
  ['filter: no job', '/api/customers?limit=100&hasJob=false'],
  ['filter by ZIP', '/api/customers?limit=100&zip=31407'],
  ['search a name', '/api/customers?limit=100&q=customer%20700'],
  ['search a street', '/api/customers?limit=100&q=vernon%20river'],
  ['search a phone', '/api/customers?limit=100&q=912%20000%200700'],
  ['counts of the views', '/api/customers/counts'],
  ['tags, cities, ZIPs', '/api/customers/facets'],
  ['map', '/api/customers/map'],
  ['map of a tag', '/api/customers/map?tag=weekly'],
  ['a record', '/api/customers/:id'],
  ['its timeline', '/api/customers/:id/timeline'],
  ['its duplicates', '/api/customers/:id/duplicates'],
  ['board of leads', '/api/business-leads/board'],
  ['leads as a table', '/api/business-leads?limit=50'],
  ['search a lead', '/api/business-leads?limit=50&search=lead%20700'],
  ['quotes', '/api/quotes?limit=100'],
  ['quotes that wait', '/api/quotes?limit=100&view=waiting'],
  ['search a quote', '/api/quotes?limit=100&search=customer%20700'],
] as const

/** Up to so many milliseconds half of the answers may take, and all but one of a hundred. */
const aims = { p50: 100, p99: 300 }

const at = (values: readonly number[], share: number): number =>
  Math.round(
    (values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0) * 10,
  ) / 10

/**
 * `npm run bench -- sales [--customers 10000,50000] [--times 100] [--renewals 2000]`: list, filter, search and map of a business with so many customers, its
 * leads and quotes, and the renewal of so many programs, in milliseconds over HTTP; the aims are printed below. 0 renewals leaves them out.
 */
export const run = async (args: string[]): Promise<void> => {
  const value = (flag: string, usual: string): string => args[args.indexOf(flag) + 1 || args.length] ?? usual
  const sizes = value('--customers', '10000,50000').split(',').map(Number)
  const times = Number(value('--times', '100'))
  await withBenchServer(async ({ raw }) => {
    const client = new pg.Client({ connectionString: superuserUrl(databaseUrl()) })
    await client.connect()
    await client.query('set session_replication_role = replica; set statement_timeout = 0')
    await client.query(business)
    const { rows: people } = await client.query(
      'select u.business_id, u.id as user_id, s.id as session_id from users u join sessions s on s.user_id = u.id',
    )
    const [who] = people
    const token = await signAccessToken({
      businessId: asBusinessId(who.business_id),
      userId: who.user_id,
      sessionId: who.session_id,
      tokenVersion: 1,
    })
    const found = new Map<string, Record<string, number | string>>()
    let made = 0
    for (const size of sizes) {
      await client.query(customers(made + 1, size))
      await client.query('vacuum analyze')
      made = size
      const { rows } = await client.query("select id from customers where name = 'Customer 700'")
      for (const [name, path] of tries) {
        const url = path.replace(':id', rows[0].id)
        const spans: number[] = []
        let bytes = 0
        for (let n = 0; n <= times; n++) {
          const began = performance.now()
          const answer = await raw({ url, headers: { authorization: `Bearer ${token}`, 'x-client-app': 'admin' } })
          if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
          bytes = answer.body.length
          // the first one pays for a plan and cold pages
          if (n > 0) spans.push(performance.now() - began)
        }
        if (!args.includes('--json')) console.log(`${size}: ${name}, ${at(spans, 0.5)} ms, at worst ${at(spans, 1)} ms`)
        found.set(name, {
          ...found.get(name),
          [`${size} p50 ms`]: at(spans, 0.5),
          [`${size} p99 ms`]: at(spans, 0.99),
          [`${size} KB`]: Math.round(bytes / 1024),
          [`${size} aim`]: at(spans, 0.5) <= aims.p50 && at(spans, 0.99) <= aims.p99 ? 'met' : 'missed',
        })
      }
    }
    const count = Math.min(made, Number(value('--renewals', '2000')))
    const renewed =
      count === 0
        ? []
        : await renewSeason(
            async (method, url, payload) => {
              const headers = {
                authorization: `Bearer ${token}`,
                'x-client-app': 'admin',
                'content-type': 'application/json',
                'idempotency-key': newId(),
              }
              const answer = await raw({ method, url, headers, ...(payload ? { payload } : {}) })
              if (answer.statusCode !== 200)
                throw new Error(`${url}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
              return JSON.parse(answer.body)
            },
            who.business_id,
            count,
          )
    await client.end()
    const table = [...[...found].map(([what, figures]) => ({ what, ...figures })), ...renewed]
    if (args.includes('--json')) console.log(JSON.stringify(table))
    else {
      console.table(table)
      console.log(`Aims: ${aims.p50} ms in the middle, ${aims.p99} ms at the 99th percentile of ${times}.`)
    }
  })
}
