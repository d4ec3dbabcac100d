-- Roles, the tenant wall, businesses, people and what every request needs.
-- Every tenant table: primary key (business_id, id); unique and foreign keys start with business_id; row-level security forced.

do $$ begin
  if not exists (select 1 from pg_roles where rolname = 'swath_app') then
    begin
      create role swath_app nologin;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
end $$;
do $$ begin
  if not pg_has_role(current_user, 'swath_app', 'member') then
    execute format('grant swath_app to %I', current_user);
  end if;
end $$;
grant usage on schema public to swath_app;

-- The tenant of the running transaction; null when none is set, so that nothing is seen and nothing can be written.
create function current_business_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('app.business_id', true), '')::uuid $$;

-- Puts a tenant table behind the wall and opens it for the application's role.
create function guard_tenant_table(name regclass, privileges text default 'select, insert, update, delete') returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy tenant on %s using (business_id = current_business_id()) with check (business_id = current_business_id())', name);
  execute format('grant %s on %s to swath_app', privileges, name);
end $$;

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
  subscription_status text not null default 'none' check (subscription_status in ('none', 'incomplete', 'trialing', 'active', 'past_due', 'paused', 'canceled')),
  subscription_since timestamptz,
  past_due_since timestamptz,
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
  demo boolean not null default false,
  livemode boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column businesses.holidays is 'Days on which no recurring visit falls; holiday_rule says where such a visit goes.';
comment on column businesses.drive_factor_seconds is 'Estimator of drives: seconds = factor * crow-flight km ^ drive_exponent.';
select guard_tenant_table('businesses', 'select, insert, update');

create table users (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  email text check (email = lower(email)),
  phone text,
  name text not null check (length(name) between 1 and 120),
  role text not null check (role in ('Owner', 'Admin', 'Employee')),
  permissions text[] not null default '{}',
  password_hash text,
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

-- Global tables hold only the way to the business.
create table account_emails (
  email text primary key check (email = lower(email)),
  business_id uuid not null references businesses on delete cascade,
  user_id uuid not null
);
create index account_emails_user on account_emails (business_id, user_id);
grant select, insert, update, delete on account_emails to swath_app;

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
grant select, insert, update on public_tokens to swath_app;
comment on table public_tokens is 'SHA-256 of each unguessable link token (invoice, unsubscribe, ...). The token itself is derived again from the link key when a link is written.';

create table slugs (
  slug text primary key,
  business_id uuid not null references businesses on delete cascade
);
grant select, insert, delete on slugs to swath_app;

create table rate_limits (
  key text primary key,
  count integer not null,
  window_started_at timestamptz not null,
  blocked_until timestamptz
);
grant select, insert, update, delete on rate_limits to swath_app;

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
  primary key (business_id, id),
  foreign key (business_id, user_id) references users on delete cascade
);
create index sessions_family on sessions (business_id, family_id);
create index sessions_user on sessions (business_id, user_id);
select guard_tenant_table('sessions');

create table idempotency_keys (
  business_id uuid not null references businesses on delete cascade,
  actor text not null,
  endpoint text not null,
  key text not null,
  request_hash text not null,
  status integer,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (business_id, actor, endpoint, key)
);
create index idempotency_keys_age on idempotency_keys (business_id, created_at);
select guard_tenant_table('idempotency_keys');

create table counters (
  business_id uuid not null references businesses on delete cascade,
  name text not null,
  next integer not null,
  primary key (business_id, name)
);
select guard_tenant_table('counters');

create table audit_log (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  actor_kind text not null,
  actor_id uuid,
  action text not null,
  entity_type text not null,
  entity_id uuid,
  before jsonb,
  after jsonb,
  request_id text,
  at timestamptz not null default now(),
  primary key (business_id, id)
);
create index audit_log_entity on audit_log (business_id, entity_type, entity_id, at);
select guard_tenant_table('audit_log', 'select, insert');

create table events (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null,
  payload jsonb not null,
  at timestamptz not null default now(),
  primary key (business_id, id)
);
create index events_at on events (business_id, at);
select guard_tenant_table('events', 'select, insert');

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

create table notifications (
  business_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  type text not null check (type in ('sms', 'email', 'job', 'invoice', 'quote', 'system', 'other')),
  title text not null,
  content text not null default '',
  customer_id uuid,
  path text,
  dedupe_key text,
  read_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, user_id, dedupe_key),
  foreign key (business_id, user_id) references users on delete cascade
);
create index notifications_user on notifications (business_id, user_id, created_at desc);
create index notifications_unread on notifications (business_id, user_id) where read_at is null;
select guard_tenant_table('notifications');

create table tax_rates (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null,
  rate_percent numeric(9,6) not null check (rate_percent >= 0 and rate_percent < 100),
  tax_category text not null,
  state text,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (business_id, id)
);
select guard_tenant_table('tax_rates');

create table webhook_events (
  provider text not null,
  account text not null default '',
  event_id text not null,
  type text not null,
  payload jsonb not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  attempts integer not null default 0,
  error text,
  primary key (provider, account, event_id)
);
grant select, insert, update on webhook_events to swath_app;

-- Background work: the application may only ask for a task, and its business is the one of its own transaction.
create schema tasks;
grant usage on schema tasks to swath_app;
