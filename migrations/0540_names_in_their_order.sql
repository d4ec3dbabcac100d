-- A list of names as people look for them: Évrard stands with the E, not behind Z, where the bytes would have it. The database's own order stays
-- that of bytes, which no update of the system's libraries changes under an index.
create function name_order(name text) returns text language sql immutable parallel safe strict
  return regexp_replace(normalize(lower(name), nfd), '[\u0300-\u036f]', '', 'g');

create index customers_name_order on customers (business_id, name_order(name), id);
create index business_leads_name_order on business_leads (business_id, name_order(name), id);
drop index business_leads_name;
