-- Messages that leave by themselves and that no other part sends: what begins one, whom it is for, its words, and what became of each.

create table automation_settings (
  business_id uuid not null references businesses on delete cascade,
  most_weekly integer not null default 3 check (most_weekly between 1 and 14),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (business_id)
);
select guard_tenant_table('automation_settings');
comment on table automation_settings is 'How many of these messages one customer gets in seven days at most; without a row three.';

create table automations (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('visit_booked', 'treatment_coming', 'visit_done', 'visit_skipped', 'quote_approved', 'win_back', 'dormant', 'upsell')),
  name text not null check (length(name) between 1 and 60),
  enabled boolean not null default false,
  enabled_at timestamptz,
  delay integer not null check (delay between 0 and 1000),
  at_minute integer check (at_minute between 0 and 1439),
  starts_on text check (starts_on ~ '^\d\d-\d\d$'),
  conditions jsonb not null default '{}',
  channels text[] not null check (cardinality(channels) between 1 and 2 and channels <@ array['sms', 'email']),
  subject_en text not null check (length(subject_en) <= 150),
  subject_es text not null default '' check (length(subject_es) <= 150),
  text_en text not null check (length(text_en) between 1 and 600),
  text_es text not null default '' check (length(text_es) <= 600),
  approval text not null check (approval in ('self', 'ask')),
  every_days integer not null check (every_days between 1 and 730),
  version integer not null default 1,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  check (not enabled or (enabled_at is not null and archived_at is null))
);
create index automations_on on automations (business_id, id) where enabled;
select guard_tenant_table('automations');
comment on column automations.enabled_at is 'Nothing leaves for what happened before.';
comment on column automations.delay is 'Hours or days after or before what begins it, by the kind.';
comment on column automations.at_minute is 'Time of day in the zone of the business, where the kind counts in days.';
comment on column automations.starts_on is 'Month and day of an offer that is made once a year.';
comment on column automations.approval is 'self: it leaves by itself; ask: somebody of the office says yes to each.';
comment on column automations.every_days is 'So many days one customer gets it once.';

create table automation_runs (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  automation_id uuid not null,
  customer_id uuid not null,
  subject_id uuid not null,
  occurrence text not null default '',
  due_at timestamptz not null,
  status text not null check (status in ('waiting', 'sent', 'skipped', 'dropped', 'canceled')),
  reason text,
  own_subject text check (length(own_subject) <= 150),
  own_text text check (length(own_text) <= 600),
  channel text check (channel in ('sms', 'email')),
  queued_at timestamptz,
  decided_by uuid,
  decided_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id),
  unique (business_id, automation_id, subject_id, occurrence),
  foreign key (business_id, automation_id) references automations on delete cascade,
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, decided_by) references users on delete set null (decided_by),
  check ((status = 'sent') = (queued_at is not null))
);
create index automation_runs_of on automation_runs (business_id, automation_id, id desc);
create index automation_runs_customer on automation_runs (business_id, customer_id, id desc);
create index automation_runs_gone on automation_runs (business_id, customer_id, queued_at) where queued_at is not null;
create index automation_runs_left on automation_runs (business_id, automation_id, queued_at) where queued_at is not null;
create index automation_runs_waiting on automation_runs (business_id, id) where status = 'waiting';
create index automation_runs_decided_by on automation_runs (business_id, decided_by) where decided_by is not null;
select guard_tenant_table('automation_runs');
comment on table automation_runs is 'What became of each thing that began an automation: one row for each, so that nobody gets it twice.';
comment on column automation_runs.subject_id is 'What it is about, by the kind: a visit, job, quote or customer.';
comment on column automation_runs.occurrence is 'Which time of what it is about: the day of a treatment, the year of an offer; else empty.';
comment on column automation_runs.own_text is 'Words that somebody wrote for this one alone while it waited.';
comment on column automation_runs.queued_at is 'When it was put into the outbox; its message names it (entity automation_run).';

create table automation_opt_outs (
  business_id uuid not null references businesses on delete cascade,
  customer_id uuid not null,
  automation_id uuid not null,
  by_user_id uuid,
  at timestamptz not null,
  primary key (business_id, customer_id, automation_id),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, automation_id) references automations on delete cascade,
  foreign key (business_id, by_user_id) references users on delete set null (by_user_id)
);
create index automation_opt_outs_automation on automation_opt_outs (business_id, automation_id);
create index automation_opt_outs_by on automation_opt_outs (business_id, by_user_id) where by_user_id is not null;
select guard_tenant_table('automation_opt_outs');
comment on table automation_opt_outs is 'A customer who does not get one of the automations.';

alter table jobs add column canceled_at timestamptz;
comment on column jobs.canceled_at is 'When somebody ended it before its time; null where nobody had worked on it yet, and once it goes on.';
