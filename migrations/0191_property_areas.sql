-- Measured parts of a property, drawn or typed. The turf of a property, where there is any, is its lawn size, which prices, minutes and material read.

create table property_areas (
  business_id uuid not null,
  id uuid not null,
  property_id uuid not null,
  kind text not null check (kind in ('turf', 'bed', 'edge', 'other')),
  name text not null default '' check (length(name) <= 60),
  square_feet integer not null check (square_feet between 1 and 50000000),
  feet_around integer check (feet_around between 0 and 1000000),
  rings jsonb,
  position integer not null,
  changed_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, property_id) references properties on delete cascade,
  foreign key (business_id, changed_by) references users on delete set null (changed_by)
);
create index property_areas_property on property_areas (business_id, property_id, position, id);
create index property_areas_changed_by on property_areas (business_id, changed_by);
select guard_tenant_table('property_areas');
comment on column property_areas.rings is 'The outline and then its holes, each a list of [latitude, longitude] that closes by itself; null when the size was typed.';

alter table properties
  add column lawn_measured_at timestamptz,
  add column lawn_measured_by uuid,
  add column lawn_measured_how text check (lawn_measured_how in ('typed', 'areas')),
  add foreign key (business_id, lawn_measured_by) references users on delete set null (lawn_measured_by);
create index properties_lawn_measured_by on properties (business_id, lawn_measured_by);
