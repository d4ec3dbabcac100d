-- What is locked is kept: the pay of each person in a locked week stands as it was when it was locked, whatever wage, rule or visit changes later.

alter table payroll_weeks add column kept boolean not null default false;
comment on column payroll_weeks.kept is 'Its pay stands in payroll_lines; false for weeks that were locked before these were kept.';

create table payroll_lines (
  business_id uuid not null,
  id uuid not null,
  week date not null check (extract(isodow from week) = 1),
  user_id uuid not null,
  regular_seconds integer not null,
  overtime_seconds integer not null,
  double_seconds integer not null,
  lawns integer not null,
  piece_cents integer not null,
  bonus_cents integer not null,
  premium_cents integer not null,
  gross_cents integer not null,
  cost_cents integer not null,
  tenth_miles integer not null,
  mileage_cents integer not null,
  usual_wage boolean not null,
  below_minimum boolean not null,
  items jsonb not null,
  primary key (business_id, id),
  unique (business_id, week, user_id),
  foreign key (business_id, user_id) references users on delete cascade
);
select guard_tenant_table('payroll_lines');
comment on table payroll_lines is 'The pay of a person in a locked week, as it was locked.';
comment on column payroll_lines.items is 'The same line by line, as a payroll''s file takes it.';
