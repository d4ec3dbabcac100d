-- A skipped visit counts for its city and its source, too: when its property moves or its customer's source changes, its day is counted again.
-- What was kept wrong before is found by the nightly comparison.
create or replace function customer_to_analytics() returns trigger language plpgsql as $$
begin
  perform mark_day(new.business_id, x.day) from (select distinct day from visits
    where business_id = new.business_id and customer_id = new.id and status in ('completed', 'skipped') and day is not null) x;
  return null;
end $$;
create or replace function property_to_analytics() returns trigger language plpgsql as $$
begin
  perform mark_day(new.business_id, x.day) from (select distinct day from visits
    where business_id = new.business_id and property_id = new.id and status in ('completed', 'skipped') and day is not null) x;
  return null;
end $$;
