-- Every mistake with money has its honest way back: a draft is edited, credit is used, money goes back, a debt is let go.

alter table payments add column allocated_cents bigint not null default 0 check (allocated_cents >= 0);
-- The wall stands for whoever brings the tables up to date, too.
alter table payments no force row level security;
alter table payment_allocations no force row level security;
update payments p set allocated_cents = a.cents
  from (select business_id, payment_id, sum(amount_cents) as cents from payment_allocations group by 1, 2) a
  where a.business_id = p.business_id and a.payment_id = p.id;
alter table payments force row level security;
alter table payment_allocations force row level security;
alter table payments add constraint payments_used_once check (allocated_cents + refunded_cents <= amount_cents);
alter table payments drop constraint payments_status_check;
alter table payments add constraint payments_status_check check (status in ('pending', 'processing', 'succeeded', 'failed', 'disputed', 'reversed'));
comment on column payments.allocated_cents is 'What of it lies on invoices; with what went back never more than came in. The rest is the customer''s credit.';
create index payments_with_rest on payments (business_id, customer_id)
  where status = 'succeeded' and allocated_cents + refunded_cents < amount_cents;

-- A credit is money as far as invoices go: a payment of the method "credit" carries it.
create table credit_notes (
  business_id uuid not null,
  id uuid not null,
  number integer not null,
  customer_id uuid not null,
  invoice_id uuid,
  payment_id uuid not null,
  net_cents bigint not null check (net_cents >= 0),
  tax_cents bigint not null check (tax_cents >= 0),
  total_cents bigint not null check (total_cents > 0 and total_cents = net_cents + tax_cents),
  reason text not null,
  on_day date not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, number),
  unique (business_id, payment_id),
  foreign key (business_id, customer_id) references customers on delete restrict,
  foreign key (business_id, invoice_id) references invoices on delete restrict,
  foreign key (business_id, payment_id) references payments on delete restrict
);
create index credit_notes_customer on credit_notes (business_id, customer_id);
create index credit_notes_invoice on credit_notes (business_id, invoice_id);
select guard_tenant_table('credit_notes', 'select, insert');

create table refunds (
  business_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  method text not null check (method in ('card', 'ach', 'check', 'cash', 'other')),
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  provider_refund_id text,
  reason text not null,
  problem text,
  on_day date not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, provider_refund_id),
  foreign key (business_id, payment_id) references payments on delete restrict
);
create index refunds_payment on refunds (business_id, payment_id);
select guard_tenant_table('refunds');

-- What was on an invoice and was taken off again: a payment recorded by mistake, or one that went back.
create table allocation_reversals (
  business_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  invoice_id uuid not null,
  refund_id uuid,
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null,
  on_day date not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, payment_id) references payments on delete restrict,
  foreign key (business_id, invoice_id) references invoices on delete restrict,
  foreign key (business_id, refund_id) references refunds on delete restrict
);
create index allocation_reversals_invoice on allocation_reversals (business_id, invoice_id);
create index allocation_reversals_payment on allocation_reversals (business_id, payment_id);
create index allocation_reversals_refund on allocation_reversals (business_id, refund_id);
select guard_tenant_table('allocation_reversals', 'select, insert');

alter table invoices drop constraint invoices_status_check;
alter table invoices add constraint invoices_status_check check (status in ('draft', 'issued', 'partially_paid', 'paid', 'void', 'written_off'));

create table write_offs (
  business_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null,
  on_day date not null,
  taken_back_on date,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, invoice_id) references invoices on delete restrict
);
create unique index write_offs_standing on write_offs (business_id, invoice_id) where taken_back_on is null;
create index write_offs_invoice on write_offs (business_id, invoice_id);
select guard_tenant_table('write_offs');
