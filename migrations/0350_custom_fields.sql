-- Fields that a business adds to its customers and properties. A value stands in the row's own "custom", under the id of its field, so that it is read, versioned
-- and changed with the row; custom_values is written by the database from it and is only there to be searched by an index.

create table custom_fields (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  record text not null check (record in ('customer', 'property')),
  name text not null check (length(name) between 1 and 40),
  type text not null check (type in ('text', 'number', 'date', 'yesno', 'choice')),
  choices jsonb not null default '[]',
  position integer not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id)
);
create unique index custom_fields_name on custom_fields (business_id, record, lower(name)) where archived_at is null;
select guard_tenant_table('custom_fields', 'select, insert, update');
comment on column custom_fields.choices is '[{id, name, gone}]: what can be chosen, in order; one that is gone is still shown where it was chosen.';

alter table customers add column custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object');
alter table properties add column custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object');
comment on column customers.custom is 'Values of custom fields by the id of the field: text, number or yes/no; a day as YYYY-MM-DD, a choice by its id.';

create table custom_values (
  business_id uuid not null,
  field_id uuid not null,
  record_id uuid not null,
  customer_id uuid not null,
  property_id uuid,
  word text not null,
  number double precision,
  primary key (business_id, field_id, record_id),
  foreign key (business_id, field_id) references custom_fields on delete cascade,
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, property_id) references properties on delete cascade
);
create index custom_values_word on custom_values (business_id, field_id, word, customer_id);
create index custom_values_number on custom_values (business_id, field_id, number, customer_id) where number is not null;
create index custom_values_customer on custom_values (business_id, customer_id);
create index custom_values_property on custom_values (business_id, property_id) where property_id is not null;
create index custom_values_record on custom_values (business_id, record_id);
select guard_tenant_table('custom_values');
comment on column custom_values.word is 'The value in lower case, at most 200 characters; "true" and "false", the id of a choice, a day.';
comment on column custom_values.number is 'A number as it is, a day as days since 1970; null for the rest.';

create function put_custom_values(business uuid, of_record uuid, of_customer uuid, of_property uuid, kept jsonb) returns void language plpgsql as $$
begin
  delete from custom_values v where v.business_id = business and v.record_id = of_record;
  if kept <> '{}'::jsonb then
    insert into custom_values (business_id, field_id, record_id, customer_id, property_id, word, number)
    select business, f.id, of_record, of_customer, of_property, lower(left(x.value, 200)),
      case f.type when 'number' then x.value::double precision when 'date' then (x.value::date - date '1970-01-01')::double precision end
    from jsonb_each_text(kept) x join custom_fields f on f.business_id = business and f.id = x.key::uuid;
  end if;
end $$;

create function keep_customer_values() returns trigger language plpgsql as $$
begin
  perform put_custom_values(new.business_id, new.id, new.id, null, new.custom);
  return null;
end $$;
create trigger customers_custom_made after insert on customers for each row when (new.custom <> '{}'::jsonb) execute function keep_customer_values();
create trigger customers_custom_changed after update of custom on customers for each row when (old.custom is distinct from new.custom)
  execute function keep_customer_values();

-- An archived property is not searched for.
create function keep_property_values() returns trigger language plpgsql as $$
begin
  perform put_custom_values(new.business_id, new.id, new.customer_id, new.id, case when new.archived_at is null then new.custom else '{}'::jsonb end);
  return null;
end $$;
create trigger properties_custom_made after insert on properties for each row when (new.custom <> '{}'::jsonb) execute function keep_property_values();
create trigger properties_custom_changed after update of custom, customer_id, archived_at on properties for each row
  when (old.custom is distinct from new.custom or (new.custom <> '{}'::jsonb and
    (old.customer_id is distinct from new.customer_id or old.archived_at is distinct from new.archived_at)))
  execute function keep_property_values();
