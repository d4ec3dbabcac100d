create table messages (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  direction text not null default 'outbound' check (direction in ('inbound', 'outbound')),
  purpose text not null default 'transactional' check (purpose in ('transactional', 'marketing', 'account', 'reply')),
  customer_id uuid,
  user_id uuid,
  address text not null,
  from_name text not null default '',
  subject text not null default '',
  body_text text not null,
  body_html text,
  attachments jsonb not null default '[]',
  entity_type text, entity_id uuid,
  dedupe_key text not null,
  status text not null default 'pending' check (status in ('pending', 'held', 'sending', 'sent', 'delivered', 'failed', 'suppressed', 'unknown', 'received')),
  reason text,
  segments integer not null default 1,
  provider text,
  provider_id text,
  attempts integer not null default 0,
  run_after timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  opened_at timestamptz,
  livemode boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, dedupe_key),
  foreign key (business_id, customer_id) references customers on delete set null (customer_id),
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index messages_created on messages (business_id, created_at desc);
create index messages_customer on messages (business_id, customer_id, created_at);
create index messages_entity on messages (business_id, entity_type, entity_id);
create index messages_status on messages (business_id, status, run_after);
create index messages_user on messages (business_id, user_id);
select guard_tenant_table('messages');
comment on table messages is 'The outbox and inbox of mail and SMS. dedupe_key makes each effect happen once.';

create table consent_events (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  address text not null,
  purpose text not null check (purpose in ('transactional', 'marketing')),
  action text not null check (action in ('grant', 'revoke')),
  source text not null,
  wording text not null default '',
  actor_id uuid,
  at timestamptz not null default now(),
  primary key (business_id, id)
);
create index consent_events_address on consent_events (business_id, channel, address, at desc);
select guard_tenant_table('consent_events', 'select, insert');

create table suppressions (
  business_id uuid not null references businesses on delete cascade,
  channel text not null check (channel in ('email', 'sms')),
  address text not null,
  purpose text not null default 'all' check (purpose in ('all', 'marketing')),
  reason text not null,
  at timestamptz not null default now(),
  primary key (business_id, channel, address, purpose)
);
select guard_tenant_table('suppressions');

create table invoices (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  number integer not null,
  customer_id uuid not null,
  status text not null default 'draft' check (status in ('draft', 'issued', 'partially_paid', 'paid', 'void', 'written_off')),
  issue_on date,
  due_on date,
  terms_days integer not null default 14,
  subtotal_cents bigint not null default 0,
  discount_cents bigint not null default 0 check (discount_cents >= 0),
  tax_cents bigint not null default 0,
  total_cents bigint not null default 0 check (total_cents >= 0),
  paid_cents bigint not null default 0 check (paid_cents >= 0),
  message text not null default '',
  bill_to jsonb not null default '{}',
  batch_id uuid,
  sent_at timestamptz,
  viewed_at timestamptz,
  view_count integer not null default 0,
  last_reminded_at timestamptz,
  livemode boolean not null default false,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, number),
  foreign key (business_id, customer_id) references customers on delete restrict
);
create index invoices_customer on invoices (business_id, customer_id, issue_on);
create index invoices_status on invoices (business_id, status, due_on);
create index invoices_batch on invoices (business_id, batch_id);
create index invoices_created on invoices (business_id, created_at);
select guard_tenant_table('invoices');

