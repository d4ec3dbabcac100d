-- A filter of a list, kept under a name: for oneself, or for the whole office. And which of them a person's list opens with.
create table saved_views (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  hub text not null check (hub in ('jobs', 'customers')),
  name text not null,
  query jsonb not null,
  shared boolean not null default false,
  created_by uuid not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, created_by) references users on delete cascade
);
create index saved_views_hub on saved_views (business_id, hub, created_by);
select guard_tenant_table('saved_views');
comment on column saved_views.query is 'What the address of the list says: filter, search and sort.';

create table view_defaults (
  business_id uuid not null,
  user_id uuid not null,
  hub text not null check (hub in ('jobs', 'customers')),
  view_id uuid not null,
  primary key (business_id, user_id, hub),
  foreign key (business_id, user_id) references users on delete cascade,
  foreign key (business_id, view_id) references saved_views on delete cascade
);
create index view_defaults_view on view_defaults (business_id, view_id);
select guard_tenant_table('view_defaults');
