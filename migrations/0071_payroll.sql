-- What time is paid: wages with lawns and burden beside the hour, how the payroll counts and writes, whose numbers there, miles of own cars.

alter table wages
  add column piece_cents integer check (piece_cents >= 0),
  add column bonus_cents integer check (bonus_cents >= 0),
  add column burden_percent integer check (burden_percent between 0 and 200);
comment on column wages.piece_cents is 'A lawn, instead of the hour; null for who is paid by the hour.';
comment on column wages.bonus_cents is 'A lawn, on top of the hour or the piece.';
comment on column wages.burden_percent is 'On top of pay for taxes and insurance; null is that of the business.';

create table payroll_settings (
  business_id uuid primary key references businesses on delete cascade,
  overtime text not null default 'state' check (overtime in ('state', 'own')),
  weekly_hours integer not null default 40 check (weekly_hours between 1 and 40),
  daily_hours integer check (daily_hours between 1 and 24),
  double_hours integer check (double_hours between 1 and 24),
  rounding_minutes integer not null default 0 check (rounding_minutes in (0, 5, 6, 15)),
  preset text not null default 'plain' check (preset in ('plain', 'adp', 'gusto', 'quickbooks', 'paychex')),
  company_code text not null default '' check (length(company_code) <= 20),
  mile_tenth_cents integer not null default 700 check (mile_tenth_cents between 0 and 5000),
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
select guard_tenant_table('payroll_settings');
comment on column payroll_settings.rounding_minutes is 'How the payroll reads clock times; what is kept are whole seconds.';
comment on column payroll_settings.mile_tenth_cents is 'What a mile in an own car is paid, in tenths of a cent.';

create table payroll_numbers (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  number text not null check (length(number) <= 20),
  primary key (business_id, id),
  unique (business_id, user_id),
  foreign key (business_id, user_id) references users on delete cascade
);
select guard_tenant_table('payroll_numbers');
comment on table payroll_numbers is 'A person''s number at the payroll provider.';

create table own_car_miles (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  day date not null,
  tenth_miles integer not null check (tenth_miles between 1 and 10000),
  note text not null default '' check (length(note) <= 200),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, user_id, day),
  foreign key (business_id, user_id) references users on delete cascade
);
create index own_car_miles_day on own_car_miles (business_id, day);
select guard_tenant_table('own_car_miles');
