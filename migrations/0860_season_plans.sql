-- The season planner: who keeps their day, searches for a better season, and what was taken over of them.
alter table jobs add column keep_day boolean not null default false;
comment on column jobs.keep_day is 'The customer keeps this day and week: the season planner never proposes another one.';

create table season_runs (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('plan', 'whatif')),
  label text not null,
  request jsonb not null,
  status text not null default 'running' check (status in ('running', 'ready', 'failed')),
  stop_asked boolean not null default false,
  heartbeat_at timestamptz not null,
  progress jsonb,
  state jsonb not null,
  result jsonb,
  saved_seconds integer,
  unplaced integer not null default 0,
  error text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id)
);
create index season_runs_created on season_runs (business_id, created_at desc);
select guard_tenant_table('season_runs');
comment on column season_runs.heartbeat_at is 'The process that searches says so every second; when it is silent the search is lost, and nothing was changed.';
comment on column season_runs.state is 'The recurring work and the crews as they were read: a plan is taken over only while they are so, except for what was taken over of it.';
comment on column season_runs.saved_seconds is 'Of result, so that a list need not open it: driving of a year less than today; null where not all work has a place, which is no saving.';
comment on column season_runs.unplaced is 'Work and lawns that found no place.';
comment on column season_runs.result is 'What was found: every crew-day before and after, and who would move.';

create table season_acceptances (
  business_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  edit_id uuid not null,
  from_on date not null,
  moves jsonb not null,
  summary jsonb not null,
  undone_jobs uuid[] not null default '{}',
  letters_at timestamptz,
  letters jsonb not null default '[]',
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, run_id) references season_runs on delete cascade
);
create index season_acceptances_run on season_acceptances (business_id, run_id, created_at);
select guard_tenant_table('season_acceptances');
comment on column season_acceptances.edit_id is 'The change of many jobs by which it was done; that is kept for a month, and with it Undo.';
comment on column season_acceptances.moves is 'Who moved, from which slot to which: [{jobId, from, to}].';
comment on column season_acceptances.undone_jobs is 'Jobs on which it was taken back, here or as a change of many jobs: that change is forgotten after a month.';
comment on column season_acceptances.letters_at is 'When customers were first told.';
comment on column season_acceptances.letters is 'What each letter told of which jobs: [{key, jobIds, kind}]; its messages have that key, or begin with it.';
