-- Support looks at a business only while its Owner lets it in. What was granted, opened and looked at belongs to the business.

create table support_grants (
  business_id uuid not null,
  id uuid not null,
  granted_by uuid not null,
  hours integer not null check (hours in (1, 4, 24, 72)),
  note text not null default '' check (length(note) <= 500),
  granted_at timestamptz not null,
  expires_at timestamptz not null,
  notified_at timestamptz,
  ended_at timestamptz,
  ended_by uuid,
  primary key (business_id, id),
  foreign key (business_id, granted_by) references users,
  foreign key (business_id, ended_by) references users
);
comment on column support_grants.notified_at is 'When the Owner was told that support opened the business for the first time on this grant.';
comment on column support_grants.ended_at is 'Also set, to expires_at, when a new grant takes the place of one that ran out.';
create unique index support_grants_open on support_grants (business_id) where ended_at is null;
create index support_grants_granted_by on support_grants (business_id, granted_by);
select guard_tenant_table('support_grants');

create table support_visits (
  business_id uuid not null,
  id uuid not null,
  grant_id uuid not null,
  opened_by text not null,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, grant_id) references support_grants
);
create index support_visits_grant on support_visits (business_id, grant_id);
select guard_tenant_table('support_visits');

create table support_access_log (
  business_id uuid not null,
  visit_id uuid not null,
  area text not null check (length(area) <= 40),
  times integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (business_id, visit_id, area),
  foreign key (business_id, visit_id) references support_visits
);
comment on column support_access_log.times is 'Looks, not requests: what a screen asks for at once counts once.';
select guard_tenant_table('support_access_log');

-- The way from the product owner's desk to a business that let support in, and nothing else of it.
create table support_lookups (
  business_id uuid primary key references businesses on delete cascade,
  grant_id uuid not null unique,
  expires_at timestamptz not null
);
grant select, insert, update, delete on support_lookups to swath_app;
