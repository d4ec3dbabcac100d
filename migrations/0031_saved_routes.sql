-- A crew's usual stops of a weekday, to be put on a day in one step.
create table saved_routes (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  weekday smallint not null check (weekday between 0 and 6),
  crew_id uuid not null,
  job_ids uuid[] not null,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, crew_id) references crews on delete cascade
);
create index saved_routes_crew on saved_routes (business_id, crew_id);
select guard_tenant_table('saved_routes');
comment on column saved_routes.job_ids is 'In the order in which they are driven; a stop is the visit of its job on the day.';

alter table route_changes drop constraint route_changes_kind_check;
alter table route_changes add constraint route_changes_kind_check
  check (kind in ('optimize', 'move', 'pin', 'undo', 'rain', 'crew_out', 'crew_back', 'saved'));
