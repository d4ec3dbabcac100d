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

alter table properties add column address_key text generated always as (address_key(street, unit, city, zip)) stored;
create index properties_address on properties (business_id, address_key);

alter table imports
  add column source text not null default '',
  add column customer_count integer not null default 0,
  add column remaining_count integer not null default 0,
  add column with_duplicates boolean not null default false,
  add column finished_at timestamptz;
comment on column imports.customer_count is 'Customers that the good rows make: several rows of one customer are one.';
comment on column imports.remaining_count is 'Customers that an undo left because work or money hangs on them.';
comment on column import_rows.customer_id is 'Given by the check, before anything is written: a second run of the same rows finds its own customers.';
