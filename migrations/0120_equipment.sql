-- Trucks, trailers, mowers and what else has a meter or a service plan: with which crew, what it reads, what is due, whether it may be used.

create table equipment (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('truck', 'trailer', 'mower', 'other')),
  name text not null check (length(name) between 1 and 60),
  model text not null default '' check (length(model) <= 80),
  serial text not null default '' check (length(serial) <= 60),
  meter text check (meter in ('hours', 'miles')),
  out_since timestamptz,
  out_reason text not null default '' check (length(out_reason) <= 300),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id),
  check (out_since is not null or out_reason = '')
);
select guard_tenant_table('equipment');
comment on column equipment.serial is 'Serial number, or the VIN of a truck.';
comment on column equipment.out_since is 'Nobody is to use it, from then on.';

create table equipment_crews (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  equipment_id uuid not null,
  crew_id uuid not null,
  valid_from date not null,
  valid_to date check (valid_to >= valid_from),
  primary key (business_id, id),
  unique (business_id, equipment_id, valid_from),
  foreign key (business_id, equipment_id) references equipment on delete cascade,
  foreign key (business_id, crew_id) references crews on delete cascade
);
create index equipment_crews_crew on equipment_crews (business_id, crew_id, valid_from);
select guard_tenant_table('equipment_crews');
comment on table equipment_crews is 'Which crew has a piece of equipment, from day to day; it has one at most.';

create table equipment_readings (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  equipment_id uuid not null,
  tenths integer not null check (tenths between 0 and 100000000),
  read_at timestamptz not null,
  read_on date not null,
  source text not null check (source in ('office', 'check', 'service')),
  state text not null default 'counted' check (state in ('counted', 'doubted', 'left_out')),
  reason text not null default '' check (length(reason) <= 300),
  user_id uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, equipment_id) references equipment on delete cascade,
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index equipment_readings_last on equipment_readings (business_id, equipment_id, read_at desc, id desc);
create index equipment_readings_doubted on equipment_readings (business_id, equipment_id) where state = 'doubted';
create index equipment_readings_user on equipment_readings (business_id, user_id) where user_id is not null;
select guard_tenant_table('equipment_readings');
comment on column equipment_readings.tenths is 'Tenths of an hour or mile, as the meter shows.';
comment on column equipment_readings.state is 'A phone''s reading that cannot be right beside the others waits for the office: doubted, until it counts or is left out.';
comment on column equipment_readings.reason is 'Why the meter went back: it was put right or replaced.';

create table equipment_plans (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  equipment_id uuid not null,
  what text not null check (length(what) between 1 and 80),
  every_tenths integer check (every_tenths > 0),
  every_months integer check (every_months between 1 and 120),
  from_tenths integer not null default 0 check (from_tenths >= 0),
  from_on date not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id),
  check (every_tenths is not null or every_months is not null),
  foreign key (business_id, equipment_id) references equipment on delete cascade
);
create index equipment_plans_equipment on equipment_plans (business_id, equipment_id);
select guard_tenant_table('equipment_plans');
comment on table equipment_plans is 'What is to be done every so many hours, miles or months; both: whatever comes first. Counted from where it was last done, else from here.';

create table equipment_work (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  equipment_id uuid not null,
  plan_id uuid,
  what text not null check (length(what) between 1 and 80),
  done_on date not null,
  tenths integer check (tenths >= 0),
  note text not null default '' check (length(note) <= 1000),
  expense_id uuid,
  user_id uuid,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, equipment_id) references equipment on delete cascade,
  foreign key (business_id, plan_id) references equipment_plans on delete set null (plan_id),
  foreign key (business_id, expense_id) references expenses on delete set null (expense_id),
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index equipment_work_last on equipment_work (business_id, equipment_id, done_on desc, id desc);
create index equipment_work_plan on equipment_work (business_id, plan_id, done_on desc) where plan_id is not null;
create index equipment_work_expense on equipment_work (business_id, expense_id) where expense_id is not null;
create index equipment_work_user on equipment_work (business_id, user_id) where user_id is not null;
select guard_tenant_table('equipment_work');
comment on table equipment_work is 'Service and repairs that were done.';
