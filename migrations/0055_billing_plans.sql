-- Level payments and prepaid seasons: what was agreed, what is billed month by month, and what was delivered against it.

create table billing_plans (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  customer_id uuid not null,
  kind text not null check (kind in ('budget', 'prepaid')),
  name text not null check (length(name) between 1 and 80),
  status text not null default 'active' check (status in ('active', 'settled', 'discarded')),
  starts_on date not null,
  ends_on date not null,
  bill_day integer not null check (bill_day between 1 and 31),
  list_cents bigint not null check (list_cents > 0),
  season_cents bigint not null check (season_cents > 0),
  reason text not null default '',
  carry jsonb not null default '[]',
  carried_from uuid,
  delivered_list_cents bigint not null default 0,
  expected_list_cents bigint not null,
  held_since date,
  settled_on date,
  settled_by uuid,
  settlement jsonb,
  settle_invoice_id uuid,
  settle_payment_id uuid,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, carried_from),
  check (ends_on >= starts_on),
  check ((status = 'settled') = (settled_on is not null)),
  foreign key (business_id, customer_id) references customers on delete restrict,
  foreign key (business_id, carried_from) references billing_plans,
  foreign key (business_id, settle_invoice_id) references invoices on delete restrict,
  foreign key (business_id, settle_payment_id) references payments on delete restrict
);
create index billing_plans_customer on billing_plans (business_id, customer_id);
create index billing_plans_running on billing_plans (business_id, ends_on) where status = 'active';
create index billing_plans_settle_invoice on billing_plans (business_id, settle_invoice_id) where settle_invoice_id is not null;
create index billing_plans_settle_payment on billing_plans (business_id, settle_payment_id) where settle_payment_id is not null;
select guard_tenant_table('billing_plans');
comment on column billing_plans.list_cents is 'What its work is expected to come to at the prices of the visits; season_cents was agreed for it. Delivered work counts in this proportion.';
comment on column billing_plans.season_cents is 'What all its months come to before tax, without what was carried over.';
comment on column billing_plans.reason is 'Why something else was agreed than the work comes to.';
comment on column billing_plans.carry is 'What the plan before left open, by property and tax category: more than zero is still to be billed.';
comment on column billing_plans.delivered_list_cents is 'The sum of its deliveries, at the prices of the visits.';
comment on column billing_plans.expected_list_cents is 'What its work comes to as the jobs stood when that was last looked at.';
comment on column billing_plans.held_since is 'A month of it was due on this day and could not be billed; the office was told.';

create table billing_plan_lines (
  business_id uuid not null,
  plan_id uuid not null,
  job_line_id uuid not null,
  property_id uuid not null,
  tax_category text not null,
  list_cents bigint not null check (list_cents >= 0),
  visits integer not null check (visits >= 0),
  primary key (business_id, plan_id, job_line_id),
  foreign key (business_id, plan_id) references billing_plans on delete cascade,
  foreign key (business_id, job_line_id) references job_lines on delete cascade,
  foreign key (business_id, property_id) references properties on delete restrict
);
create index billing_plan_lines_job_line on billing_plan_lines (business_id, job_line_id);
create index billing_plan_lines_property on billing_plan_lines (business_id, property_id);
select guard_tenant_table('billing_plan_lines');
comment on table billing_plan_lines is 'Which lines of jobs a plan covers, and what each was expected to come to: the shares in which its months are taxed.';

create table billing_plan_months (
  business_id uuid not null,
  id uuid not null,
  plan_id uuid not null,
  month date not null check (extract(day from month) = 1),
  bill_on date not null,
  cents bigint not null check (cents >= 0),
  status text not null default 'planned' check (status in ('planned', 'billed', 'stopped')),
  invoice_id uuid,
  primary key (business_id, id),
  unique (business_id, plan_id, month),
  unique (business_id, invoice_id),
  check ((status = 'billed') = (invoice_id is not null)),
  foreign key (business_id, plan_id) references billing_plans on delete cascade,
  foreign key (business_id, invoice_id) references invoices on delete restrict
);
create index billing_plan_months_due on billing_plan_months (business_id, bill_on) where status = 'planned';
select guard_tenant_table('billing_plan_months');
comment on column billing_plan_months.cents is 'Before tax.';

create table billing_plan_deliveries (
  business_id uuid not null,
  id uuid not null,
  plan_id uuid not null,
  visit_id uuid not null,
  visit_line_id uuid not null,
  property_id uuid not null,
  tax_category text not null,
  on_day date not null,
  list_cents bigint not null,
  primary key (business_id, id),
  unique (business_id, visit_line_id),
  foreign key (business_id, plan_id) references billing_plans on delete cascade,
  foreign key (business_id, visit_id) references visits on delete cascade,
  foreign key (business_id, visit_line_id) references visit_lines on delete cascade,
  foreign key (business_id, property_id) references properties on delete restrict
);
create index billing_plan_deliveries_plan on billing_plan_deliveries (business_id, plan_id, on_day);
create index billing_plan_deliveries_visit on billing_plan_deliveries (business_id, visit_id);
create index billing_plan_deliveries_property on billing_plan_deliveries (business_id, property_id);
select guard_tenant_table('billing_plan_deliveries');
comment on table billing_plan_deliveries is 'Finished work that counts against a plan, each line of a visit once; what stands here is billed by no invoice of its visit.';

create table billing_plan_changes (
  business_id uuid not null,
  id uuid not null,
  plan_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  reason text not null,
  told boolean not null default false,
  undone_on date,
  on_day date not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, plan_id) references billing_plans on delete cascade
);
create index billing_plan_changes_plan on billing_plan_changes (business_id, plan_id);
select guard_tenant_table('billing_plan_changes');
comment on table billing_plan_changes is 'Totals, months and covered lines of a plan before and after it was changed.';

-- Work that a plan covers is not billed by its visit.
alter table visits add column covered_by uuid;
alter table visits add foreign key (business_id, covered_by) references billing_plans on delete set null (covered_by);
comment on column visits.covered_by is 'The billing plan that all of its work counts against: it is billed by the plan, not by the visit.';
create index visits_covered on visits (business_id, covered_by) where covered_by is not null;

drop index visits_unbilled;
drop index visits_unbilled_job;
alter table visits drop column to_bill;
alter table visits add column to_bill boolean
  generated always as (billable and covered_by is null and (status = 'completed' or (status = 'skipped' and skip_charge_cents is not null))) stored;
comment on column visits.to_bill is 'Finished work, or a skip that is charged, that somebody is billed for by its visit.';
create index visits_unbilled on visits (business_id, day) where to_bill and invoice_id is null;
create index visits_unbilled_job on visits (business_id, job_id, (price_cents > 0), day) where to_bill and invoice_id is null;
