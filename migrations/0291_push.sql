-- A person's devices that want to be told while the app is closed, and what each was told, once.

create table push_devices (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  family_id uuid not null,
  kind text not null check (kind in ('web', 'android', 'ios')),
  address_hash text not null,
  address text not null,
  key_id text,
  language text not null check (language in ('en', 'es')),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, address_hash),
  foreign key (business_id, user_id) references users on delete cascade
);
create index push_devices_user on push_devices (business_id, user_id);
create index push_devices_family on push_devices (business_id, family_id);
create index push_devices_seen on push_devices (business_id, seen_at);
select guard_tenant_table('push_devices');
comment on column push_devices.family_id is 'The sign-in that switched it on; it ends with it.';
comment on column push_devices.address is 'Encrypted: the web endpoint with its keys, or the token of the phone.';
comment on column push_devices.key_id is 'Which of our keys a browser subscribed with; null for phones.';

create table push_sends (
  business_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  notice_key text not null,
  about jsonb not null,
  path text,
  tag text not null,
  created_at timestamptz not null default now(),
  claimed_at timestamptz,
  done_at timestamptz,
  result text check (result in ('sent', 'local', 'refused', 'stale')),
  reason text not null default '',
  primary key (business_id, id),
  unique (business_id, device_id, notice_key),
  foreign key (business_id, device_id) references push_devices on delete cascade
);
create index push_sends_created on push_sends (business_id, created_at);
select guard_tenant_table('push_sends');
comment on column push_sends.notice_key is 'The same to the same device is sent once.';
comment on column push_sends.about is 'What is told (PushAbout), put into words when it is sent; never prices or gate codes.';

-- However a sign-in ends, by the person, the office or the server, its devices are told nothing more.
create function forget_push_devices() returns trigger language plpgsql as $$
begin
  delete from push_devices where business_id = new.business_id and family_id = new.family_id;
  return null;
end $$;
create trigger sessions_push_devices after update of revoked_at on sessions
  for each row when (new.revoked_at is not null and old.revoked_at is null) execute function forget_push_devices();
