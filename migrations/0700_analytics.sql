-- What each day came to, kept so that a year is read in a few rows: a day is counted from the visits, invoices and payments of that day, never added up by
-- those who change them. Whatever changes one of those rows marks its day in its own transaction, whoever wrote it; a marked day is counted again by the
-- next look, and for good by a task.

create table analytics_days (
  business_id uuid not null references businesses on delete cascade,
  kind text not null check (kind in ('all', 'crew', 'service', 'city', 'source')),
  day date not null,
  key text not null default '',
  completions integer not null default 0,
  worth_cents bigint not null default 0,
  captured_cents bigint not null default 0,
  labor_seconds bigint not null default 0,
  drive_labor_seconds bigint not null default 0,
  stops integer not null default 0,
  skips integer not null default 0,
  runs integer not null default 0,
  run_stops integer not null default 0,
  driven_stops integer not null default 0,
  drive_meters bigint not null default 0,
  invoices integer not null default 0,
  invoices_paid integer not null default 0,
  invoiced_cents bigint not null default 0,
  received_cents bigint not null default 0,
  returned_cents bigint not null default 0,
  primary key (business_id, kind, day, key)
);
select guard_tenant_table('analytics_days');
comment on table analytics_days is 'What a day came to: as a whole, and by crew, service, city and source of the customer.';
comment on column analytics_days.key is 'The id of the crew or service, the city or the source; empty where there is none.';
comment on column analytics_days.worth_cents is 'Net price of the visits completed on the day: less discounts and credits, work of billing plans at its share.';
comment on column analytics_days.captured_cents is 'The part of that which money has paid by now; a late payment changes an old day.';
comment on column analytics_days.labor_seconds is 'Man-seconds on site and on the road.';
comment on column analytics_days.runs is 'Crews that finished a stop on the day; run_stops are the stops of theirs.';
comment on column analytics_days.received_cents is 'Payments by the ledger; returned_cents is what of payments of any day went back or to a crew on this day.';
comment on column analytics_days.driven_stops is 'Stops of runs whose way is known: density is theirs over its meters.';

create table analytics_jobs (
  business_id uuid not null references businesses on delete cascade,
  day date not null,
  job_id uuid not null,
  customer_id uuid not null,
  completions integer not null,
  worth_cents bigint not null,
  captured_cents bigint not null,
  primary key (business_id, day, job_id)
);
select guard_tenant_table('analytics_jobs');
comment on table analytics_jobs is 'The same by job, for what cannot be added up over days: how many jobs, and which of them wait for money.';

-- Only ever added and deleted, never changed: two transactions that touch the same day never wait for each other here.
create table analytics_marks (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  day date not null,
  by_transaction xid8 not null,
  primary key (business_id, id)
);
create index analytics_marks_day on analytics_marks (business_id, day, by_transaction);
select guard_tenant_table('analytics_marks', 'select, insert, delete');
comment on table analytics_marks is 'Days that changed since they were counted; a mark goes with the count that saw it.';

-- A mark of another transaction does not stand in for our own: the count that takes it may not see what we do.
create function mark_day(business uuid, on_day date) returns void language sql as $$
  insert into analytics_marks (business_id, id, day, by_transaction)
    select business, gen_random_uuid(), on_day, pg_current_xact_id() where on_day is not null and not exists (
      select from analytics_marks where business_id = business and day = on_day and by_transaction = pg_current_xact_id()) $$;

-- The days of finished visits that an invoice bills, by itself or for a billing plan.
create function mark_days_of_invoice(business uuid, invoice uuid) returns void language sql as $$
  select mark_day(business, x.day) from (
    select v.day from visits v where v.business_id = business and v.invoice_id = invoice and v.status = 'completed'
    union
    select v.day from (
        select plan_id from billing_plan_months where business_id = business and invoice_id = invoice
        union select id from billing_plans where business_id = business and settle_invoice_id = invoice) p
      join billing_plan_deliveries d on d.business_id = business and d.plan_id = p.plan_id
      join visits v on v.business_id = business and v.id = d.visit_id) x $$;

