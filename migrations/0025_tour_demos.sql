-- Which demo businesses visitors of the tour are shown (decision 032). Global: asked before any business is known, holds only the way to one. An address
-- is nobody's proof: whoever calls a business of their own almost so must neither be shown nor stand in the way.
create table tour_demos (
  business_id uuid primary key references businesses on delete cascade,
  begun_at timestamptz not null,
  ready_at timestamptz check (ready_at >= begun_at)
);
create index tour_demos_ready on tour_demos (ready_at desc, business_id desc) where ready_at is not null;
grant select, insert, update, delete on tour_demos to swath_app;
comment on column tour_demos.ready_at is 'From when visitors are shown it; null while it is made. It is replaced when the next one is ready.';

-- Those that there are, by the addresses that only they were given. Each request still reads whether the business is a demo.
insert into tour_demos (business_id, begun_at, ready_at)
select distinct on (business_id) business_id, now(), now() from slugs
where slug ~ '^palmetto-and-pine(-20\d\d-\d\d-\d\d-\d\d-\d\d-\d\d)?$';
