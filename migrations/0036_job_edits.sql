-- One change of many jobs, and what it wrote over, so that it can be taken back as it was.
create table job_edits (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  change jsonb not null,
  summary jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  undone_by uuid,
  undone_at timestamptz,
  primary key (business_id, id)
);
create index job_edits_created on job_edits (business_id, created_at desc);
select guard_tenant_table('job_edits');

create table job_edit_jobs (
  business_id uuid not null,
  edit_id uuid not null,
  job_id uuid not null,
  was jsonb not null,
  primary key (business_id, edit_id, job_id),
  foreign key (business_id, edit_id) references job_edits on delete cascade,
  foreign key (business_id, job_id) references jobs on delete cascade
);
create index job_edit_jobs_job on job_edit_jobs (business_id, job_id);
select guard_tenant_table('job_edit_jobs');
comment on column job_edit_jobs.was is 'What was changed of the job, its lines and visits, as it stood before and after.';
