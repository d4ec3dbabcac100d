-- What did not arrive stays under "Needs you" until it is mended or somebody dismisses it.
alter table messages add column dismissed_at timestamptz;
comment on column messages.dismissed_at is 'Somebody looked at it and said that nothing is to be done about it not having arrived.';

-- what was gone from there before does not come back; behind the wall of the tenants there are no rows to change
alter table messages no force row level security;
update messages set dismissed_at = now() where direction = 'outbound' and status in ('failed', 'unknown') and updated_at <= now() - interval '3 days';
alter table messages force row level security;
