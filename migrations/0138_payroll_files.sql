-- What was handed to a payroll is remembered: a person's week is in one file, and a file is the same whenever it is asked for.

create table payroll_files (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  from_day date not null,
  to_day date not null,
  preset text not null check (preset in ('plain', 'adp', 'gusto', 'quickbooks', 'paychex')),
  name text not null,
  content text not null,
  people integer not null,
  gross_cents integer not null,
  mileage_cents integer not null,
  made_by uuid,
  made_at timestamptz not null,
  withdrawn_by uuid,
  withdrawn_at timestamptz,
  primary key (business_id, id)
);
create index payroll_files_days on payroll_files (business_id, to_day);
select guard_tenant_table('payroll_files');
comment on table payroll_files is 'A file for a payroll provider, as it was made.';
comment on column payroll_files.withdrawn_at is 'It was not read in: its weeks are free for another file.';

create table payroll_file_weeks (
  business_id uuid not null,
  id uuid not null,
  file_id uuid not null,
  user_id uuid not null,
  week date not null check (extract(isodow from week) = 1),
  gross_cents integer not null,
  mileage_cents integer not null,
  primary key (business_id, id),
  unique (business_id, week, user_id),
  foreign key (business_id, file_id) references payroll_files on delete cascade,
  foreign key (business_id, user_id) references users on delete cascade
);
create index payroll_file_weeks_file on payroll_file_weeks (business_id, file_id);
create index payroll_file_weeks_user on payroll_file_weeks (business_id, user_id);
select guard_tenant_table('payroll_file_weeks');
comment on table payroll_file_weeks is 'Whose week is in which file: in one, so that nobody is paid twice.';
