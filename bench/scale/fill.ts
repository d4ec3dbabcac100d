import type pg from 'pg'
import { defaultServices } from '../../src/features/services/defaults/rules.ts'

const [mow] = defaultServices

/** 400 businesses: one giant, the others small. What is open stays alike while the history behind it grows. */
export const businesses = 400
export const giantCustomers = 1500
const smallCustomers = 20
const allCustomers = giantCustomers + (businesses - 1) * smallCustomers
/** Weeks of work that lie ahead at every size. */
const weeksAhead = 2

/** Weeks of history that so many visits are; every customer has one a week. */
export const weeksOf = (visits: number): number => Math.max(4, Math.round(visits / allCustomers) - weeksAhead)

// Ids that say when, like the product's own: lists that go by id stand in the order of time.
const functions = `
create function pg_temp.timed(at timestamptz) returns uuid language sql volatile as $$
  select (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7' || substr(r, 1, 3) || '-8' || substr(r, 4, 3) || '-' || substr(r, 7, 12))::uuid
  from (select lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as h, md5(random()::text) as r) x
$$`

const base = `
insert into businesses (business_id, name, slug, time_zone, plan_tier, subscription_status)
  select gen_random_uuid(), 'Bench ' || n, 'bench-' || n, 'America/New_York', 'enterprise', 'active' from generate_series(1, ${businesses}) n;
create temp table biz as
  select business_id, substr(slug, 7)::int as n, case when slug = 'bench-1' then ${giantCustomers} else ${smallCustomers} end as customers,
    case when slug = 'bench-1' then 15 else 1 end as crews
  from businesses where slug like 'bench-%';
insert into users (business_id, id, email, name, role, password_hash, email_verified_at)
  select business_id, gen_random_uuid(), 'owner' || n || '@bench.test', 'Owner ' || n, 'Owner', 'x', now() from biz;
insert into users (business_id, id, email, name, role, password_hash, email_verified_at)
  select b.business_id, gen_random_uuid(), 'crew' || b.n || '-' || k || '@bench.test', 'Crew ' || k, 'Employee', 'x', now()
  from biz b, generate_series(1, b.crews) k;
insert into sessions (business_id, id, user_id, family_id, kind, token_hash, expires_at)
  select business_id, gen_random_uuid(), id, gen_random_uuid(), case when role = 'Owner' then 'admin' else 'employee' end, md5(id::text), now() + interval '1 day' from users;
insert into services (business_id, id, code, name, price_rule, time_rule)
  select business_id, gen_random_uuid(), 'MOW', 'Mow, edge, blow', '${JSON.stringify(mow?.priceRule)}', '${JSON.stringify(mow?.timeRule)}' from biz;
insert into tax_rates (business_id, id, name, rate_percent, tax_category, state) select business_id, gen_random_uuid(), 'Georgia', 4, 'lawn', 'GA' from biz;
insert into crews (business_id, id, name, color, position, depot_latitude, depot_longitude)
  select b.business_id, gen_random_uuid(), 'Crew ' || k, '#14432f', k, 32.05, -81.1 from biz b, generate_series(1, b.crews) k;
insert into crew_members (business_id, id, crew_id, user_id, valid_from)
  select c.business_id, gen_random_uuid(), c.id, u.id, '2000-01-01' from crews c join users u on u.business_id = c.business_id and u.name = c.name;
insert into customers (business_id, id, name, email, phone, created_at)
  select b.business_id, pg_temp.timed(now()), 'Customer ' || k, 'c' || k || '@' || b.n || '.bench.test', '+1912' || lpad((k + b.n * 100)::text, 7, '0'), now() - make_interval(days => k % 900)
  from biz b, generate_series(1, b.customers) k;
insert into properties (business_id, id, customer_id, street, city, state, zip, latitude, longitude, geocode_quality)
  select c.business_id, gen_random_uuid(), c.id, substr(c.name, 10) || ' Oak St', 'Savannah', 'GA', '31401', 32 + random() / 5, -81 - random() / 5, 'exact' from customers c;
create temp table work as
  select p.business_id, p.customer_id, p.id as property_id, gen_random_uuid() as job_id, gen_random_uuid() as line_id, s.id as service_id, k.n, cr.id as crew_id, cr.user_id
  from properties p
  join (select business_id, id, substr(name, 10)::int as n from customers) k on k.business_id = p.business_id and k.id = p.customer_id
  join biz b on b.business_id = p.business_id
  join services s on s.business_id = p.business_id
  join (select c.business_id, c.id, c.position, m.user_id from crews c join crew_members m on m.business_id = c.business_id and m.crew_id = c.id) cr
    on cr.business_id = p.business_id and cr.position = 1 + k.n % b.crews;
insert into jobs (business_id, id, number, customer_id, property_id, title, crew_id, start_on, horizon_on)
  select business_id, job_id, n, customer_id, property_id, 'Weekly mowing', crew_id, '2000-01-01', current_date + 14 from work;
insert into job_lines (business_id, id, job_id, service_id, unit_price_cents, budget_minutes, recurrence)
  select business_id, line_id, job_id, service_id, 5500, 45, '{"freq":"week","interval":1,"weekdays":[1],"phaseOn":"2020-01-06","holiday":"skip","exceptions":[]}' from work`

