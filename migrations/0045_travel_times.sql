-- What a road engine answered, one row a pair of places and direction. A place is its coordinates rounded to five decimals (a meter) as one
-- number. The places are customers' homes, so the rows belong to the business, are seen by nobody else and go with it.
create table travel_times (
  business_id uuid not null references businesses on delete cascade,
  engine text not null check (length(engine) between 1 and 60),
  bucket smallint not null default 0,
  from_key bigint not null,
  to_key bigint not null,
  seconds integer not null check (seconds >= -1),
  meters integer not null check (meters >= -1),
  asked_on date not null,
  primary key (business_id, engine, bucket, from_key, to_key)
);
select guard_tenant_table('travel_times');
comment on column travel_times.bucket is 'Kind of day and hour for engines that know traffic; 0 for all others.';
comment on column travel_times.seconds is '-1: the engine knows no way.';
