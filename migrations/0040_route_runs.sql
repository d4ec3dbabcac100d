-- Searches for a better plan and what they proposed; days on which a crew does not work; changes of several days; what a service needs.

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

alter table route_changes
  add column days date[] not null default '{}',
  add column effects jsonb not null default '{}',
  drop constraint route_changes_kind_check,
  add constraint route_changes_kind_check check (kind in ('optimize', 'move', 'pin', 'undo', 'rain', 'crew_out', 'crew_back'));
comment on column route_changes.days is 'Every day that the change touched: it is undone on all of them at once.';
comment on column route_changes.effects is 'What it did beside the places of visits: crews off on a day, visits skipped.';

alter table services add column skills text[] not null default '{}';
comment on column services.skills is 'Skills and equipment that a crew must have to do it.';

-- The visit of a job before another, and the one after.
create index visits_job_day on visits (business_id, job_id, day);