/** Weeks `from` to `to` before this one; week 0 and those before it (negative) are what is open. */
const weeks = (from: number, to: number): string => `
create temp table span as
  select w.*, k as week, current_date - 7 * k - w.n % 6 as day, pg_temp.timed((current_date - 7 * k - w.n % 6)::timestamptz + interval '15 hours') as visit_id,
    -- three weeks of four are billed at their end and paid; the last two weeks wait
    case when k > 2 then overlay(overlay(md5(w.customer_id::text || (k / 4)) placing '4' from 13) placing '8' from 17)::uuid end as invoice_id
  from work w, generate_series(${from}, ${to}) k;
insert into invoices (business_id, id, number, customer_id, status, issue_on, due_on, subtotal_cents, total_cents, paid_cents, bill_to, sent_at, created_at)
  select business_id, invoice_id, row_number() over (partition by business_id order by min(day)) + ${from > 0 ? from * 2000 : 1_000_000}, customer_id,
    case when min(week) < 8 and min(n) % 10 = 0 then 'issued' else 'paid' end, max(day), max(day) + 14, count(*) * 5500, count(*) * 5500,
    case when min(week) < 8 and min(n) % 10 = 0 then 0 else count(*) * 5500 end, '{"name":"Customer","company":null,"street":null,"city":null,"state":null,"zip":null}', max(day), max(day)
  from span where invoice_id is not null group by business_id, invoice_id, customer_id on conflict do nothing;
insert into visits (business_id, id, job_id, customer_id, property_id, occurrence_on, day, crew_id, position, planned_start_minute, published_day, published_crew_id, published_position,
    published_start_minute, status, budget_minutes, price_cents, started_at, finished_at, worked_seconds, people, invoice_id, created_at)
  select business_id, visit_id, job_id, customer_id, property_id, day, day, crew_id, n % 30, 480 + n % 30 * 15, day, crew_id, n % 30, 480 + n % 30 * 15,
    case when day < current_date then 'completed' else 'scheduled' end, 45, 5500, case when day < current_date then day + interval '14 hours' end,
    case when day < current_date then day + interval '15 hours' end, 2700, 2, invoice_id, day from span;
insert into visit_lines (business_id, id, visit_id, job_line_id, service_id, unit_price_cents, budget_minutes)
  select business_id, gen_random_uuid(), visit_id, line_id, service_id, 5500, 45 from span;
insert into invoice_lines (business_id, id, invoice_id, visit_id, visit_line_id, property_id, service_id, service_on, description, unit_price_cents, total_cents)
  select s.business_id, gen_random_uuid(), s.invoice_id, s.visit_id, l.id, s.property_id, s.service_id, s.day, 'Mow, edge, blow', 5500, 5500
  from span s join visit_lines l on l.business_id = s.business_id and l.visit_id = s.visit_id where s.invoice_id is not null;
insert into ledger_entries (business_id, id, customer_id, kind, amount_cents, ref_type, ref_id, on_day)
  select business_id, gen_random_uuid(), customer_id, 'invoice', total_cents, 'invoice', id, issue_on from invoices i
  where exists (select 1 from span s where s.business_id = i.business_id and s.invoice_id = i.id) on conflict do nothing;
create temp table paid as select business_id, id as invoice_id, customer_id, total_cents, due_on, gen_random_uuid() as payment_id from invoices i
  where status = 'paid' and not exists (select 1 from payment_allocations a where a.business_id = i.business_id and a.invoice_id = i.id);
insert into payments (business_id, id, customer_id, method, amount_cents, allocated_cents, received_on) select business_id, payment_id, customer_id, 'check', total_cents, total_cents, due_on from paid;
insert into payment_allocations (business_id, id, payment_id, invoice_id, amount_cents) select business_id, gen_random_uuid(), payment_id, invoice_id, total_cents from paid;
insert into allocation_moves (business_id, id, payment_id, invoice_id, amount_cents, on_day) select business_id, gen_random_uuid(), payment_id, invoice_id, total_cents, due_on from paid;
insert into ledger_entries (business_id, id, customer_id, kind, amount_cents, ref_type, ref_id, on_day)
  select business_id, gen_random_uuid(), customer_id, 'payment', -total_cents, 'payment', payment_id, due_on from paid;
insert into messages (business_id, id, channel, customer_id, address, subject, body_text, dedupe_key, status, entity_type, entity_id, sent_at, delivered_at, created_at)
  select business_id, pg_temp.timed(day::timestamptz + interval '18 hours'), case when n % 3 = 0 then 'email' else 'sms' end, customer_id, 'c@bench.test', 'Done', 'Your lawn is mowed.',
    'bench:' || visit_id, 'delivered', 'visit', visit_id, day, day, day from span where day < current_date and n % 2 = 0;
insert into messages (business_id, id, channel, direction, purpose, customer_id, address, body_text, dedupe_key, status, opened_at, created_at)
  select business_id, pg_temp.timed(day::timestamptz + interval '19 hours'), 'sms', 'inbound', 'reply', customer_id, '+19125550100', 'Thank you!', 'in:' || visit_id, 'received',
    case when week > 0 then day end, day from span where day < current_date and n % 40 = 0;
insert into notifications (business_id, id, user_id, type, title, read_at, created_at)
  select s.business_id, gen_random_uuid(), u.id, 'job', 'A visit is done', case when s.week > 0 then s.day end, s.day from span s
  join users u on u.business_id = s.business_id and u.role = 'Owner' where s.day < current_date and s.n % 5 = 0;
insert into routes (business_id, id, day, crew_id, status, published_at, planned, booked)
  select distinct on (span.business_id, span.day, span.crew_id) business_id, gen_random_uuid(), day, crew_id, 'published', day::timestamptz as at, '{"driveSeconds":5400,"driveMeters":40000,"endMinute":960}'::jsonb,
    '{"driveSeconds":7200}'::jsonb from span on conflict do nothing;
insert into time_entries (business_id, id, user_id, crew_id, started_at, ended_at)
  select distinct on (span.business_id, span.day, span.user_id) business_id, gen_random_uuid(), user_id, crew_id, day + interval '12 hours' as started, day + interval '21 hours' from span where day < current_date;
insert into crew_commands (business_id, id, user_id, type, visit_id, payload, device_at, happened_at, received_at, result)
  select business_id, gen_random_uuid(), user_id, 'visit.finish', visit_id, '{}', day, day, day, 'applied' from span where day < current_date;
insert into events (business_id, id, name, payload, at) select business_id, gen_random_uuid(), 'visit.finished', '{}', day from span where day < current_date;
insert into audit_log (business_id, id, actor_kind, action, entity_type, entity_id, at)
  select business_id, gen_random_uuid(), 'system', 'invoice.issue', 'invoice', id, created_at from invoices i where exists (select 1 from paid p where p.business_id = i.business_id and p.invoice_id = i.id);
drop table span, paid`

/** Businesses, people, customers and their jobs, and what is open this week and the next two. */
export const fillBase = async (client: pg.ClientBase): Promise<void> => {
  // Rows are made whole, so their checks against each other are left out; the superuser of the bench sees every business.
  await client.query("set session_replication_role = replica; set statement_timeout = 0; set work_mem = '128MB'")
  await client.query(functions)
  await client.query(base)
  await client.query(weeks(-weeksAhead, 0))
}

/** The history between two sizes, in weeks before today. */
export const fillHistory = async (client: pg.ClientBase, from: number, to: number): Promise<void> => {
  // a month at a time: the tables beside it stay small enough for memory
  for (let week = from; week <= to; week += 26) await client.query(weeks(week, Math.min(to, week + 25)))
  const totals = await client.query("select to_regclass('public.customer_balances') is not null as there")
  if (totals.rows[0]?.there)
    await client.query(`truncate customer_balances, invoice_totals;
      insert into customer_balances (business_id, customer_id, balance_cents) select business_id, customer_id, sum(amount_cents) from ledger_entries group by 1, 2;
      insert into invoice_totals (business_id, status, count) select business_id, status, count(*) from invoices group by 1, 2`)
  await client.query('vacuum analyze')
}
