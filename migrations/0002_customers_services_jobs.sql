create table imports (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text not null default 'customers',
  file_name text not null,
  status text not null check (status in ('uploaded', 'checking', 'checked', 'running', 'done', 'undoing', 'undone', 'failed')),
  columns jsonb not null default '[]',
  mapping jsonb not null default '{}',
  row_count integer not null default 0,
  ok_count integer not null default 0,
  error_count integer not null default 0,
  duplicate_count integer not null default 0,
  archived_count integer not null default 0,
  done_count integer not null default 0,
  error text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id)
);
select guard_tenant_table('imports');

create table import_rows (
  business_id uuid not null,
  import_id uuid not null,
  line integer not null,
  data jsonb not null,
  status text not null default 'new' check (status in ('new', 'ok', 'error', 'duplicate', 'written', 'undone')),
  reasons jsonb not null default '[]',
  customer_id uuid,
  property_id uuid,
  primary key (business_id, import_id, line),
  foreign key (business_id, import_id) references imports on delete cascade
);
create index import_rows_status on import_rows (business_id, import_id, status, line);
select guard_tenant_table('import_rows');

create table customers (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  type text not null default 'residential' check (type in ('residential', 'commercial')),
  name text not null check (length(name) between 1 and 120),
  company text,
  email text,
  phone text,
  billing_street text, billing_city text, billing_state text, billing_zip text,
  stage text not null default 'active' check (stage in ('lead', 'active', 'past')),
  source text not null default 'manual',
  tags text[] not null default '{}',
  notes text not null default '',
  terms_days integer check (terms_days between 0 and 365),
  invoice_grouping text check (invoice_grouping in ('customer', 'property', 'visit')),
  tax_exempt boolean not null default false,
  tax_certificate text,
  hold_invoices boolean not null default false,
  language text not null default 'en',
  import_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, import_id) references imports on delete set null (import_id)
);
create index customers_name on customers (business_id, lower(name), id);
create index customers_created on customers (business_id, created_at, id);
create index customers_email on customers (business_id, lower(email));
create index customers_phone on customers (business_id, phone);
create index customers_import on customers (business_id, import_id);
select guard_tenant_table('customers');

create table properties (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  street text not null check (length(street) between 1 and 200),
  unit text not null default '',
  city text not null default '', state text not null default '', zip text not null default '',
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  geocode_quality text not null default 'none' check (geocode_quality in ('exact', 'approximate', 'none')),
  lawn_square_feet integer check (lawn_square_feet between 0 and 50000000),
  difficulty integer not null default 1 check (difficulty between 1 and 5),
  gate_code_cipher text,
  dog text not null default '',
  parking text not null default '',
  no_go text not null default '',
  mow_height_inches numeric(4,2),
  clippings text not null default 'mulch' check (clippings in ('mulch', 'bag', 'side')),
  notes text not null default '',
  import_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, import_id) references imports on delete set null (import_id)
);
create index properties_customer on properties (business_id, customer_id);
create index properties_street on properties (business_id, lower(street), zip);
create index properties_import on properties (business_id, import_id);
select guard_tenant_table('properties');

create table services (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  code text not null,
  name text not null check (length(name) between 1 and 120),
  description text not null default '',
  category text not null default 'mow' check (category in ('mow', 'treat', 'install', 'cleanup', 'snow', 'other')),
  unit text not null default 'visit' check (unit in ('visit', 'ksqft', 'hour', 'yard', 'each')),
  price_rule jsonb not null,
  time_rule jsonb not null,
  tax_category text not null default 'lawn',
  checklist jsonb not null default '[]',
  photo_required boolean not null default false,
  min_gap_days integer not null default 0,
  active boolean not null default true,
  position integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id)
);
create unique index services_code on services (business_id, code) where archived_at is null;
select guard_tenant_table('services');

create table crews (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  color text not null,
  leader_user_id uuid,
  depot_street text not null default '',
  depot_latitude double precision check (depot_latitude between -90 and 90),
  depot_longitude double precision check (depot_longitude between -180 and 180),
  shift_start_minute integer not null default 420 check (shift_start_minute between 0 and 1439),
  shift_end_minute integer not null default 960 check (shift_end_minute between 1 and 1440),
  break_minutes integer not null default 30 check (break_minutes between 0 and 240),
  work_days smallint[] not null default '{1,2,3,4,5}',
  drive_factor_percent integer not null default 100 check (drive_factor_percent between 50 and 300),
  skills text[] not null default '{}',
  position integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id),
  check (shift_end_minute > shift_start_minute),
  foreign key (business_id, leader_user_id) references users on delete set null (leader_user_id)
);
select guard_tenant_table('crews');

