-- Reports kept under a name for the whole office, and when one goes out by mail.

create table saved_reports (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  kind text not null check (kind in ('sales', 'routes', 'skips', 'chemicals', 'aging', 'payroll', 'tax', 'renewals')),
  settings jsonb not null default '{}',
  created_by uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, created_by) references users on delete set null (created_by)
);
create unique index saved_reports_name on saved_reports (business_id, lower(name));
select guard_tenant_table('saved_reports');
comment on column saved_reports.settings is 'Period, filters, grouping and columns, as the screen has them.';

create table report_mailings (
  business_id uuid not null,
  report_id uuid not null,
  rhythm text not null check (rhythm in ('weekly', 'monthly')),
  weekday integer not null check (weekday between 0 and 6),
  month_day integer not null check (month_day between 1 and 31),
  hour integer not null check (hour between 0 and 23),
  formats text[] not null check (cardinality(formats) > 0),
  user_ids uuid[] not null default '{}',
  emails text[] not null default '{}',
  set_by uuid not null,
  next_at timestamptz not null,
  last_sent_at timestamptz,
  last_message_ids uuid[] not null default '{}',
  problem text not null default '',
  updated_at timestamptz not null default now(),
  primary key (business_id, report_id),
  foreign key (business_id, report_id) references saved_reports on delete cascade,
  foreign key (business_id, set_by) references users on delete cascade
);
create index report_mailings_due on report_mailings (business_id, next_at);
create index report_mailings_set_by on report_mailings (business_id, set_by);
select guard_tenant_table('report_mailings');
comment on table report_mailings is 'When a saved report goes out by mail, and to whom; without a row it does not.';
comment on column report_mailings.set_by is 'Who set it up: files for an address that is nobody of the business hold what this person may see now.';
comment on column report_mailings.next_at is 'When it goes out next; moved on in the transaction that queues its mails, so that no turn is sent twice.';
comment on column report_mailings.last_message_ids is 'The mails of the last turn: what became of them stands in messages.';
comment on column report_mailings.problem is 'Why its last turn, or a part of it, did not go out; empty where all did.';

create index files_reports on files (business_id, created_at) where kind = 'report';
