-- Customers, their properties, imports, and what is known of addresses.

create table imports (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text not null default 'customers',
  source text not null default '',
  file_name text not null,
  status text not null check (status in ('uploaded', 'checking', 'checked', 'running', 'done', 'undoing', 'undone', 'failed')),
  columns jsonb not null default '[]',
  mapping jsonb not null default '{}',
  row_count integer not null default 0,
  ok_count integer not null default 0,
  error_count integer not null default 0,
  duplicate_count integer not null default 0,
  archived_count integer not null default 0,
  done_count integer not null default 0,
  customer_count integer not null default 0,
  remaining_count integer not null default 0,
  with_duplicates boolean not null default false,
  error text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (business_id, id)
);
comment on column imports.customer_count is 'Customers that the good rows make: several rows of one customer are one.';
comment on column imports.remaining_count is 'Customers that an undo left because work or money hangs on them.';
select guard_tenant_table('imports');

create table import_rows (
  business_id uuid not null,
  import_id uuid not null,
  line integer not null,
  data jsonb not null,
  status text not null default 'new' check (status in ('new', 'ok', 'error', 'duplicate', 'written', 'undone')),
  reasons jsonb not null default '[]',
  customer_id uuid,
  property_id uuid,
  primary key (business_id, import_id, line),
  foreign key (business_id, import_id) references imports on delete cascade
);
create index import_rows_status on import_rows (business_id, import_id, status, line);
comment on column import_rows.customer_id is 'Given by the check, before anything is written: a second run of the same rows finds its own customers.';
select guard_tenant_table('import_rows');

create table customers (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  type text not null default 'residential' check (type in ('residential', 'commercial')),
  name text not null check (length(name) between 1 and 120),
  company text,
  email text,
  phone text,
  billing_street text, billing_city text, billing_state text, billing_zip text,
  stage text not null default 'active' check (stage in ('lead', 'active', 'past')),
  source text not null default 'manual',
  tags text[] not null default '{}',
  notes text not null default '',
  terms_days integer check (terms_days between 0 and 365),
  invoice_grouping text check (invoice_grouping in ('customer', 'property', 'visit')),
  tax_exempt boolean not null default false,
  tax_certificate text,
  hold_invoices boolean not null default false,
  language text not null default 'en',
  import_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, import_id) references imports on delete set null (import_id)
);
create index customers_name on customers (business_id, lower(name), id);
create index customers_created on customers (business_id, created_at, id);
-- Behind row-level security only leakproof conditions reach an index: = on the column does, lower() does not. E-mails are stored in lower case.
create index customers_email on customers (business_id, email);
create index customers_phone on customers (business_id, phone);
create index customers_import on customers (business_id, import_id);
select guard_tenant_table('customers');

-- One spelling of an address, so that "12 North Oak Street, Apt 4" and "12 N. Oak St #4" are found to be the same place.
create function address_key(street text, unit text, city text, zip text) returns text language plpgsql immutable parallel safe as $$
declare
  key text := ' ' || regexp_replace(regexp_replace(lower(street || ' ' || unit), '[.,''’]', '', 'g'), '[^[:alnum:]]+', ' ', 'g') || ' ';
  pair text[];
begin
  if length(btrim(key)) = 0 then
    return '';
  end if;
  foreach pair slice 1 in array array[
    ['street', 'st'], ['avenue', 'ave'], ['av', 'ave'], ['drive', 'dr'], ['road', 'rd'], ['lane', 'ln'], ['court', 'ct'],
    ['boulevard', 'blvd'], ['circle', 'cir'], ['place', 'pl'], ['terrace', 'ter'], ['highway', 'hwy'], ['parkway', 'pkwy'],
    ['trail', 'trl'], ['square', 'sq'], ['point', 'pt'], ['cove', 'cv'], ['crossing', 'xing'],
    ['north', 'n'], ['south', 's'], ['east', 'e'], ['west', 'w'],
    ['northeast', 'ne'], ['northwest', 'nw'], ['southeast', 'se'], ['southwest', 'sw'],
    ['apartment', ''], ['apt', ''], ['unit', ''], ['suite', ''], ['ste', ''], ['lot', '']]
  loop
    key := replace(key, ' ' || pair[1] || ' ', ' ' || pair[2] || ' ');
  end loop;
  return btrim(regexp_replace(key, ' +', ' ', 'g')) || '|' || coalesce(nullif(left(regexp_replace(zip, '[^0-9]', '', 'g'), 5), ''), lower(btrim(city)));