-- Money of a plan pays its work in the order of the days: what changes at one day changes those after it.
create function mark_days_of_plan(business uuid, plan uuid, since date) returns void language sql as $$
  select mark_day(business, x.day) from (select distinct v.day from billing_plan_deliveries d
    join visits v on v.business_id = d.business_id and v.id = d.visit_id
    where d.business_id = business and d.plan_id = plan and (since is null or d.on_day >= since)) x $$;

create function visit_to_analytics() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status in ('completed', 'skipped') then perform mark_day(old.business_id, old.day); end if;
  if tg_op <> 'DELETE' and new.status in ('completed', 'skipped') then perform mark_day(new.business_id, new.day); end if;
  return null;
end $$;
create trigger visits_analytics after insert or delete on visits for each row execute function visit_to_analytics();
create trigger visits_analytics_changed after update on visits for each row
  when ((old.status in ('completed', 'skipped') or new.status in ('completed', 'skipped'))
    and row(old.status, old.day, old.price_cents, old.billable, old.worked_seconds, old.people, old.crew_id, old.planned_drive_seconds,
      old.published_drive_seconds, old.invoice_id, old.job_id, old.customer_id, old.property_id)
    is distinct from row(new.status, new.day, new.price_cents, new.billable, new.worked_seconds, new.people, new.crew_id, new.planned_drive_seconds,
      new.published_drive_seconds, new.invoice_id, new.job_id, new.customer_id, new.property_id))
  execute function visit_to_analytics();

create function visit_line_to_analytics() returns trigger language plpgsql as $$
declare line visit_lines := coalesce(new, old);
begin
  perform mark_day(v.business_id, v.day) from visits v
    where v.business_id = line.business_id and v.id = line.visit_id and v.status = 'completed';
  return null;
end $$;
create trigger visit_lines_analytics after insert or delete on visit_lines for each row execute function visit_line_to_analytics();
create trigger visit_lines_analytics_changed after update on visit_lines for each row
  when (row(old.service_id, old.quantity, old.unit_price_cents, old.budget_minutes)
    is distinct from row(new.service_id, new.quantity, new.unit_price_cents, new.budget_minutes))
  execute function visit_line_to_analytics();

create function route_to_analytics() returns trigger language plpgsql as $$
begin
  if exists (select from visits where business_id = new.business_id and status in ('completed', 'skipped') and day = new.day) then
    perform mark_day(new.business_id, new.day);
  end if;
  return null;
end $$;
create trigger routes_analytics after insert on routes for each row when (new.planned is not null) execute function route_to_analytics();
create trigger routes_analytics_changed after update of planned on routes for each row
  when (old.planned is distinct from new.planned) execute function route_to_analytics();

create function invoice_to_analytics() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status <> 'draft' then perform mark_day(old.business_id, old.issue_on); end if;
  if tg_op = 'DELETE' then
    if old.status <> 'draft' then perform mark_days_of_invoice(old.business_id, old.id); end if;
    return null;
  end if;
  if new.status <> 'draft' then perform mark_day(new.business_id, new.issue_on); end if;
  if tg_op = 'UPDATE' then perform mark_days_of_invoice(new.business_id, new.id); end if;
  return null;
end $$;
create trigger invoices_analytics after insert or delete on invoices for each row execute function invoice_to_analytics();
create trigger invoices_analytics_changed after update on invoices for each row
  when (row(old.status, old.issue_on, old.total_cents, old.tax_cents, old.paid_cents, old.opening_from)
    is distinct from row(new.status, new.issue_on, new.total_cents, new.tax_cents, new.paid_cents, new.opening_from))
  execute function invoice_to_analytics();

-- Money in the place of credit leaves the sum that is paid as it was.
create function allocation_to_analytics() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform mark_days_of_invoice(old.business_id, old.invoice_id); end if;
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or new.invoice_id <> old.invoice_id) then
    perform mark_days_of_invoice(new.business_id, new.invoice_id);
  end if;
  return null;
