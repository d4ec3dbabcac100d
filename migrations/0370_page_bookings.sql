-- A visitor of the business page picks a day: what may be picked, who holds a place for some minutes, and what came of it.

alter table lead_settings
  add column book_on boolean not null default false,
  add column book_service_ids uuid[] not null default '{}',
  add column book_days_ahead integer not null default 14 check (book_days_ahead between 1 and 30),
  add column book_most_daily integer not null default 3 check (book_most_daily between 1 and 50),
  add column book_asks boolean not null default false;
comment on column lead_settings.book_service_ids is 'Services that can be booked into a day on the page; each of them has a price there too.';
comment on column lead_settings.book_asks is 'The office says yes before anything is booked.';

create table page_bookings (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  status text not null check (status in ('held', 'asked', 'booked', 'refused')),
  day date not null,
  crew_id uuid not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  is_exact boolean not null,
  address jsonb not null,
  square_feet integer not null check (square_feet between 1 and 50000000),
  minutes integer not null check (minutes between 1 and 10000),
  price_cents integer not null check (price_cents >= 0),
  lines jsonb not null,
  held_until timestamptz not null,
  lead_id uuid,
  job_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, crew_id) references crews on delete cascade,
  foreign key (business_id, lead_id) references business_leads on delete cascade,
  foreign key (business_id, job_id) references jobs on delete set null (job_id)
);
create index page_bookings_day on page_bookings (business_id, day) where status <> 'refused';
create index page_bookings_crew on page_bookings (business_id, crew_id);
create index page_bookings_lead on page_bookings (business_id, lead_id) where lead_id is not null;
create index page_bookings_job on page_bookings (business_id, job_id) where job_id is not null;
create index page_bookings_held on page_bookings (business_id, held_until) where status = 'held';
select guard_tenant_table('page_bookings', 'select, insert, update, delete');
comment on table page_bookings is 'Places in a day that visitors of the business page hold, asked for, or booked.';
comment on column page_bookings.id is 'Made by the page that asks: it holds one place, however often it asks.';
comment on column page_bookings.lines is 'What was told: service, how often, price in cents, labor minutes. Nothing the browser says later changes it.';
