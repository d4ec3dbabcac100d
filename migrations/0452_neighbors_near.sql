-- Who lives near a stop is found by the pin, and whether a building is served by the beginning of its address.

create index properties_near on properties (business_id, latitude, longitude) where archived_at is null and latitude is not null;
create index business_leads_near on business_leads (business_id, latitude, longitude) where customer_id is null and latitude is not null;
create index properties_building on properties (business_id, address_key text_pattern_ops) where archived_at is null;
