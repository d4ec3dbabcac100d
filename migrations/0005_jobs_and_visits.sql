-- Services, crews, jobs, their visits and what crews do on them.

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
  skills text[] not null default '{}',
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
comment on column services.skills is 'Skills and equipment that a crew must have to do it.';
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

-- Jobs made for many customers in one action.
create table job_batches (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  status text not null check (status in ('running', 'done', 'failed', 'undone')),
  request jsonb not null,
  property_ids uuid[] not null,
  total integer not null check (total >= 0),
  done integer not null default 0,
  error text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id)
);
create index job_batches_created on job_batches (business_id, created_at desc);
select guard_tenant_table('job_batches');
comment on column job_batches.property_ids is 'Frozen when the action was confirmed, so that the jobs made are the ones that were counted on screen.';

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
  next_on date,
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
  foreign key (business_id, crew_id) references crews on delete set null (crew_id),
  foreign key (business_id, batch_id) references job_batches on delete set null (batch_id)
);
create index jobs_customer on jobs (business_id, customer_id);
create index jobs_property on jobs (business_id, property_id);
create index jobs_crew on jobs (business_id, crew_id);
create index jobs_horizon on jobs (business_id, status, horizon_on);
create index jobs_batch on jobs (business_id, batch_id);
create unique index jobs_batch_property on jobs (business_id, batch_id, property_id) where batch_id is not null;
select guard_tenant_table('jobs');
comment on column jobs.horizon_on is 'Visits exist up to and including this day; the nightly top-up goes on from here.';
comment on column jobs.next_on is 'First day after horizon_on that the rules name, null when they have come to their end: winter is not the end of a job.';

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
  interval_started_at timestamptz,
  worked_seconds integer not null default 0,
  people integer,
  skip_reason text,
  skip_note text not null default '',
  note text not null default '',
  checked text[] not null default '{}',
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
-- The visit of a job before another, and the one after.
create index visits_job_day on visits (business_id, job_id, day);
-- What screens count all day long is found without walking a business's history.
create index visits_unbilled on visits (business_id, day) where status = 'completed' and billable and invoice_id is null;
create index visits_unbilled_job on visits (business_id, job_id) where status = 'completed' and billable and invoice_id is null;
create index visits_open_job on visits (business_id, job_id, day) where status in ('unscheduled', 'scheduled', 'en_route', 'in_progress', 'paused');
create index visits_open_property on visits (business_id, property_id, day) where status in ('scheduled', 'en_route', 'in_progress', 'paused');
create index visits_open_customer on visits (business_id, customer_id, day) where status in ('scheduled', 'en_route', 'in_progress', 'paused');
create index visits_list on visits (business_id, (coalesce(day, occurrence_on)), id);
select guard_tenant_table('visits');
comment on column visits.occurrence_on is 'The day the rule named; it stays when the visit is moved, so the nightly top-up never makes it twice.';
comment on column visits.budget_minutes is 'Labor minutes on site.';
comment on column visits.worked_seconds is 'Clock seconds on site of finished spells (pauses left out); man-time is this times people.';
comment on column visits.interval_started_at is 'Start of the spell of work that is running; null while nobody works. worked_seconds holds the spells that ended.';
comment on column visits.skip_reason is 'Code of a reason for skipping; the words of the crew stand in skip_note.';
comment on column visits.checked is 'Items of the checklists that the crew has ticked.';

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
-- None on service_id. A service belongs to one business, which PostgreSQL does not know of a join: it would take (business_id, service_id) for as
-- selective as (business_id, visit_id) and walk all lines of a service. No query looks for lines by their service.
select guard_tenant_table('visit_lines');

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
  attempt integer not null default 1 check (attempt >= 1),
  device_at timestamptz not null,
  happened_at timestamptz not null,
  received_at timestamptz not null default now(),
  result text not null check (result in ('applied', 'conflict', 'refused')),
  reason text,
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete cascade
);
create index crew_commands_user on crew_commands (business_id, user_id, received_at);
create index crew_commands_visit on crew_commands (business_id, visit_id);
create index crew_commands_conflicts on crew_commands (business_id, received_at) where result = 'conflict';
select guard_tenant_table('crew_commands', 'select, insert, delete');
-- A person may send again what was refused or in conflict: the same command, a further try.
grant update (result, reason, attempt, received_at) on crew_commands to swath_app;
comment on table crew_commands is 'Every action of a phone, with the id the phone made: applied once, and then answered the same for ever.';
comment on column crew_commands.attempt is 'How often a person has sent it; a higher number asks anew what was not applied.';
comment on column crew_commands.device_at is 'What the phone said, right or wrong.';
comment on column crew_commands.happened_at is 'The same on our clock.';

create table time_entries (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  crew_id uuid,
  kind text not null default 'work' check (kind in ('work', 'break')),
  started_at timestamptz not null,
  ended_at timestamptz,
  source text not null default 'clock' check (source in ('clock', 'manual')),
  command_id uuid,
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
comment on column time_entries.command_id is 'The command of the phone that opened it, for a clock that is looked into.';
