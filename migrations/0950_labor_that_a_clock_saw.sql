-- Work that no clock saw is money without time: it made every labor hour look better than it was. What a labor hour earned is told of the visits
-- alone whose time is known, so a day keeps the money and the time of those beside all of it.

alter table analytics_days
  add column clocked_worth_cents bigint not null default 0,
  add column clocked_labor_seconds bigint not null default 0,
  add column clocked_drive_labor_seconds bigint not null default 0;
comment on column analytics_days.clocked_worth_cents is 'The part of worth_cents whose visits have people and a time on the clock; their man-seconds are clocked_labor_seconds.';
comment on column analytics_days.clocked_drive_labor_seconds is 'Of clocked_labor_seconds those on the road.';

-- What was counted before is counted again.
alter table analytics_days no force row level security;
alter table analytics_marks no force row level security;
insert into analytics_marks (business_id, id, day, by_transaction)
  select business_id, gen_random_uuid(), day, pg_current_xact_id() from analytics_days where kind = 'all' and completions > 0;
alter table analytics_marks force row level security;
alter table analytics_days force row level security;