end $$;
create trigger payment_allocations_analytics after insert or delete on payment_allocations for each row execute function allocation_to_analytics();
create trigger payment_allocations_analytics_changed after update on payment_allocations for each row
  when (row(old.invoice_id, old.amount_cents) is distinct from row(new.invoice_id, new.amount_cents)) execute function allocation_to_analytics();

create function ledger_to_analytics() returns trigger language plpgsql as $$
begin
  perform mark_day(new.business_id, new.on_day);
  return null;
end $$;
create trigger ledger_entries_analytics after insert on ledger_entries for each row
  when (new.kind in ('payment', 'refund', 'dispute', 'tip')) execute function ledger_to_analytics();

create function delivery_to_analytics() returns trigger language plpgsql as $$
declare one billing_plan_deliveries := coalesce(old, new);
begin
  perform mark_day(v.business_id, v.day) from visits v where v.business_id = one.business_id and v.id = one.visit_id;
  perform mark_days_of_plan(one.business_id, one.plan_id, least(one.on_day, (coalesce(new, old)).on_day));
  return null;
end $$;
create trigger billing_plan_deliveries_analytics after insert or update or delete on billing_plan_deliveries
  for each row execute function delivery_to_analytics();

create function plan_to_analytics() returns trigger language plpgsql as $$
begin
  perform mark_days_of_plan(new.business_id, new.id, null);
  return null;
end $$;
create trigger billing_plans_analytics after update on billing_plans for each row
  when (row(old.status, old.season_cents, old.list_cents, old.carry, old.settlement, old.settle_invoice_id)
    is distinct from row(new.status, new.season_cents, new.list_cents, new.carry, new.settlement, new.settle_invoice_id))
  execute function plan_to_analytics();

create function plan_month_to_analytics() returns trigger language plpgsql as $$
begin
  perform mark_days_of_plan(new.business_id, new.plan_id, null);
  return null;
end $$;
create trigger billing_plan_months_analytics after update on billing_plan_months for each row
  when (old.invoice_id is distinct from new.invoice_id) execute function plan_month_to_analytics();

-- What a day is told apart by moves with its record.
create function customer_to_analytics() returns trigger language plpgsql as $$
begin
  perform mark_day(new.business_id, x.day) from (select distinct day from visits
    where business_id = new.business_id and customer_id = new.id and status = 'completed') x;
  return null;
end $$;
create function property_to_analytics() returns trigger language plpgsql as $$
begin
  perform mark_day(new.business_id, x.day) from (select distinct day from visits
    where business_id = new.business_id and property_id = new.id and status = 'completed') x;
  return null;
end $$;
create function job_to_analytics() returns trigger language plpgsql as $$
begin
  perform mark_day(new.business_id, x.day) from (select distinct day from visits
    where business_id = new.business_id and job_id = new.id and status = 'completed') x;
  return null;
end $$;
create trigger customers_analytics after update on customers for each row
  when (old.source is distinct from new.source) execute function customer_to_analytics();
create trigger properties_analytics after update on properties for each row
  when (old.city is distinct from new.city) execute function property_to_analytics();
create trigger jobs_analytics after update on jobs for each row
  when (old.billing is distinct from new.billing) execute function job_to_analytics();

-- What was done before is counted like what changed now.
alter table visits no force row level security;
alter table invoices no force row level security;
alter table ledger_entries no force row level security;
alter table analytics_marks no force row level security;
insert into analytics_marks (business_id, id, day, by_transaction)
  select business_id, gen_random_uuid(), day, pg_current_xact_id() from (
    select business_id, day from visits where status in ('completed', 'skipped') and day is not null
    union select business_id, issue_on from invoices where status <> 'draft' and issue_on is not null
    union select business_id, on_day from ledger_entries where kind in ('payment', 'refund', 'dispute', 'tip')) x;
alter table analytics_marks force row level security;
alter table ledger_entries force row level security;
alter table invoices force row level security;
alter table visits force row level security;
