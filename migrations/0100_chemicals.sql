-- What is put on lawns: products and the mixes of them, and the record of each application that the law asks for, which nobody changes afterwards.

create table chemical_settings (
  business_id uuid primary key references businesses on delete cascade,
  block_finish boolean not null default false,
  tell_customers boolean not null default true,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
select guard_tenant_table('chemical_settings');
comment on column chemical_settings.block_finish is 'A crew finishes a treatment only with a complete record.';

create table chemical_products (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  epa_number text not null default '' check (length(epa_number) <= 40),
  formulation text not null default '' check (length(formulation) <= 60),
  signal_word text not null default '' check (signal_word in ('', 'caution', 'warning', 'danger')),
  restricted boolean not null default false,
  license_skill text not null default '' check (length(license_skill) <= 40),
  reentry_hours integer not null default 0 check (reentry_hours between 0 and 720),
  unit text not null check (unit in ('fl oz', 'oz', 'lb', 'gal', 'ml', 'g')),
  label_url text not null default '' check (length(label_url) <= 500),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id)
);
create unique index chemical_products_name on chemical_products (business_id, lower(name)) where archived_at is null;
select guard_tenant_table('chemical_products');
comment on column chemical_products.license_skill is 'What a license has to allow for it, as licenses name it; empty: nobody needs one.';
comment on column chemical_products.reentry_hours is 'So long nobody goes on the lawn after it.';

create table chemical_mixes (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  carrier_gallons numeric(8,3) check (carrier_gallons > 0),
  target text not null default '' check (length(target) <= 120),
  method text not null default '' check (length(method) <= 80),
  equipment text not null default '' check (length(equipment) <= 80),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id)
);
create unique index chemical_mixes_name on chemical_mixes (business_id, lower(name)) where archived_at is null;
select guard_tenant_table('chemical_mixes');
comment on column chemical_mixes.carrier_gallons is 'Water for 1,000 square feet; null for what is spread dry.';

create table chemical_mix_products (
  business_id uuid not null,
  mix_id uuid not null,
  product_id uuid not null,
  position integer not null,
  rate numeric(10,4) not null check (rate > 0),
  primary key (business_id, mix_id, product_id),
  foreign key (business_id, mix_id) references chemical_mixes on delete cascade,
  foreign key (business_id, product_id) references chemical_products
);
create index chemical_mix_products_product on chemical_mix_products (business_id, product_id);
select guard_tenant_table('chemical_mix_products');
comment on column chemical_mix_products.rate is 'Units of the product for 1,000 square feet.';

create table application_records (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  visit_id uuid,
  customer_id uuid,
  property_id uuid,
  entered_by uuid,
  day date not null,
  state text not null,
  product_ids uuid[] not null,
  applied_at timestamptz not null,
  keep_off_until timestamptz,
  entered_at timestamptz not null,
  from_phone boolean not null,
  facts jsonb not null,
  primary key (business_id, id),
  foreign key (business_id, visit_id) references visits on delete set null (visit_id),
  foreign key (business_id, customer_id) references customers on delete set null (customer_id),
  foreign key (business_id, property_id) references properties on delete set null (property_id),
  foreign key (business_id, entered_by) references users on delete set null (entered_by)
);
create index application_records_day on application_records (business_id, day desc, id desc);
create index application_records_visit on application_records (business_id, visit_id) where visit_id is not null;
create index application_records_property on application_records (business_id, property_id, day desc) where property_id is not null;
create index application_records_customer on application_records (business_id, customer_id) where customer_id is not null;
create index application_records_entered_by on application_records (business_id, entered_by) where entered_by is not null;
create index application_records_keep_off on application_records (business_id, property_id, keep_off_until) where keep_off_until is not null;
select guard_tenant_table('application_records', 'select, insert, delete');
comment on table application_records is 'One application as it was written down, with everything that was true then. Nobody changes it: what was wrong is put right by an amendment.';
comment on column application_records.facts is 'The whole record; products, people, licenses and addresses as they were.';
comment on column application_records.entered_at is 'When it came to us; more than 24 hours after the application it is late.';

create table application_amendments (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  record_id uuid not null,
  number integer not null check (number > 0),
  amended_by uuid,
  reason text not null check (length(reason) between 1 and 500),
  product_ids uuid[] not null,
  keep_off_until timestamptz,
  facts jsonb not null,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, record_id, number),
  foreign key (business_id, record_id) references application_records on delete cascade,
  foreign key (business_id, amended_by) references users on delete set null (amended_by)
);
create index application_amendments_by on application_amendments (business_id, amended_by) where amended_by is not null;
select guard_tenant_table('application_amendments', 'select, insert');
comment on table application_amendments is 'A record put right: the whole record as it should have been, and why. The last one counts; all are kept.';

-- Five years, longer than any state asks for that we know of. What goes with its business, customer or visit is the database's own doing.
create function keep_application() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if pg_trigger_depth() < 2 and (tg_table_name = 'application_amendments' or to_jsonb(old)->>'applied_at' > to_jsonb(now() - interval '5 years')#>>'{}') then
      raise exception 'the record of an application is kept for five years' using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if exists (select 1 from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key)
      where n.value <> o.value and (n.value <> 'null' or n.key not in ('visit_id', 'customer_id', 'property_id', 'entered_by', 'amended_by'))) then
    raise exception 'the record of an application is never changed: amend it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger application_records_kept before update or delete on application_records for each row execute function keep_application();
create trigger application_amendments_kept before update or delete on application_amendments for each row execute function keep_application();
