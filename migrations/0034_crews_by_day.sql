-- Who is on a crew on a day, what they may do, with which truck and from when to when.

alter table crews
  add column vehicle_name text not null default '' check (length(vehicle_name) <= 60),
  add column vehicle_plate text not null default '' check (length(vehicle_plate) <= 20),
  add column vehicle_seats integer check (vehicle_seats between 1 and 20),
  add column weekday_shifts jsonb not null default '[]';
comment on column crews.weekday_shifts is 'Weekdays (Sunday is 0) whose shift is another one: [{weekday, startMinute, endMinute, breakMinutes}].';

alter table users add column skills text[] not null default '{}';
comment on column users.skills is 'What the person can do; the crew can do it on the days on which the person is there.';

create table licenses (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  user_id uuid not null,
  skill text not null check (length(skill) between 1 and 40),
  number text not null default '' check (length(number) <= 60),
  state text not null check (length(state) = 2),
  valid_from date,
  expires_on date not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (business_id, id),
  check (valid_from is null or expires_on >= valid_from),
  foreign key (business_id, user_id) references users on delete cascade
);
create index licenses_user on licenses (business_id, user_id);
select guard_tenant_table('licenses');
comment on column licenses.skill is 'The skill that it stands for. Once anybody has a license for a skill, a crew has that skill only by a valid one.';
comment on column licenses.expires_on is 'The last day on which it is valid.';

create table crew_changes (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  user_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  made_by uuid,
  made_at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete cascade
);
create index crew_changes_user on crew_changes (business_id, user_id);
select guard_tenant_table('crew_changes');
comment on table crew_changes is 'A change of when a person is on which crew, with all of it before and after: what Undo puts back.';

-- Who of a crew is at work on a day: whoever is on it then and not away the whole day.
create function crew_present(business uuid, crew uuid, on_day date) returns table (user_id uuid) language sql stable as $$
  select m.user_id from crew_members m
  where m.business_id = business and m.crew_id = crew and m.valid_from <= on_day and (m.valid_to is null or m.valid_to >= on_day)
    and not exists (
      select 1 from calendar_events e
      where e.business_id = business and e.deleted_at is null and e.start_minute is null
        and e.first_day between on_day - 92 and on_day and e.last_day >= on_day
        and e.kind in ('time_off', 'shop') and (e.user_id = m.user_id or e.user_id is null and (e.crew_id is null or e.crew_id = crew)))
$$;
