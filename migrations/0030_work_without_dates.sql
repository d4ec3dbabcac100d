-- Rounds of a program, work on demand and work that waits have no day until somebody places them.
alter table job_lines add column undated jsonb;
alter table job_lines drop constraint job_lines_check;
alter table job_lines add constraint job_lines_one_schedule check (num_nonnulls(recurrence, once_on, undated) = 1);
create index job_lines_undated on job_lines (business_id, job_id) where undated is not null and archived_at is null;
comment on column job_lines.undated is 'What holds instead of days: a round of a program with its window, a place on the waiting list, or on demand.';

alter table visits drop constraint visits_origin_check;
alter table visits add constraint visits_origin_check check (origin in ('rule', 'manual', 'push', 'rebook', 'undated'));

create table programs (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  steps jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id)
);
select guard_tenant_table('programs');
comment on column programs.steps is 'The rounds in order. A job that was made from them keeps its own: a change of the program is for new ones.';

alter table jobs add column program_id uuid, add column program_year integer;
alter table jobs add foreign key (business_id, program_id) references programs on delete set null (program_id);
create index jobs_program on jobs (business_id, program_id, property_id) where program_id is not null;
