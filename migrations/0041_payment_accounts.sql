-- A business's own account at the payment provider: its customers pay into it, never through ours.

create table payment_accounts (
  business_id uuid not null,
  id uuid not null,
  provider text not null check (provider in ('local', 'stripe')),
  livemode boolean not null,
  account_id text not null,
  charges_enabled boolean not null default false,
  payouts_enabled boolean not null default false,
  details_submitted boolean not null default false,
  requirements jsonb not null default '[]',
  paused_reason text,
  disconnected_at timestamptz,
  removed_at timestamptz,
  sync_asked bigint not null default 0,
  sync_applied bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, account_id)
);
create unique index payment_accounts_one on payment_accounts (business_id, provider, livemode) where removed_at is null;
select guard_tenant_table('payment_accounts');
comment on column payment_accounts.disconnected_at is 'Switched off here: nothing more is charged into it, what was paid can still be given back.';
comment on column payment_accounts.removed_at is 'The business took our access away at the provider; the account is never used again.';
comment on column payment_accounts.sync_asked is 'Number of the last look at the provider that was begun; what an older look saw never replaces what a newer one saw.';

-- An event of the provider names the account and nothing of ours.
create table payment_account_lookups (
  account_id text primary key,
  business_id uuid not null references businesses on delete cascade
);
grant select, insert on payment_account_lookups to swath_app;

alter table checkout_sessions add column account_id text;
alter table payments add column account_id text;
comment on column payments.account_id is 'The account of the business that a provider took it into; null for what came outside, or before accounts.';

alter table local_billing_objects drop constraint local_billing_objects_kind_check;
alter table local_billing_objects add constraint local_billing_objects_kind_check
  check (kind in ('customer', 'checkout', 'portal', 'account', 'account_link'));
