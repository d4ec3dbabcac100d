-- What a business spends: categories, expenses with their parts and receipts, costs that come again, and odometers.

create table expense_categories (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  code text check (length(code) <= 40),
  name text not null check (length(name) between 1 and 60),
  position integer not null default 0,
  version integer not null default 1,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id)
);
create unique index expense_categories_name on expense_categories (business_id, lower(name)) where archived_at is null;
create unique index expense_categories_code on expense_categories (business_id, code) where code is not null;
comment on column expense_categories.code is 'Of a standard category, whatever it is called by now; null for one of the business''s own.';

-- Every business begins with the categories of the field; from then on they are its own to rename and archive.
create function add_expense_categories(business uuid) returns void language sql as $$
  insert into expense_categories (business_id, id, code, name, position)
  select business, gen_random_uuid(), code, name, position from (values
    ('fuel', 'Fuel', 1), ('disposal', 'Dump and disposal fees', 2), ('materials', 'Materials and supplies', 3),
    ('fertilizer', 'Fertilizer and chemicals', 4), ('equipment', 'Equipment', 5), ('repairs', 'Repairs and maintenance', 6),
    ('truck', 'Truck payments and leases', 7), ('insurance', 'Insurance', 8), ('licenses', 'Licenses and permits', 9),
    ('subcontractors', 'Subcontractors', 10), ('rental', 'Equipment rental', 11), ('rent', 'Rent and utilities', 12),
    ('office', 'Office and software', 13), ('advertising', 'Advertising', 14), ('meals', 'Meals', 15), ('other', 'Other', 16)
  ) standard (code, name, position) $$;

create table recurring_expenses (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  every text not null check (every in ('month', 'quarter', 'year')),
  first_on date not null,
  end_on date,
  next_on date,
  category_id uuid not null,
  vendor text not null default '' check (length(vendor) <= 120),
  note text not null default '' check (length(note) <= 1000),
  total_cents integer not null check (total_cents > 0),
  tax_cents integer not null default 0,
  method text not null check (method in ('card', 'cash', 'check', 'bank', 'account')),
  crew_id uuid,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (business_id, id),
  check (tax_cents between 0 and total_cents),
  check (end_on is null or end_on >= first_on),
  foreign key (business_id, category_id) references expense_categories,
  foreign key (business_id, crew_id) references crews
);
create index recurring_expenses_next on recurring_expenses (business_id, next_on) where deleted_at is null and next_on is not null;
create index recurring_expenses_category on recurring_expenses (business_id, category_id);
create index recurring_expenses_crew on recurring_expenses (business_id, crew_id) where crew_id is not null;
comment on column recurring_expenses.next_on is 'The day of the next expense that is to be made; null after the last one.';

create table expenses (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  day date not null,
  category_id uuid not null,
  vendor text not null default '' check (length(vendor) <= 120),
  note text not null default '' check (length(note) <= 1000),
  total_cents integer not null,
  tax_cents integer not null default 0,
  method text not null check (method in ('card', 'cash', 'check', 'bank', 'account', 'personal')),
  paid_by uuid,
  reimbursed_on date,
  source text not null default 'office' check (source in ('office', 'crew', 'mail', 'recurring')),
  review boolean not null default false,
  recurring_id uuid,
  source_key text,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (business_id, id),
  unique (business_id, recurring_id, day),
  unique (business_id, source_key),
  check (total_cents > 0 or (review and total_cents = 0)),
  check (tax_cents between 0 and total_cents),
  check (method = 'personal' or reimbursed_on is null),
  foreign key (business_id, category_id) references expense_categories,
  foreign key (business_id, paid_by) references users on delete set null (paid_by),
  foreign key (business_id, recurring_id) references recurring_expenses
);
create index expenses_day on expenses (business_id, day, id) where deleted_at is null;
create index expenses_vendor on expenses (business_id, lower(vendor), day desc) where deleted_at is null;
create index expenses_category on expenses (business_id, category_id);
create index expenses_paid_by on expenses (business_id, paid_by) where paid_by is not null;
create index expenses_review on expenses (business_id, day) where review and deleted_at is null;
create index expenses_created_by on expenses (business_id, created_by, day) where source = 'crew';
comment on column expenses.total_cents is 'What was paid, sales tax included. 0 only while the receipt waits for somebody to read it.';
comment on column expenses.review is 'It came from a crew''s phone or by mail and nobody of the office has looked at it yet.';
comment on column expenses.source_key is 'What makes a mail''s receipt come in once.';

