-- What the office puts on its calendar beside visits, and the calendars that other programs subscribe to.

create table calendar_events (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('time_off', 'shop', 'supplier', 'other')),
  title text not null check (length(title) between 1 and 120),
  note text not null default '' check (length(note) <= 1000),
  first_day date not null,
  last_day date not null,
  start_minute integer check (start_minute between 0 and 1439),
  end_minute integer check (end_minute between 1 and 1440),
  user_id uuid,
  crew_id uuid,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (business_id, id),
  check (last_day between first_day and first_day + 92),
  check ((start_minute is null) = (end_minute is null)),
  check (end_minute is null or end_minute > start_minute),
  check (kind <> 'time_off' or user_id is not null),
  foreign key (business_id, user_id) references users on delete cascade,
  foreign key (business_id, crew_id) references crews on delete cascade
);
create index calendar_events_days on calendar_events (business_id, first_day) where deleted_at is null;
create index calendar_events_user on calendar_events (business_id, user_id);
create index calendar_events_crew on calendar_events (business_id, crew_id);
select guard_tenant_table('calendar_events');
comment on column calendar_events.start_minute is 'Minutes of each of its days; null for the whole day.';
comment on column calendar_events.last_day is 'Inclusive. At most 92 days after the first, so that a span of days is read by its first day alone.';

create table calendar_feeds (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  crew_id uuid,
  user_id uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (business_id, id),
  check ((crew_id is null) <> (user_id is null)),
  foreign key (business_id, crew_id) references crews on delete cascade,
  foreign key (business_id, user_id) references users on delete cascade
);
create unique index calendar_feeds_crew on calendar_feeds (business_id, crew_id) where revoked_at is null and crew_id is not null;
create unique index calendar_feeds_user on calendar_feeds (business_id, user_id) where revoked_at is null and user_id is not null;
create index calendar_feeds_of_crew on calendar_feeds (business_id, crew_id);
create index calendar_feeds_of_user on calendar_feeds (business_id, user_id);
select guard_tenant_table('calendar_feeds');
comment on table calendar_feeds is 'Whose stops an address of an iCalendar file shows. Its token stands as a hash in public_tokens.';
