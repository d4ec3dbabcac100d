-- Neighbors who asked in writing to be told before a lawn beside theirs is treated, and what they were told.

create table chemical_neighbors (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  property_id uuid not null,
  name text not null check (length(name) between 1 and 120),
  contact text not null check (length(contact) between 1 and 200),
  note text not null default '' check (length(note) <= 300),
  asked_on date not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, property_id) references properties on delete cascade
);
create index chemical_neighbors_property on chemical_neighbors (business_id, property_id) where removed_at is null;
select guard_tenant_table('chemical_neighbors');
comment on table chemical_neighbors is 'Who asked in writing; one who takes that back stays with their past notices.';
comment on column chemical_neighbors.contact is 'How they are told: a phone number, an address, a door.';

create table chemical_neighbor_notices (
  business_id uuid not null,
  id uuid not null,
  neighbor_id uuid not null,
  visit_id uuid not null,
  for_day date not null,
  how text not null check (length(how) between 1 and 120),
  told_at timestamptz not null,
  told_by uuid,
  primary key (business_id, id),
  unique (business_id, neighbor_id, visit_id, for_day),
  foreign key (business_id, neighbor_id) references chemical_neighbors on delete cascade,
  foreign key (business_id, visit_id) references visits on delete cascade,
  foreign key (business_id, told_by) references users on delete set null (told_by)
);
create index chemical_neighbor_notices_visit on chemical_neighbor_notices (business_id, visit_id);
create index chemical_neighbor_notices_by on chemical_neighbor_notices (business_id, told_by) where told_by is not null;
select guard_tenant_table('chemical_neighbor_notices');
comment on column chemical_neighbor_notices.for_day is 'The day that they were told; a visit that moves is told again.';
