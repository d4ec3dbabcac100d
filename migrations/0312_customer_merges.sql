-- Two records of the same customer that became one, with what moved, so that it can be taken back.

create table customer_merges (
  business_id uuid not null,
  id uuid not null,
  kept_id uuid not null,
  gone_id uuid not null,
  moved jsonb not null,
  before jsonb not null,
  kept_version integer not null,
  was_archived boolean not null,
  at timestamptz not null,
  by_user_id uuid,
  undone_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, kept_id) references customers on delete cascade,
  foreign key (business_id, gone_id) references customers on delete cascade,
  foreign key (business_id, by_user_id) references users on delete set null (by_user_id)
);
create index customer_merges_kept on customer_merges (business_id, kept_id, at desc);
create index customer_merges_gone on customer_merges (business_id, gone_id);
create index customer_merges_by on customer_merges (business_id, by_user_id) where by_user_id is not null;
select guard_tenant_table('customer_merges');
comment on column customer_merges.moved is 'Ids by kind: {properties, contacts, calls, tasks, notes, messages}.';
comment on column customer_merges.before is 'What the kept customer''s changed fields were.';
