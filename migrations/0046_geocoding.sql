-- How well a place is known: set by hand, given with the address, found at the house, on the street, or only the middle of its ZIP code or area.
alter table properties
  drop constraint properties_geocode_quality_check,
  add constraint properties_geocode_quality_check
    check (geocode_quality in ('manual', 'exact', 'rooftop', 'street', 'zip', 'county', 'approximate', 'none')),
  add column geocode_wanted_at timestamptz,
  add column geocode_note text not null default '';
comment on column properties.geocode_wanted_at is 'Since when the address waits to be looked up; null when it does not.';
comment on column properties.geocode_note is 'Why the place is not better known, for the office.';
create index properties_geocode_wanted on properties (business_id, geocode_wanted_at) where geocode_wanted_at is not null;

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
