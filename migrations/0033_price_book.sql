-- The price book: every price rule that a service had, from which day it holds, and the changes that carried one to booked work.

create table price_changes (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('rule', 'raise')),
  scope text not null check (scope in ('new', 'future')),
  from_on date not null,
  request jsonb not null,
  service_names text[] not null,
  line_count integer not null,
  visit_count integer not null,
  before_cents integer not null,
  after_cents integer not null,
  told_count integer not null default 0,
  created_by uuid,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by uuid,
  primary key (business_id, id)
);
create index price_changes_created on price_changes (business_id, created_at desc);
select guard_tenant_table('price_changes');
comment on column price_changes.before_cents is 'A month in season of the work that it changed, in the old prices.';

create table service_prices (
  business_id uuid not null,
  id uuid not null,
  service_id uuid not null,
  number integer not null check (number > 1),
  price_rule jsonb not null,
  from_on date not null,
  change_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (business_id, id),
  unique (business_id, service_id, number),
  foreign key (business_id, service_id) references services on delete cascade,
  foreign key (business_id, change_id) references price_changes on delete cascade
);
create index service_prices_change on service_prices (business_id, change_id);
select guard_tenant_table('service_prices');
comment on table service_prices is 'Price rules of a service after its first one; the latest that has begun and was not undone holds.';
comment on column services.price_rule is 'The rule that the service began with, version 1; later ones stand in service_prices.';

create table price_change_lines (
  business_id uuid not null,
  change_id uuid not null,
  job_line_id uuid not null,
  before_cents integer not null,
  after_cents integer not null,
  primary key (business_id, change_id, job_line_id),
  foreign key (business_id, change_id) references price_changes on delete cascade,
  foreign key (business_id, job_line_id) references job_lines on delete cascade
);
create index price_change_lines_line on price_change_lines (business_id, job_line_id);
select guard_tenant_table('price_change_lines');

alter table job_lines
  add column next_unit_price_cents integer check (next_unit_price_cents >= 0),
  add column next_price_on date,
  add check ((next_unit_price_cents is null) = (next_price_on is null));
comment on column job_lines.next_unit_price_cents is 'What it costs from next_price_on; visits before that day keep unit_price_cents.';
