-- Businesses, their people, and how people get in.

create table businesses (
  business_id uuid primary key,
  name text not null check (length(name) between 1 and 120),
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$'),
  time_zone text not null default 'America/New_York',
  phone text,
  email text,
  street text, city text, state text, zip text,
  latitude double precision, longitude double precision,
  company_size text,
  customer_count_claimed integer not null default 0,
  plan_tier text check (plan_tier in ('basic', 'pro', 'enterprise')),
  subscription_status text not null default 'none' check (subscription_status in ('none', 'incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled')),
  subscription_since timestamptz,
  trial_ends_at timestamptz,
  subscription_ends_at timestamptz,
  past_due_since timestamptz,
  opened_by_product_owner boolean not null default false,
  season_start text not null default '03-01' check (season_start ~ '^\d\d-\d\d$'),
  season_end text not null default '11-30' check (season_end ~ '^\d\d-\d\d$'),
  work_days smallint[] not null default '{1,2,3,4,5}',
  holidays date[] not null default '{}',
  holiday_rule text not null default 'next' check (holiday_rule in ('skip', 'next', 'previous')),
  terms_days integer not null default 14 check (terms_days between 0 and 365),
  invoice_message text not null default '',
  invoice_terms text not null default '',
  default_wage_cents integer not null default 2000 check (default_wage_cents >= 0),
  burden_percent integer not null default 12 check (burden_percent between 0 and 200),
  mile_cost_cents integer not null default 67 check (mile_cost_cents >= 0),
  target_labor_hour_cents integer not null default 6500 check (target_labor_hour_cents >= 0),
  drive_factor_seconds integer not null default 180 check (drive_factor_seconds between 30 and 1200),
  drive_exponent numeric(4,2) not null default 0.66 check (drive_exponent between 0.3 and 1.2),
  quiet_start_minute integer not null default 1260 check (quiet_start_minute between 0 and 1440),
  quiet_end_minute integer not null default 480 check (quiet_end_minute between 0 and 1440),
  brand_color text not null default '#14432f',
  logo_file_id uuid,
  public_page boolean not null default true,
  public_about text not null default '' check (length(public_about) <= 1000),
  require_two_factor boolean not null default false,
  demo boolean not null default false,
  livemode boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  closed_at timestamptz,
  delete_after timestamptz,
  check ((closed_at is null) = (delete_after is null))
);
comment on column businesses.slug is 'Present address of the public page. Earlier ones stay in slugs and lead here.';
comment on column businesses.subscription_ends_at is 'When a canceled subscription ends; null while it renews.';
comment on column businesses.opened_by_product_owner is 'The product owner may open a checkout for a business whose account it made.';
comment on column businesses.holidays is 'Days on which no recurring visit falls; holiday_rule says where such a visit goes.';
comment on column businesses.drive_factor_seconds is 'Estimator of drives: seconds = factor * crow-flight km ^ drive_exponent.';
comment on column businesses.require_two_factor is 'Owner and Admins must have a second step before they can work.';
comment on column businesses.delete_after is 'A closed business is deleted with all its records after this instant; until then its owner can open it again.';
select guard_tenant_table('businesses', 'select, insert, update');

create table files (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text not null,
  mime text not null,
  byte_count integer not null,
  sha256 text not null,
  storage_key text not null,
  width integer, height integer,
  name text not null default '',
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id)
);
select guard_tenant_table('files');
alter table businesses add constraint businesses_logo foreign key (business_id, logo_file_id) references files (business_id, id);

create table users (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  email text check (email = lower(email)),
  phone text,
  name text not null check (length(name) between 1 and 120),
  role text not null check (role in ('Owner', 'Admin', 'Employee')),
  permissions text[] not null default '{}',
  password_hash text,
  pin_hash text,
  email_verified_at timestamptz,
  status text not null default 'active' check (status in ('invited', 'active', 'disabled')),
  language text not null default 'en' check (language in ('en', 'es')),
  color text not null default '#14432f',
  token_version integer not null default 1,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id)
);
create unique index users_email on users (business_id, email) where email is not null;
create unique index users_one_owner on users (business_id) where role = 'Owner' and archived_at is null;
select guard_tenant_table('users');

