-- A year against the year before is two years of days by job. The days of a month that is over seldom change: they are kept added up as well, and a look
-- reads whole months as their sums and the days at its edges by themselves.

create table analytics_job_months (
  business_id uuid not null references businesses on delete cascade,
  month date not null check (extract(day from month) = 1),
  job_id uuid not null,
  customer_id uuid not null,
  completions integer not null,
  worth_cents bigint not null,
  captured_cents bigint not null,
  primary key (business_id, month, job_id, customer_id)
);
select guard_tenant_table('analytics_job_months');
comment on table analytics_job_months is 'Sums of analytics_jobs by month; they hold only while the month stands in analytics_months.';

create table analytics_months (
  business_id uuid not null references businesses on delete cascade,
  month date not null check (extract(day from month) = 1),
  primary key (business_id, month)
);
select guard_tenant_table('analytics_months');
comment on table analytics_months is 'Months whose sums by job are those of their days; whatever changes a day of one takes it off here in the same transaction.';

-- Whoever writes a day: a process of the release before knows nothing of months.
create function job_day_to_months() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from analytics_months m where m.business_id = old.business_id and m.month = date_trunc('month', old.day::timestamp)::date;
  end if;
  if tg_op <> 'DELETE' then
    delete from analytics_months m where m.business_id = new.business_id and m.month = date_trunc('month', new.day::timestamp)::date;
  end if;
  return null;
end $$;
create trigger analytics_jobs_months after insert or update or delete on analytics_jobs for each row execute function job_day_to_months();
