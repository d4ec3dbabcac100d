-- What customers owe and pay.

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

-- Invoices of many visits are made in chunks: what was confirmed on screen is kept here, and how far it is.
create table invoice_batches (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  status text not null check (status in ('running', 'done', 'failed')),
  send boolean not null,
  planned jsonb not null,
  total integer not null check (total > 0),
  done integer not null default 0,
  invoice_count integer not null default 0,
  visit_count integer not null default 0,
  total_cents bigint not null default 0,
  mailed_count integer not null default 0,
  error text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  check (done between 0 and total and invoice_count <= done)
);
create index invoice_batches_running on invoice_batches (business_id) where status = 'running';
select guard_tenant_table('invoice_batches');
comment on column invoice_batches.planned is 'Per invoice its visits and what they come to, frozen when the batch was confirmed: no other invoice is made than the ones that were seen.';
comment on column invoice_batches.done is 'How many of the planned invoices were looked at; raised in the transaction that makes them, so a batch that was cut off goes on after the last one.';
comment on column invoice_batches.updated_at is 'Also the sign that a running batch still moves.';

create table invoices (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  number integer not null,
  customer_id uuid not null,
  status text not null default 'draft' check (status in ('draft', 'issued', 'partially_paid', 'paid', 'void')),
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
  foreign key (business_id, customer_id) references customers on delete restrict,
  foreign key (business_id, batch_id) references invoice_batches on delete set null (batch_id)
);
create index invoices_customer on invoices (business_id, customer_id, issue_on);
create index invoices_status on invoices (business_id, status, due_on);
create index invoices_batch on invoices (business_id, batch_id);
create index invoices_created on invoices (business_id, created_at);
create index invoices_open on invoices (business_id, due_on) where status in ('issued', 'partially_paid');
select guard_tenant_table('invoices');
alter table visits add foreign key (business_id, invoice_id) references invoices on delete set null (invoice_id);

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

create table invoice_totals (
  business_id uuid not null references businesses on delete cascade,
  status text not null,
  count integer not null,
  primary key (business_id, status)
);
select guard_tenant_table('invoice_totals');
comment on table invoice_totals is 'How many invoices a business has in each status, kept by a trigger of invoices.';
create function count_invoice() returns trigger language plpgsql as $$
begin
  -- always in the order of the names, so that two changes at once wait for each other and never for ever
  insert into invoice_totals as t (business_id, status, count)
    select business_id, status, sum(change) from (
      select new.business_id, new.status, 1 as change where tg_op <> 'DELETE'
      union all select old.business_id, old.status, -1 where tg_op <> 'INSERT'
    ) x group by 1, 2 having sum(change) <> 0 order by status
    on conflict (business_id, status) do update set count = t.count + excluded.count;
  return null;
end $$;
create trigger invoices_counted after insert or delete on invoices for each row execute function count_invoice();
create trigger invoices_counted_again after update of status on invoices
  for each row when (old.status is distinct from new.status) execute function count_invoice();

-- The row of a payment attempt stands before the provider is asked: page and address come afterwards.
create table checkout_sessions (
  business_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  status text not null default 'open' check (status in ('open', 'succeeded', 'expired', 'failed')),
  provider text not null,
  provider_session_id text,
  url text,
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

create table customer_balances (
  business_id uuid not null,
  customer_id uuid not null,
  balance_cents bigint not null,
  primary key (business_id, customer_id),
  foreign key (business_id, customer_id) references customers on delete cascade
);
select guard_tenant_table('customer_balances');
comment on table customer_balances is 'The sum of a customer''s ledger entries, kept by a trigger of that table: entries are only ever added.';
create function add_to_balance() returns trigger language plpgsql as $$
begin
  insert into customer_balances as b (business_id, customer_id, balance_cents) values (new.business_id, new.customer_id, new.amount_cents)
    on conflict (business_id, customer_id) do update set balance_cents = b.balance_cents + excluded.balance_cents;
  return null;
end $$;
create trigger ledger_entries_balance after insert on ledger_entries for each row execute function add_to_balance();

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
