-- What a person worked in a week, from the phone to the payroll: handed in, approved or sent back, and locked with the payroll's week.

alter table time_entries drop constraint time_entries_kind_check;
alter table time_entries add constraint time_entries_kind_check check (kind in ('work', 'break', 'shop', 'rain'));
create index time_entries_days on time_entries (business_id, started_at);

create table timesheets (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  week date not null check (extract(isodow from week) = 1),
  status text not null default 'open' check (status in ('open', 'submitted', 'approved', 'returned')),
  submitted_at timestamptz,
  decided_at timestamptz,
  decided_by uuid,
  reason text not null default '' check (length(reason) <= 500),
  request text not null default '' check (length(request) <= 500),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, user_id, week),
  foreign key (business_id, user_id) references users on delete cascade
);
create index timesheets_week on timesheets (business_id, week);
create index timesheets_submitted on timesheets (business_id) where status = 'submitted';
select guard_tenant_table('timesheets');
comment on column timesheets.week is 'Its Monday.';
comment on column timesheets.reason is 'Why it was sent back or opened again.';
comment on column timesheets.request is 'What the person asks the office to put right; empty when nothing is asked.';

create table timesheet_changes (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  week date not null,
  action text not null check (action in ('submitted', 'approved', 'returned', 'reopened', 'asked', 'answered', 'added', 'changed', 'removed')),
  by_user_id uuid,
  reason text not null default '',
  before jsonb,
  after jsonb,
  at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete cascade
);
create index timesheet_changes_user on timesheet_changes (business_id, user_id, week, at);
select guard_tenant_table('timesheet_changes');
comment on table timesheet_changes is 'Who did what to a week, when and why; only ever added to.';

create table payroll_weeks (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  week date not null check (extract(isodow from week) = 1),
  locked_by uuid,
  locked_at timestamptz not null,
  primary key (business_id, id),
  unique (business_id, week)
);
select guard_tenant_table('payroll_weeks');
comment on table payroll_weeks is 'Weeks that the payroll has been run for: nothing in them changes.';