end $$;
revoke all on function address_key(text, text, text, text) from public;
grant execute on function address_key(text, text, text, text) to swath_app;

-- geocode_quality says how well a place is known: set by hand, given with the address, found at the house, on the street, or only the middle of its
-- ZIP code or area.
create table properties (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  street text not null check (length(street) between 1 and 200),
  unit text not null default '',
  city text not null default '', state text not null default '', zip text not null default '',
  address_key text generated always as (address_key(street, unit, city, zip)) stored,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  geocode_quality text not null default 'none'
    check (geocode_quality in ('manual', 'exact', 'rooftop', 'street', 'zip', 'county', 'approximate', 'none')),
  geocode_wanted_at timestamptz,
  geocode_note text not null default '',
  lawn_square_feet integer check (lawn_square_feet between 0 and 50000000),
  difficulty integer not null default 1 check (difficulty between 1 and 5),
  gate_code_cipher text,
  dog text not null default '',
  parking text not null default '',
  no_go text not null default '',
  mow_height_inches numeric(4,2),
  clippings text not null default 'mulch' check (clippings in ('mulch', 'bag', 'side')),
  notes text not null default '',
  import_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, import_id) references imports on delete set null (import_id)
);
create index properties_customer on properties (business_id, customer_id);
create index properties_street on properties (business_id, lower(street), zip);
create index properties_import on properties (business_id, import_id);
create index properties_address on properties (business_id, address_key);
create index properties_geocode_wanted on properties (business_id, geocode_wanted_at) where geocode_wanted_at is not null;
comment on column properties.geocode_wanted_at is 'Since when the address waits to be looked up; null when it does not.';
comment on column properties.geocode_note is 'Why the place is not better known, for the office.';
select guard_tenant_table('properties');

create table gate_code_reveals (
  business_id uuid not null,
  id uuid not null,
  property_id uuid not null,
  user_id uuid not null,
  visit_id uuid,
  at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, property_id) references properties on delete cascade,
  foreign key (business_id, user_id) references users on delete cascade
);
create index gate_code_reveals_property on gate_code_reveals (business_id, property_id, at);
create index gate_code_reveals_user on gate_code_reveals (business_id, user_id);
select guard_tenant_table('gate_code_reveals', 'select, insert');

-- What a service answered for an address. The address is a customer's, so the rows belong to the business.
create table geocoded_addresses (
  business_id uuid not null references businesses on delete cascade,
  service text not null,
  address_key text not null check (length(address_key) <= 500),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  quality text not null check (quality in ('rooftop', 'street', 'zip', 'county', 'none')),
  several boolean not null default false,
  label text not null default '',
  asked_on date not null,
  primary key (business_id, service, address_key),
  check ((latitude is null) = (quality = 'none'))
);
select guard_tenant_table('geocoded_addresses');
comment on column geocoded_addresses.several is 'The service knows more than one such address.';

-- A foreign key is checked by a plan that the session keeps. On tables that were never analyzed it walks every row of the business instead of the one
-- it looks for, and an import into a new business grows with the square of its rows. The application does not own the tables, so it may only
-- ask for this: measures what changed much since the last time, and does nothing most of the time.
create function refresh_customer_statistics() returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $$
declare
  stale text;
begin
  for stale in
    select s.relname from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = 'public' and s.relname in ('customers', 'properties', 'import_rows')
      and s.n_mod_since_analyze > greatest(400, c.reltuples * 0.2)
    order by s.relname
  loop
    execute format('analyze public.%I', stale);
  end loop;
exception when lock_not_available then
  null;
end $$;
revoke all on function refresh_customer_statistics() from public;
grant execute on function refresh_customer_statistics() to swath_app;
