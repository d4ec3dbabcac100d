-- What the weather will be where crews work, what the office says of it, and from when on it speaks against working.
alter table businesses
  add column rain_hundredths_inch integer not null default 10 check (rain_hundredths_inch between 1 and 300),
  add column rain_chance_percent integer not null default 60 check (rain_chance_percent between 5 and 100),
  add column spray_wind_mph integer not null default 10 check (spray_wind_mph between 1 and 60),
  add column treat_heat_index_f integer not null default 90 check (treat_heat_index_f between 60 and 140);
comment on column businesses.rain_hundredths_inch is 'So much rain in the work hours of a day suggests moving it.';
comment on column businesses.rain_chance_percent is 'Or so likely in one of them.';
comment on column businesses.spray_wind_mph is 'More wind than this flags treatments.';
comment on column businesses.treat_heat_index_f is 'From this heat index on treatments are flagged.';

create table weather_places (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  latitude_tenths integer not null check (latitude_tenths between -900 and 900),
  longitude_tenths integer not null check (longitude_tenths between -1800 and 1800),
  hours jsonb not null default '[]',
  read_at timestamptz,
  asked_at timestamptz not null,
  failed boolean not null default false,
  primary key (business_id, id),
  unique (business_id, latitude_tenths, longitude_tenths)
);
select guard_tenant_table('weather_places');
comment on table weather_places is 'The forecast by the hour of places where crews start, rounded to a tenth of a degree (7 miles).';
comment on column weather_places.read_at is 'When the hours came. What is asked and does not come leaves them as they are.';

create table weather_marks (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  day date not null,
  hours integer[] not null check (hours <@ array[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]),
  version integer not null default 1,
  marked_by uuid,
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, day)
);
select guard_tenant_table('weather_marks');
comment on table weather_marks is 'Wet hours of a day that the office marked by hand; they count instead of what the forecast says of rain. None marked: a dry day.';
