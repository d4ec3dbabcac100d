-- How people get in: invitations, phones with a PIN, identities of an outside provider, the second step.

alter table users add column pin_hash text;

-- One invitation, one use. The token stands only as a hash in public_tokens (kind 'employee-invite').
create table employee_invites (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  address text not null,
  invited_by uuid,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete cascade
);
create unique index employee_invites_open on employee_invites (business_id, user_id) where accepted_at is null and revoked_at is null;
create index employee_invites_user on employee_invites (business_id, user_id);
select guard_tenant_table('employee_invites');

-- A phone or tablet on which an invitation was taken; several people may share one.
create table crew_devices (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  secret_hash text not null,
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (business_id, id)
);
select guard_tenant_table('crew_devices');

create table crew_device_people (
  business_id uuid not null,
  device_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (business_id, device_id, user_id),
  foreign key (business_id, device_id) references crew_devices on delete cascade,
  foreign key (business_id, user_id) references users on delete cascade
);
create index crew_device_people_user on crew_device_people (business_id, user_id);
select guard_tenant_table('crew_device_people');

-- Who an outside provider's person is here. Global: found before the business is known, holds only the way to it.
create table account_identities (
  issuer text not null,
  subject text not null,
  business_id uuid not null references businesses on delete cascade,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create unique index account_identities_user on account_identities (business_id, user_id, issuer);
grant select, insert, delete on account_identities to swath_app;

-- One-use codes and challenges that were used: a second try finds them here.
create table used_tokens (
  token_hash text primary key,
  expires_at timestamptz not null
);
create index used_tokens_age on used_tokens (expires_at);
grant select, insert, delete on used_tokens to swath_app;

alter table businesses add column require_two_factor boolean not null default false;
comment on column businesses.require_two_factor is 'Owner and Admins must have a second step before they can work.';

create table two_factors (
  business_id uuid not null,
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamptz,
  last_step bigint,
  created_at timestamptz not null default now(),
  primary key (business_id, user_id),
  foreign key (business_id, user_id) references users on delete cascade
);
comment on column two_factors.secret is 'Encrypted; the key is not in the database.';
comment on column two_factors.last_step is 'The half minute of the last code taken: no code counts twice.';
select guard_tenant_table('two_factors');

create table recovery_codes (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  code_hash text not null,
  used_at timestamptz,
  primary key (business_id, id),
  unique (business_id, user_id, code_hash),
  foreign key (business_id, user_id) references users on delete cascade
);
select guard_tenant_table('recovery_codes');

-- The second step of who sells the product; nobody of a business.
create table product_owner_two_factor (
  name text primary key,
  secret text not null,
  confirmed_at timestamptz,
  last_step bigint,
  recovery_hashes text[] not null default '{}',
  created_at timestamptz not null default now()
);
grant select, insert, update, delete on product_owner_two_factor to swath_app;
