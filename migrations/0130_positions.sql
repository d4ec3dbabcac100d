-- Where crew members are while they are on the clock, of those who said yes, for two weeks.

create table position_consents (
  business_id uuid not null references businesses on delete cascade,
  user_id uuid not null,
  since timestamptz not null,
  primary key (business_id, user_id),
  foreign key (business_id, user_id) references users on delete cascade
);
select guard_tenant_table('position_consents');
comment on table position_consents is 'Who shares positions, by their own hand and nobody else''s. No row: nothing is taken, and what was is deleted.';

create table positions (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  user_id uuid not null,
  at timestamptz not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  accuracy_meters integer not null check (accuracy_meters between 0 and 100000),
  primary key (business_id, id),
  -- taking the consent back takes everything along, whatever else goes wrong
  foreign key (business_id, user_id) references position_consents on delete cascade
);
create index positions_last on positions (business_id, user_id, at desc);
create index positions_old on positions (business_id, at);
select guard_tenant_table('positions', 'select, insert, delete');
comment on table positions is 'Taken on the clock only, never on a break; kept for 14 days.';
