-- What crews really take on a lawn is proposed as its new minutes; a proposal that somebody did not want stays away.
create table minutes_dismissals (
  business_id uuid not null,
  job_line_id uuid not null,
  learned_minutes integer not null check (learned_minutes > 0),
  dismissed_by uuid,
  dismissed_at timestamptz not null default now(),
  primary key (business_id, job_line_id),
  foreign key (business_id, job_line_id) references job_lines on delete cascade
);
select guard_tenant_table('minutes_dismissals');
comment on column minutes_dismissals.learned_minutes is 'What was proposed then, in labor minutes; it is proposed again when newer visits say something that differs from this.';
