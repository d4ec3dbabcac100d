-- What customers are told of their visits by themselves. Businesses that were here before ask for it; new ones begin with it.
alter table businesses
  add column reminders text not null default 'off' check (reminders in ('off', 'some', 'all')),
  add column reminder_minute integer not null default 1020 check (reminder_minute between 0 and 1439),
  add column tell_moves boolean not null default false,
  add column tell_on_way boolean not null default false,
  add column share_photos boolean not null default false,
  add column notice_texts jsonb not null default '{}',
  add column arrival_error_minutes integer check (arrival_error_minutes >= 0),
  add column arrival_starts integer not null default 0,
  add column arrival_measured_on date;
alter table businesses
  alter column reminders set default 'some',
  alter column tell_moves set default true,
  alter column tell_on_way set default true,
  alter column share_photos set default true;
comment on column businesses.reminders is 'Whom the day before is told: some is everything but recurring mowing.';
comment on column businesses.reminder_minute is 'Minutes after midnight in the business''s zone, kept out of quiet hours.';
comment on column businesses.notice_texts is 'Texts of its own by notice and language: {"reminder.en": "..."}; what is missing is ours.';
comment on column businesses.arrival_error_minutes is 'Nine of ten visits of the last weeks began within so many minutes of what their crew was sent; null until enough did.';

-- Which day a customer was told for a visit. It outlives the visit, so that one that is taken away is told too.
create table visit_tellings (
  business_id uuid not null references businesses on delete cascade,
  visit_id uuid not null,
  customer_id uuid not null,
  told_day date,
  reminded_day date,
  told_at timestamptz not null,
  moved_at timestamptz,
  primary key (business_id, visit_id),
  foreign key (business_id, customer_id) references customers on delete cascade
);
create index visit_tellings_customer on visit_tellings (business_id, customer_id);
select guard_tenant_table('visit_tellings');
comment on column visit_tellings.told_day is 'Null: the customer was told that there is no day, or that the visit will not be.';
comment on column visit_tellings.moved_at is 'When the last notice of a move was written.';

create table customer_notices (
  business_id uuid not null,
  customer_id uuid not null,
  muted text[] not null default '{}',
  primary key (business_id, customer_id),
  foreign key (business_id, customer_id) references customers on delete cascade
);
select guard_tenant_table('customer_notices');
comment on table customer_notices is 'Notices that a customer does not want; no row is all of them.';