create table invoice_lines (
  business_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  visit_id uuid,
  visit_line_id uuid,
  property_id uuid,
  service_id uuid,
  service_on date,
  description text not null,
  quantity numeric(12,3) not null default 1,
  unit_price_cents integer not null,
  discount_cents integer not null default 0,
  total_cents bigint not null,
  tax_category text not null default 'none',
  position integer not null default 0,
  primary key (business_id, id),
  unique (business_id, visit_line_id),
  foreign key (business_id, invoice_id) references invoices on delete cascade,
  foreign key (business_id, visit_id) references visits on delete restrict,
  foreign key (business_id, property_id) references properties on delete restrict
);
create index invoice_lines_invoice on invoice_lines (business_id, invoice_id, position);
create index invoice_lines_visit on invoice_lines (business_id, visit_id);
create index invoice_lines_property on invoice_lines (business_id, property_id);
select guard_tenant_table('invoice_lines');
comment on column invoice_lines.visit_line_id is 'Unique: a line of a visit is billed once, whoever asks how often. Cleared when the invoice is voided.';

create table invoice_taxes (
  business_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  name text not null,
  rate_percent numeric(9,6) not null,
  base_cents bigint not null,
  tax_cents bigint not null,
  position integer not null default 0,
  primary key (business_id, id),
  foreign key (business_id, invoice_id) references invoices on delete cascade
);
create index invoice_taxes_invoice on invoice_taxes (business_id, invoice_id);
select guard_tenant_table('invoice_taxes');

alter table visits add foreign key (business_id, invoice_id) references invoices on delete set null (invoice_id);

create table checkout_sessions (
  business_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  status text not null default 'open' check (status in ('open', 'succeeded', 'expired', 'failed')),
  provider text not null,
  provider_session_id text not null,
  url text not null,
  livemode boolean not null default false,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, provider_session_id),
  foreign key (business_id, invoice_id) references invoices on delete cascade
);
create unique index checkout_sessions_open on checkout_sessions (business_id, invoice_id) where status = 'open';
create index checkout_sessions_invoice on checkout_sessions (business_id, invoice_id);
select guard_tenant_table('checkout_sessions');

create table payments (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  checkout_session_id uuid,
  method text not null check (method in ('card', 'ach', 'check', 'cash', 'credit', 'other')),
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null default 0,
  refunded_cents bigint not null default 0 check (refunded_cents >= 0),
  status text not null default 'succeeded' check (status in ('pending', 'processing', 'succeeded', 'failed', 'disputed')),
  provider text not null default 'manual',
  provider_payment_id text,
  livemode boolean not null default false,
  received_on date not null,
  note text not null default '',
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, provider_payment_id),
  check (refunded_cents <= amount_cents),
  foreign key (business_id, customer_id) references customers on delete restrict,
  foreign key (business_id, checkout_session_id) references checkout_sessions on delete restrict
);
create index payments_customer on payments (business_id, customer_id);
create index payments_received on payments (business_id, received_on);
create index payments_checkout_session on payments (business_id, checkout_session_id);
select guard_tenant_table('payments');

create table payment_allocations (
  business_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  invoice_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, payment_id, invoice_id),
  foreign key (business_id, payment_id) references payments on delete cascade,
  foreign key (business_id, invoice_id) references invoices on delete restrict
);
create index payment_allocations_invoice on payment_allocations (business_id, invoice_id);
select guard_tenant_table('payment_allocations');

create table ledger_entries (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  kind text not null check (kind in ('invoice', 'payment', 'credit', 'refund', 'void', 'write_off', 'adjustment')),
  amount_cents bigint not null,
  ref_type text not null,
  ref_id uuid not null,
  on_day date not null,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, kind, ref_type, ref_id),
  foreign key (business_id, customer_id) references customers on delete restrict
);
create index ledger_entries_customer on ledger_entries (business_id, customer_id, on_day);
select guard_tenant_table('ledger_entries', 'select, insert');
comment on column ledger_entries.amount_cents is 'What the customer owes more (positive) or less (negative). The balance is the sum; entries are never changed.';

-- The local payment provider: what a hosted checkout keeps on its own side. Mounted only while it is the provider.
create table local_checkout_sessions (
  id text primary key,
  payload jsonb not null,
  status text not null default 'open' check (status in ('open', 'complete', 'expired')),
  payment_intent text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
grant select, insert, update on local_checkout_sessions to swath_app;
