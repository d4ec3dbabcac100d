-- The plan of a day, searches for a better one and what they proposed, days on which a crew does not work, drives.

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

create table route_changes (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  day date not null,
  days date[] not null default '{}',
  kind text not null check (kind in ('optimize', 'move', 'pin', 'undo', 'rain', 'crew_out', 'crew_back')),
  label text not null,
  before jsonb not null,
  after jsonb not null,
  effects jsonb not null default '{}',
  created_by uuid,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (business_id, id)
);
create index route_changes_day on route_changes (business_id, day, created_at);
select guard_tenant_table('route_changes');
comment on column route_changes.days is 'Every day that the change touched: it is undone on all of them at once.';
comment on column route_changes.effects is 'What it did beside the places of visits: crews off on a day, visits skipped.';

create table route_runs (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('optimize', 'rain', 'crew_out')),
  label text not null,
  first_day date not null,
  last_day date not null,
  request jsonb not null,
  apply boolean not null,
  status text not null default 'running' check (status in ('running', 'proposed', 'applied', 'kept', 'dismissed', 'failed')),
  stop_asked boolean not null default false,
  heartbeat_at timestamptz not null,
  fingerprint text,
  plan jsonb,
  result jsonb,
  error text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  check (last_day >= first_day)
);
create index route_runs_days on route_runs (business_id, first_day, last_day, created_at desc);
select guard_tenant_table('route_runs');
comment on column route_runs.heartbeat_at is 'The process that searches says so every second; when it is silent the search is lost, and the plan is as it was.';
comment on column route_runs.fingerprint is 'What the days looked like when the search began: a proposal is for nothing else.';
comment on column route_runs.plan is 'Stops by day and crew in their order, what is skipped, which crews are off.';

create table crew_days_off (
  business_id uuid not null,
  id uuid not null,
  crew_id uuid not null,
  day date not null,
  reason text not null check (reason in ('rain', 'out')),
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, crew_id, day),
  foreign key (business_id, crew_id) references crews on delete cascade
);
create index crew_days_off_day on crew_days_off (business_id, day);
select guard_tenant_table('crew_days_off');

-- What a road engine answered, one row a pair of places and direction. A place is its coordinates rounded to five decimals (a meter) as one
-- number. The places are customers' homes, so the rows belong to the business, are seen by nobody else and go with it.
create table travel_times (
  business_id uuid not null references businesses on delete cascade,
  engine text not null check (length(engine) between 1 and 60),
  bucket smallint not null default 0,
  from_key bigint not null,
  to_key bigint not null,
  seconds integer not null check (seconds >= -1),
  meters integer not null check (meters >= -1),
  asked_on date not null,
  primary key (business_id, engine, bucket, from_key, to_key)
);
select guard_tenant_table('travel_times');
comment on column travel_times.bucket is 'Kind of day and hour for engines that know traffic; 0 for all others.';
comment on column travel_times.seconds is '-1: the engine knows no way.';
