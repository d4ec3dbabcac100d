-- Cards that customers leave with a business, and invoices that are paid with them by themselves.

create table payment_methods (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  provider text not null,
  livemode boolean not null,
  account_id text not null,
  provider_customer_id text not null,
  provider_method_id text not null,
  brand text not null,
  last4 text not null,
  exp_month smallint not null,
  exp_year smallint not null,
  mandate_text text not null,
  mandate_version integer not null,
  mandate_at timestamptz not null,
  mandate_ip text,
  mandate_page text not null,
  autopay boolean not null default true,
  autopay_ended text,
  autopay_ended_at timestamptz,
  warned_at timestamptz,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, provider_method_id),
  foreign key (business_id, customer_id) references customers on delete restrict
);
create unique index payment_methods_one on payment_methods (business_id, customer_id) where removed_at is null;
select guard_tenant_table('payment_methods');
comment on table payment_methods is 'The card that a customer left, with what they agreed to word for word; the number itself is only at the provider.';
comment on column payment_methods.autopay_ended is 'Why invoices are not paid with it by themselves any more, where it was not the customer''s or the office''s wish.';

-- One row for each invoice that is paid by itself: when, how often it was tried, how it ended. A try is a checkout session of the kind autopay.
create table autopay_charges (
  business_id uuid not null,
  invoice_id uuid not null,
  method_id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'paid', 'stopped')),
  charge_on date not null,
  announced_cents bigint not null check (announced_cents > 0),
  first_on date,
  tries integer not null default 0,
  declined text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, invoice_id),
  foreign key (business_id, invoice_id) references invoices on delete cascade,
  foreign key (business_id, method_id) references payment_methods on delete restrict
);
create index autopay_charges_due on autopay_charges (business_id, charge_on) where status = 'waiting';
create index autopay_charges_method on autopay_charges (business_id, method_id);
select guard_tenant_table('autopay_charges');

alter table checkout_sessions add column kind text not null default 'page' check (kind in ('page', 'autopay'));
alter table checkout_sessions add column try_number integer;
alter table checkout_sessions add column mandate jsonb;
create unique index checkout_sessions_try on checkout_sessions (business_id, invoice_id, try_number) where try_number is not null;
comment on column checkout_sessions.mandate is 'What the customer agreed to when they chose to leave the card that they pay with; null where they did not.';

alter table businesses add column autopay_notice_days integer not null default 3 check (autopay_notice_days between 1 and 14);

alter table local_billing_objects drop constraint local_billing_objects_kind_check;
alter table local_billing_objects add constraint local_billing_objects_kind_check
  check (kind in ('customer', 'checkout', 'portal', 'account', 'account_link', 'method', 'charge'));
