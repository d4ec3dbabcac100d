-- What crews put on lawns and that is on no record yet: a record of the phone that could not be taken, and a stop that was finished without one.

create table unrecorded_applications (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  visit_id uuid,
  user_id uuid,
  kind text not null check (kind in ('refused', 'without')),
  reason text not null check (length(reason) between 1 and 1000),
  typed jsonb not null default '{}',
  at timestamptz not null,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  settled_by uuid,
  settled_note text not null default '' check (length(settled_note) <= 500),
  primary key (business_id, id),
  foreign key (business_id, visit_id) references visits on delete set null (visit_id),
  foreign key (business_id, user_id) references users on delete set null (user_id),
  foreign key (business_id, settled_by) references users on delete set null (settled_by)
);
create index unrecorded_applications_open on unrecorded_applications (business_id, at desc, id) where settled_at is null;
create index unrecorded_applications_visit on unrecorded_applications (business_id, visit_id) where visit_id is not null;
create index unrecorded_applications_user on unrecorded_applications (business_id, user_id) where user_id is not null;
create index unrecorded_applications_settled_by on unrecorded_applications (business_id, settled_by) where settled_by is not null;
select guard_tenant_table('unrecorded_applications');
comment on table unrecorded_applications is 'Waits for the office until a record is there or somebody says that none is needed.';
comment on column unrecorded_applications.typed is 'Everything that the crew typed, as the phone sent it.';
