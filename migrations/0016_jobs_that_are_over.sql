-- What is asked of the work that runs is found without walking the jobs that are over, and how many these are is kept.
create index jobs_current on jobs (business_id, property_id) where status in ('draft', 'active', 'paused') and archived_at is null;

create table job_totals (
  business_id uuid primary key references businesses on delete cascade,
  over_count integer not null
);
comment on table job_totals is 'How many jobs of a business are completed, canceled or archived, kept by a trigger of jobs.';
-- The wall stands for whoever brings the tables up to date, too.
alter table jobs no force row level security;
insert into job_totals (business_id, over_count)
  select business_id, count(*) from jobs where status in ('completed', 'canceled') or archived_at is not null group by 1;
alter table jobs force row level security;
select guard_tenant_table('job_totals');

create function is_job_over(status text, archived_at timestamptz) returns boolean language sql immutable parallel safe
  as $$ select status in ('completed', 'canceled') or archived_at is not null $$;
create function count_job_over() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' and is_job_over(new.status, new.archived_at) then
    insert into job_totals as t (business_id, over_count) values (new.business_id, 1)
      on conflict (business_id) do update set over_count = t.over_count + 1;
  else
    update job_totals set over_count = over_count - 1 where business_id = old.business_id;
  end if;
  return null;
end $$;
-- At the end of a transaction, so that two that end several jobs each wait for each other and never for ever.
create constraint trigger jobs_over_made after insert on jobs deferrable initially deferred
  for each row when (is_job_over(new.status, new.archived_at)) execute function count_job_over();
create constraint trigger jobs_over_gone after delete on jobs deferrable initially deferred
  for each row when (is_job_over(old.status, old.archived_at)) execute function count_job_over();
create constraint trigger jobs_over_changed after update of status, archived_at on jobs deferrable initially deferred
  for each row when (is_job_over(old.status, old.archived_at) <> is_job_over(new.status, new.archived_at)) execute function count_job_over();
