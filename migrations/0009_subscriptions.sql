-- What businesses pay for Swath itself. The payment provider holds the truth; these rows are what it said last.

create table billing_accounts (
  business_id uuid not null references businesses on delete cascade,
  provider text not null check (provider in ('local', 'stripe')),
  livemode boolean not null,
  customer_id text,
  checkout_attempt integer not null default 1,
  checkout_id text,
  checkout_price text,
  checkout_url text,
  sync_asked bigint not null default 0,
  sync_applied bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, provider, livemode)
);
comment on column billing_accounts.sync_asked is 'Number of the last look at the provider that was begun; what an older look saw never replaces what a newer one saw.';
select guard_tenant_table('billing_accounts');

create table subscriptions (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  provider text not null check (provider in ('local', 'stripe')),
  livemode boolean not null,
  provider_subscription_id text not null,
  plan text not null check (plan in ('basic', 'pro', 'enterprise')),
  period text not null check (period in ('month', 'year')),
  price_cents integer not null check (price_cents >= 0),
  status text not null check (status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled')),
  trial_ends_at timestamptz,
  period_ends_at timestamptz,
  cancel_at timestamptz,
  past_due_since timestamptz,
  coupon_code text,
  card_brand text,
  card_last4 text,
  conversion_claimed_at timestamptz,
  started_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, provider_subscription_id)
);
create unique index subscriptions_live on subscriptions (business_id, provider, livemode)
  where status in ('trialing', 'active', 'past_due', 'unpaid', 'paused');
select guard_tenant_table('subscriptions');

create table subscription_invoices (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  provider text not null check (provider in ('local', 'stripe')),
  livemode boolean not null,
  provider_invoice_id text not null,
  number text not null default '',
  status text not null check (status in ('draft', 'open', 'paid', 'void', 'uncollectible')),
  description text not null default '',
  subtotal_cents integer not null,
  discount_cents integer not null default 0,
  tax_cents integer not null default 0,
  total_cents integer not null,
  paid_cents integer not null default 0,
  attempts integer not null default 0,
  hosted_url text,
  pdf_url text,
  issued_at timestamptz not null,
  period_starts_at timestamptz,
  period_ends_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, provider_invoice_id)
);
create index subscription_invoices_issued on subscription_invoices (business_id, issued_at desc);
select guard_tenant_table('subscription_invoices');

create table subscription_retries (
  business_id uuid not null references businesses on delete cascade,
  provider_invoice_id text not null,
  day integer not null check (day in (3, 5, 7)),
  at timestamptz not null default now(),
  done_at timestamptz,
  primary key (business_id, provider_invoice_id, day)
);
comment on table subscription_retries is 'Tries of an unpaid invoice of ours: the row stands before the card is asked and is done with the answer, so a day is tried until there is one.';
select guard_tenant_table('subscription_retries');

create table coupon_uses (
  business_id uuid not null references businesses on delete cascade,
  code text not null,
  provider_subscription_id text not null,
  used_at timestamptz not null default now(),
  primary key (business_id, code)
);
select guard_tenant_table('coupon_uses');

-- Codes of the product owner. They belong to no business.
create table coupons (
  code text primary key check (code = upper(code) and length(code) between 3 and 40),
  percent_off integer not null check (percent_off between 1 and 100),
  max_uses integer check (max_uses > 0),
  uses integer not null default 0,
  expires_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now()
);
comment on column coupons.percent_off is 'Off the first invoice of a subscription, in percent.';
grant select, insert, update on coupons to swath_app;

-- The way from a customer of the payment provider to the business.
create table payment_customers (
  provider text not null,
  customer_id text not null,
  business_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (provider, customer_id)
);
comment on table payment_customers is 'No foreign key: a business that is gone must still be found, so that it is not charged any more.';
grant select, insert, delete on payment_customers to swath_app;

-- Who had a trial. Outlives the business, so that nobody gets a second one by registering again.
create table trial_uses (
  email_hash text primary key,
  used_at timestamptz not null default now()
);
grant select, insert on trial_uses to swath_app;

-- The local payment provider's own side of subscriptions.
create table local_billing_objects (
  id text primary key,
  kind text not null check (kind in ('customer', 'checkout', 'portal')),
  request_key text unique,
  payload jsonb not null,
  created_at timestamptz not null default now()
);
grant select, insert, update on local_billing_objects to swath_app;