create table expense_parts (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  expense_id uuid not null,
  position integer not null,
  amount_cents integer not null check (amount_cents >= 0),
  crew_id uuid,
  vehicle text not null default '' check (length(vehicle) <= 60),
  job_id uuid,
  visit_id uuid,
  primary key (business_id, id),
  foreign key (business_id, expense_id) references expenses on delete cascade,
  foreign key (business_id, crew_id) references crews,
  foreign key (business_id, job_id) references jobs on delete set null (job_id),
  foreign key (business_id, visit_id) references visits on delete set null (visit_id)
);
create index expense_parts_expense on expense_parts (business_id, expense_id);
create index expense_parts_crew on expense_parts (business_id, crew_id) where crew_id is not null;
create index expense_parts_job on expense_parts (business_id, job_id) where job_id is not null;
create index expense_parts_visit on expense_parts (business_id, visit_id) where visit_id is not null;
comment on table expense_parts is 'What of an expense was for which crew, truck and work. They add up to its total, also where there is only one.';

create function expense_parts_add_up() returns trigger language plpgsql as $$
declare
  business uuid;
  expense uuid;
begin
  if tg_table_name = 'expenses' then
    business := new.business_id; expense := new.id;
  elsif tg_op = 'DELETE' then
    business := old.business_id; expense := old.expense_id;
  else
    business := new.business_id; expense := new.expense_id;
  end if;
  if exists (select 1 from expenses e where e.business_id = business and e.id = expense and e.total_cents <>
      (select coalesce(sum(p.amount_cents), 0) from expense_parts p where p.business_id = business and p.expense_id = expense)) then
    raise exception 'the parts of expense % do not add up to its total', expense using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger expenses_add_up after insert or update on expenses deferrable initially deferred
  for each row execute function expense_parts_add_up();
create constraint trigger expense_parts_add_up after insert or update or delete on expense_parts deferrable initially deferred
  for each row execute function expense_parts_add_up();

create table expense_receipts (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  expense_id uuid not null,
  file_id uuid not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, expense_id) references expenses on delete cascade,
  foreign key (business_id, file_id) references files
);
create index expense_receipts_expense on expense_receipts (business_id, expense_id);
create index expense_receipts_file on expense_receipts (business_id, file_id);

create table odometer_readings (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  day date not null,
  crew_id uuid not null,
  start_miles integer not null check (start_miles between 0 and 2000000),
  end_miles integer not null check (end_miles between start_miles and start_miles + 2000),
  created_by uuid,
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, crew_id, day),
  foreign key (business_id, crew_id) references crews
);
create index odometer_readings_day on odometer_readings (business_id, day);
comment on table odometer_readings is 'What the odometer of a crew''s truck said on a day. It counts instead of the miles of the route.';

select guard_tenant_table('expense_categories');
select guard_tenant_table('recurring_expenses');
select guard_tenant_table('expenses');
select guard_tenant_table('expense_parts');
select guard_tenant_table('expense_receipts');
select guard_tenant_table('odometer_readings');

create function start_expense_categories() returns trigger language plpgsql as $$
begin
  perform add_expense_categories(new.business_id);
  return null;
end $$;
create trigger businesses_expense_categories after insert on businesses for each row execute function start_expense_categories();

alter table businesses no force row level security;
alter table expense_categories no force row level security;
select add_expense_categories(business_id) from businesses;
alter table businesses force row level security;
alter table expense_categories force row level security;