create table wages (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  cents_per_hour integer not null check (cents_per_hour >= 0),
  valid_from date not null,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, user_id, valid_from),
  foreign key (business_id, user_id) references users on delete cascade
);
select guard_tenant_table('wages');

create table sessions (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  family_id uuid not null,
  kind text not null check (kind in ('admin', 'employee')),
  token_hash text not null,
  successor_id uuid,
  used_at timestamptz,
  revoked_at timestamptz,
  revoked_reason text,
  user_agent text not null default '',
  ip text not null default '',
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete cascade
);
create index sessions_family on sessions (business_id, family_id);
create index sessions_user on sessions (business_id, user_id);
select guard_tenant_table('sessions');

-- Global tables hold only the way to the business.
create table account_emails (
  email text primary key check (email = lower(email)),
  business_id uuid not null references businesses on delete cascade,
  user_id uuid not null
);
create index account_emails_user on account_emails (business_id, user_id);
grant select, insert, update, delete on account_emails to swath_app;

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

create table slugs (
  slug text primary key,
  business_id uuid not null references businesses on delete cascade
);
grant select, insert, delete on slugs to swath_app;

create table public_tokens (
  token_hash text primary key,
  business_id uuid not null references businesses on delete cascade,
  kind text not null,
  entity_id uuid not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index public_tokens_entity on public_tokens (business_id, kind, entity_id);
create index public_tokens_over on public_tokens (coalesce(revoked_at, expires_at));
grant select, insert, update, delete on public_tokens to swath_app;
comment on table public_tokens is 'SHA-256 of each unguessable link token (invoice, unsubscribe, ...). The token itself is derived again from the link key when a link is written.';

-- One-use codes and challenges that were used: a second try finds them here.
create table used_tokens (
  token_hash text primary key,
  expires_at timestamptz not null
);
create index used_tokens_age on used_tokens (expires_at);
grant select, insert, delete on used_tokens to swath_app;

-- What a mailed link does; the token stands only as a hash in public_tokens (kind 'account').
create table account_links (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  purpose text not null check (purpose in ('verifyEmail', 'changeEmail', 'signIn', 'resetPassword')),
  email text not null check (email = lower(email)),
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete cascade
);
create index account_links_user on account_links (business_id, user_id, purpose);
select guard_tenant_table('account_links');
comment on column account_links.email is 'Where the link went; a link to an address that is no longer the person''s does nothing.';

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

-- Who asks, in one statement that needs no transaction of its own. It runs as whoever calls it, behind the same wall as every query: the business
-- is set for this one statement. A statement and not set_config(): Citus carries SET LOCAL to its workers, and may run the function on the
-- shard of its first argument. Its plan is one for all: it looks up three rows by their keys, and planning that anew cost more than running it.
create function who_asks(asked_business uuid, asked_user uuid, asked_session uuid)
returns table (
  name text, role text, permissions text[], status text, token_version integer, archived_at timestamptz,
  time_zone text, plan_tier text, subscription_status text, past_due_since timestamptz, require_two_factor boolean,
  revoked_at timestamptz, last_used_at timestamptz, two_factor_since timestamptz
) language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
begin
  execute format('set local app.business_id = %L', asked_business);
  return query
    select u.name, u.role, u.permissions, u.status, u.token_version, u.archived_at,
      b.time_zone, b.plan_tier, b.subscription_status, b.past_due_since, b.require_two_factor,
      s.revoked_at, s.last_used_at, t.confirmed_at
    from users u
    join businesses b on b.business_id = u.business_id
    join sessions s on s.business_id = u.business_id and s.user_id = u.id
    left join two_factors t on t.business_id = u.business_id and t.user_id = u.id
    where u.business_id = asked_business and u.id = asked_user and s.id = asked_session;
end $$;
revoke all on function who_asks(uuid, uuid, uuid) from public;
grant execute on function who_asks(uuid, uuid, uuid) to swath_app;