create table crew_members (
  business_id uuid not null,
  id uuid not null,
  crew_id uuid not null,
  user_id uuid not null,
  valid_from date not null,
  valid_to date,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  check (valid_to is null or valid_to >= valid_from),
  foreign key (business_id, crew_id) references crews on delete cascade,
  foreign key (business_id, user_id) references users on delete cascade
);
create index crew_members_crew on crew_members (business_id, crew_id, valid_from);
create index crew_members_user on crew_members (business_id, user_id, valid_from);
select guard_tenant_table('crew_members');
comment on column crew_members.valid_to is 'Last day on the crew, inclusive; null while it lasts.';

create table jobs (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  number integer not null,
  customer_id uuid not null,
  property_id uuid not null,
  title text not null check (length(title) between 1 and 160),
  instructions text not null default '',
  status text not null default 'active' check (status in ('draft', 'active', 'paused', 'completed', 'canceled')),
  billing text not null default 'per_visit' check (billing in ('per_visit', 'flat', 'none')),
  crew_id uuid,
  start_on date not null,
  end_on date,
  paused_until date,
  horizon_on date,
  batch_id uuid,
  po_number text not null default '',
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id),
  unique (business_id, number),
  foreign key (business_id, customer_id) references customers on delete restrict,
  foreign key (business_id, property_id) references properties on delete restrict,
  foreign key (business_id, crew_id) references crews on delete set null (crew_id)
);
create index jobs_customer on jobs (business_id, customer_id);
create index jobs_property on jobs (business_id, property_id);
create index jobs_crew on jobs (business_id, crew_id);
create index jobs_horizon on jobs (business_id, status, horizon_on);
create index jobs_batch on jobs (business_id, batch_id);
select guard_tenant_table('jobs');
comment on column jobs.horizon_on is 'Visits exist up to and including this day; the nightly top-up goes on from here.';

create table job_lines (
  business_id uuid not null,
  id uuid not null,
  job_id uuid not null,
  service_id uuid not null,
  description text not null default '',
  quantity numeric(12,3) not null default 1 check (quantity > 0),
  unit_price_cents integer not null check (unit_price_cents >= 0),
  budget_minutes integer not null default 30 check (budget_minutes between 0 and 10000),
  recurrence jsonb,
  once_on date,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id),
  check ((recurrence is null) <> (once_on is null)),
  foreign key (business_id, job_id) references jobs on delete cascade,
  foreign key (business_id, service_id) references services on delete restrict
);
create index job_lines_job on job_lines (business_id, job_id);
create index job_lines_service on job_lines (business_id, service_id);
select guard_tenant_table('job_lines');
comment on column job_lines.budget_minutes is 'Labor minutes on site for one visit.';

create table routes (
  business_id uuid not null,
  id uuid not null,
  day date not null,
  crew_id uuid not null,
  status text not null default 'planned' check (status in ('planned', 'published', 'started', 'closed')),
  dirty boolean not null default false,
  published_at timestamptz,
  published_by uuid,
  planned jsonb,
  booked jsonb,
  estimated boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, day, crew_id),
  foreign key (business_id, crew_id) references crews on delete cascade
);
select guard_tenant_table('routes');
comment on column routes.planned is 'Totals of the plan: {driveSeconds, driveMeters, laborCents, workSeconds, endMinute}.';
comment on column routes.booked is 'The same totals for the order in which the visits were booked, for the comparison on screen.';
comment on column routes.dirty is 'The plan differs from what the crew was sent.';

create table visits (
  business_id uuid not null,
  id uuid not null,
  job_id uuid not null,
  customer_id uuid not null,
  property_id uuid not null,
  occurrence_on date not null,
  day date,
  window_start_minute integer check (window_start_minute between 0 and 1439),
  window_end_minute integer check (window_end_minute between 1 and 1440),
  crew_id uuid,
  position integer,
  pinned boolean not null default false,
  planned_start_minute integer,
  planned_drive_seconds integer,
  published_day date,
  published_crew_id uuid,
  published_position integer,
  published_start_minute integer,
  published_drive_seconds integer,
  status text not null default 'scheduled' check (status in ('unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused', 'completed', 'skipped', 'canceled', 'missed')),
  origin text not null default 'rule' check (origin in ('rule', 'manual', 'push', 'rebook')),
  locked boolean not null default false,
  moved_from date,
  budget_minutes integer not null check (budget_minutes >= 0),
  price_cents integer not null check (price_cents >= 0),
  en_route_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  worked_seconds integer not null default 0,
  people integer,
  skip_reason text,
  note text not null default '',
  finished_by uuid,
  invoice_id uuid,
  billable boolean not null default true,
  rebooked_as uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, job_id, occurrence_on),
  check (window_end_minute is null or window_start_minute is null or window_end_minute > window_start_minute),
  foreign key (business_id, job_id) references jobs on delete cascade,
  foreign key (business_id, customer_id) references customers on delete restrict,
  foreign key (business_id, property_id) references properties on delete restrict,
  foreign key (business_id, crew_id) references crews on delete set null (crew_id)
);
create index visits_day on visits (business_id, day, crew_id, position);
create index visits_published on visits (business_id, published_day, published_crew_id, published_position);
create index visits_customer on visits (business_id, customer_id, day);
create index visits_property on visits (business_id, property_id, day);
create index visits_status on visits (business_id, status, day);
create index visits_invoice on visits (business_id, invoice_id);
create index visits_crew on visits (business_id, crew_id, day);
select guard_tenant_table('visits');
comment on column visits.occurrence_on is 'The day the rule named; it stays when the visit is moved, so the nightly top-up never makes it twice.';
comment on column visits.budget_minutes is 'Labor minutes on site.';
comment on column visits.worked_seconds is 'Clock seconds on site of finished spells (pauses left out); man-time is this times people.';

