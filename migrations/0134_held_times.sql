-- Time that a phone sent into a week that payroll had been run for: kept as it was said until the office counts it or leaves it out.

create table held_times (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  week date not null check (extract(isodow from week) = 1),
  command_id uuid not null,
  action text not null check (action in ('clock_in', 'clock_out', 'break_start', 'break_end', 'switch')),
  kind text check (kind in ('work', 'shop', 'rain')),
  at timestamptz not null,
  ended_at timestamptz,
  crew_id uuid,
  said_by text not null default '',
  skew_seconds integer not null default 0,
  received_at timestamptz not null,
  decision text check (decision in ('counted', 'left_out')),
  decided_by uuid,
  decided_at timestamptz,
  primary key (business_id, id),
  unique (business_id, user_id, command_id),
  foreign key (business_id, user_id) references users on delete cascade,
  foreign key (business_id, crew_id) references crews on delete set null (crew_id),
  foreign key (business_id, decided_by) references users (business_id, id) on delete set null (decided_by),
  check ((decision is null) = (decided_at is null))
);
create index held_times_waiting on held_times (business_id, week) where decision is null;
create index held_times_decided on held_times (business_id, user_id, decided_at) where decision is not null;
create index held_times_crew on held_times (business_id, crew_id);
create index held_times_decider on held_times (business_id, decided_by);
select guard_tenant_table('held_times');
comment on column held_times.command_id is 'The command of the phone; a leader''s for the crew is one for each of them.';

alter table timesheet_changes drop constraint timesheet_changes_action_check;
alter table timesheet_changes add constraint timesheet_changes_action_check
  check (action in ('submitted', 'approved', 'returned', 'reopened', 'asked', 'answered', 'added', 'changed', 'removed', 'late', 'counted', 'left_out'));
