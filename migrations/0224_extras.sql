-- What a visit costs beyond what its job says: a lawn that was found overgrown. The business's own rule for it, what crews marked, and the line of the
-- visit that comes of it.

create table extra_settings (
  business_id uuid primary key references businesses on delete cascade,
  overgrown jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
select guard_tenant_table('extra_settings');
comment on column extra_settings.overgrown is '{on, asks, steps: [{id, en, es, percent, cents}]}; of percent and cents one is null.';

create table visit_extras (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  visit_id uuid not null,
  kind text not null check (kind in ('overgrown')),
  state text not null check (state in ('waiting', 'added', 'booked', 'declined', 'withdrawn')),
  step_id text,
  service_id uuid,
  title text not null check (length(title) between 1 and 200),
  title_es text not null default '' check (length(title_es) <= 200),
  quantity numeric(12,3) not null default 1 check (quantity > 0),
  rule text not null default '',
  price_cents integer check (price_cents >= 0),
  note text not null default '' check (length(note) <= 500),
  photo_ids uuid[] not null default '{}',
  user_id uuid,
  at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  decision_note text not null default '' check (length(decision_note) <= 300),
  job_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, visit_id) references visits on delete cascade,
  foreign key (business_id, service_id) references services on delete set null (service_id),
  foreign key (business_id, user_id) references users on delete set null (user_id),
  foreign key (business_id, decided_by) references users on delete set null (decided_by),
  foreign key (business_id, job_id) references jobs on delete set null (job_id)
);
create index visit_extras_visit on visit_extras (business_id, visit_id);
create index visit_extras_waiting on visit_extras (business_id, at desc, id) where state = 'waiting';
-- Two phones that mark the same lawn come to one upcharge.
create unique index visit_extras_overgrown on visit_extras (business_id, visit_id) where kind = 'overgrown' and state in ('waiting', 'added', 'booked');
create index visit_extras_service on visit_extras (business_id, service_id) where service_id is not null;
create index visit_extras_user on visit_extras (business_id, user_id) where user_id is not null;
create index visit_extras_decided_by on visit_extras (business_id, decided_by) where decided_by is not null;
create index visit_extras_job on visit_extras (business_id, job_id) where job_id is not null;
select guard_tenant_table('visit_extras');
comment on table visit_extras is 'What a crew says at a stop that a visit costs more; the command that said it has the same id.';
comment on column visit_extras.rule is 'What was to be added by the rule of that day, as it reads: +50 %.';
comment on column visit_extras.price_cents is 'All of it; null until the office prices it.';
comment on column visit_extras.photo_ids is 'Photos of the visit that show it; they may come after it.';

alter table visit_lines
  add column extra_id uuid,
  add column title text check (length(title) between 1 and 200),
  add column title_es text check (length(title_es) <= 200);
create unique index visit_lines_extra on visit_lines (business_id, extra_id) where extra_id is not null;
comment on column visit_lines.extra_id is 'The extra that it came of: no schedule and no price book makes or changes such a line.';
comment on column visit_lines.title is 'What it is called instead of its service.';
