-- The look at the truck before the day: what is looked at, once a crew and day, and what was found wrong.

create table truck_check_settings (
  business_id uuid primary key references businesses on delete cascade,
  asks text not null check (asks in ('off', 'anytime', 'first')),
  items jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
select guard_tenant_table('truck_check_settings');
comment on column truck_check_settings.asks is 'first: before the crew clocks in.';
comment on column truck_check_settings.items is 'What is looked at: [{id, en, es, of}], of a kind of equipment or of the crew.';

create table truck_checks (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  crew_id uuid,
  day date not null,
  user_id uuid,
  checked_at timestamptz not null,
  answers jsonb not null,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, crew_id) references crews on delete set null (crew_id),
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index truck_checks_day on truck_checks (business_id, day, crew_id);
create index truck_checks_crew on truck_checks (business_id, crew_id) where crew_id is not null;
create index truck_checks_user on truck_checks (business_id, user_id) where user_id is not null;
select guard_tenant_table('truck_checks');
comment on table truck_checks is 'The first of a crew and day is its check; what two phones without a signal both did is kept twice.';
comment on column truck_checks.answers is 'What was looked at, in the words of that day: [{item, equipmentId, ok}].';

create table truck_defects (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  check_id uuid not null,
  crew_id uuid,
  equipment_id uuid,
  item text not null check (length(item) between 1 and 80),
  note text not null default '' check (length(note) <= 500),
  stops boolean not null default false,
  photo_ids uuid[] not null default '{}' check (cardinality(photo_ids) <= 4),
  user_id uuid,
  found_at timestamptz not null,
  settled_at timestamptz,
  settled_by uuid,
  settled_note text not null default '' check (length(settled_note) <= 500),
  primary key (business_id, id),
  foreign key (business_id, check_id) references truck_checks on delete cascade,
  foreign key (business_id, crew_id) references crews on delete set null (crew_id),
  foreign key (business_id, equipment_id) references equipment on delete cascade,
  foreign key (business_id, user_id) references users on delete set null (user_id),
  foreign key (business_id, settled_by) references users on delete set null (settled_by)
);
create index truck_defects_open on truck_defects (business_id, found_at) where settled_at is null;
create index truck_defects_check on truck_defects (business_id, check_id);
create index truck_defects_equipment on truck_defects (business_id, equipment_id, found_at desc) where equipment_id is not null;
create index truck_defects_crew on truck_defects (business_id, crew_id) where crew_id is not null;
create index truck_defects_user on truck_defects (business_id, user_id) where user_id is not null;
create index truck_defects_settled_by on truck_defects (business_id, settled_by) where settled_by is not null;
select guard_tenant_table('truck_defects');
comment on column truck_defects.stops is 'The crew says that it cannot be used like this.';
comment on column truck_defects.photo_ids is 'Photos that belong to it; one without a row in truck_defect_photos is still on its way.';

create table truck_defect_photos (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  defect_id uuid not null,
  file_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, defect_id) references truck_defects on delete cascade,
  foreign key (business_id, file_id) references files
);
create index truck_defect_photos_defect on truck_defect_photos (business_id, defect_id);
create index truck_defect_photos_file on truck_defect_photos (business_id, file_id);
select guard_tenant_table('truck_defect_photos');
