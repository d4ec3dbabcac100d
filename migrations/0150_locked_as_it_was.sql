-- A locked week shows how its days are paid by the rule that held when it was locked. Weeks that were locked before pay was kept get theirs
-- afterwards (the task payroll.keepLocked), and say so.

alter table payroll_lines add column days jsonb;
comment on column payroll_lines.days is 'How each of the seven days is paid, as clocked: [{regular, overtime, double}] in seconds.';

alter table payroll_weeks
  add column rule text,
  add column kept_later_at timestamptz;
comment on column payroll_weeks.rule is 'The overtime rule of the business in words, when it was locked.';
comment on column payroll_weeks.kept_later_at is 'Its pay was put down only then, by what was known then; it had been locked before.';
create index payroll_weeks_not_kept on payroll_weeks (business_id, week) where not kept;
