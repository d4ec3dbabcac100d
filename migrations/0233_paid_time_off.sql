-- Time off that is paid: what kind it is, for how many hours a day, and how it goes into the payroll.

alter table calendar_events
  add column pay_kind text check (pay_kind in ('vacation', 'sick', 'holiday')),
  add column paid_minutes integer check (paid_minutes between 1 and 1440),
  add check (paid_minutes is null or pay_kind is not null),
  add check (pay_kind is null or kind = 'time_off');
comment on column calendar_events.paid_minutes is 'Paid for each of its working days; null: it is not paid.';

alter table payroll_lines
  add column off_seconds integer not null default 0,
  add column off_cents integer not null default 0,
  add column meal_cents integer not null default 0;
comment on column payroll_lines.off_cents is 'Paid time off, in gross_cents; no part of overtime or of its rate.';
comment on column payroll_lines.meal_cents is 'Premium hours for meals that the law asks for and nobody had, in gross_cents.';

alter table payroll_settings add column codes jsonb not null default '{}';
comment on column payroll_settings.codes is 'Earning codes that are another at this business''s provider: {adp: {vacation: "V"}}. What is not here has its usual name.';
