-- A change of many jobs that was taken back on some of them is not over: the others can be taken back later, each once.
alter table job_edit_jobs add column undone_at timestamptz;
alter table job_edits no force row level security;
alter table job_edit_jobs no force row level security;
update job_edit_jobs j set undone_at = e.undone_at
  from job_edits e where e.business_id = j.business_id and e.id = j.edit_id and e.undone_at is not null;
alter table job_edits force row level security;
alter table job_edit_jobs force row level security;
comment on column job_edit_jobs.undone_at is 'When it was taken back on this job; job_edits.undone_at is when the last of its jobs was.';
