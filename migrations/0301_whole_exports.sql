-- Everything that a business has as archives, made in the background: its records, its files and what brings them in again.

create table business_exports (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  status text not null default 'running' check (status in ('running', 'done', 'failed', 'expired')),
  with_files boolean not null default true,
  steps_done integer not null default 0,
  steps_total integer not null default 0,
  file_ids uuid[] not null default '{}',
  missing_files integer not null default 0,
  mailed boolean not null default false,
  created_by uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, created_by) references users on delete set null (created_by)
);
create index business_exports_latest on business_exports (business_id, created_at);
create index business_exports_created_by on business_exports (business_id, created_by);
select guard_tenant_table('business_exports');
comment on column business_exports.file_ids is 'Its archives among the files: more than one where it is larger than one archive holds.';
comment on column business_exports.mailed is 'The owner is mailed the way to it, because the business was closed.';
