-- How far the nightly look for events that no webhook brought came on our own side: after a stand-still it goes on from there.
create table event_looks (
  provider text primary key,
  looked_at timestamptz not null
);
comment on column event_looks.looked_at is 'What happened before is here; a look begins a day sooner.';
grant select, insert, update on event_looks to swath_app;