create table visit_lines (
  business_id uuid not null,
  id uuid not null,
  visit_id uuid not null,
  job_line_id uuid,
  service_id uuid not null,
  description text not null default '',
  quantity numeric(12,3) not null default 1 check (quantity > 0),
  unit_price_cents integer not null check (unit_price_cents >= 0),
  budget_minutes integer not null default 0,
  position integer not null default 0,
  primary key (business_id, id),
  unique (business_id, visit_id, job_line_id),
  foreign key (business_id, visit_id) references visits on delete cascade,
  foreign key (business_id, job_line_id) references job_lines on delete set null (job_line_id),
  foreign key (business_id, service_id) references services on delete restrict
);
create index visit_lines_job_line on visit_lines (business_id, job_line_id);
create index visit_lines_service on visit_lines (business_id, service_id);
select guard_tenant_table('visit_lines');

create table route_changes (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  day date not null,
  kind text not null check (kind in ('optimize', 'move', 'pin', 'undo')),
  label text not null,
  before jsonb not null,
  after jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (business_id, id)
);
create index route_changes_day on route_changes (business_id, day, created_at);
select guard_tenant_table('route_changes');

create table visit_photos (
  business_id uuid not null,
  id uuid not null,
  visit_id uuid not null,
  file_id uuid not null,
  kind text not null default 'after' check (kind in ('before', 'after', 'other')),
  caption text not null default '',
  taken_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, visit_id) references visits on delete cascade,
  foreign key (business_id, file_id) references files on delete restrict
);
create index visit_photos_visit on visit_photos (business_id, visit_id);
create index visit_photos_file on visit_photos (business_id, file_id);
select guard_tenant_table('visit_photos');

create table crew_commands (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  user_id uuid not null,
  type text not null,
  visit_id uuid,
  payload jsonb not null,
  device_at timestamptz not null,
  received_at timestamptz not null default now(),
  result text not null check (result in ('applied', 'conflict', 'refused')),
  reason text,
  reply jsonb,
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete cascade
);
create index crew_commands_user on crew_commands (business_id, user_id, received_at);
create index crew_commands_visit on crew_commands (business_id, visit_id);
select guard_tenant_table('crew_commands', 'select, insert');
comment on table crew_commands is 'Every action of a phone, with the id the phone made: applied once, answered the same for ever.';

create table time_entries (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  crew_id uuid,
  kind text not null default 'work' check (kind in ('work', 'break')),
  started_at timestamptz not null,
  ended_at timestamptz,
  source text not null default 'clock' check (source in ('clock', 'manual')),
  skew_seconds integer not null default 0,
  flagged text,
  note text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  check (ended_at is null or ended_at >= started_at),
  foreign key (business_id, user_id) references users on delete cascade,
  foreign key (business_id, crew_id) references crews on delete set null (crew_id)
);
create unique index time_entries_open on time_entries (business_id, user_id) where ended_at is null;
create index time_entries_user on time_entries (business_id, user_id, started_at);
create index time_entries_crew on time_entries (business_id, crew_id);
select guard_tenant_table('time_entries');

create table gate_code_reveals (
  business_id uuid not null,
  id uuid not null,
  property_id uuid not null,
  user_id uuid not null,
  visit_id uuid,
  at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, property_id) references properties on delete cascade,
  foreign key (business_id, user_id) references users on delete cascade
);
create index gate_code_reveals_property on gate_code_reveals (business_id, property_id, at);
create index gate_code_reveals_user on gate_code_reveals (business_id, user_id);
select guard_tenant_table('gate_code_reveals', 'select, insert');
