-- How a schedule goes on after the visits that exist, and jobs made for many customers in one action.

alter table jobs add column next_on date;
comment on column jobs.next_on is 'First day after horizon_on that the rules name, null when they have come to their end: winter is not the end of a job.';

create table job_batches (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  status text not null check (status in ('running', 'done', 'failed', 'undone')),
  request jsonb not null,
  property_ids uuid[] not null,
  total integer not null check (total >= 0),
  done integer not null default 0,
  error text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id)
);
create index job_batches_created on job_batches (business_id, created_at desc);
select guard_tenant_table('job_batches');
comment on column job_batches.property_ids is 'Frozen when the action was confirmed, so that the jobs made are the ones that were counted on screen.';

alter table jobs add foreign key (business_id, batch_id) references job_batches on delete set null (batch_id);
create unique index jobs_batch_property on jobs (business_id, batch_id, property_id) where batch_id is not null;
