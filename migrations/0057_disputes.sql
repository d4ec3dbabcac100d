-- A customer's bank questions a payment: what it takes, what comes back, and what the business answers.

create table disputes (
  business_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  provider text not null,
  livemode boolean not null,
  account_id text not null,
  provider_dispute_id text not null,
  kind text not null check (kind in ('inquiry', 'dispute', 'return')),
  status text not null check (status in ('needs_response', 'under_review', 'won', 'lost', 'closed')),
  reason text not null,
  amount_cents bigint not null check (amount_cents > 0),
  money text not null default 'none' check (money in ('none', 'taken', 'returned')),
  moved_cents bigint not null default 0 check (moved_cents >= 0),
  uncovered_cents bigint not null default 0 check (uncovered_cents between 0 and moved_cents),
  fee_cents bigint not null default 0,
  opened_on date not null,
  moved_on date,
  returned_on date,
  decided_on date,
  due_at timestamptz,
  evidence_text text,
  submission text not null default 'none' check (submission in ('none', 'sending', 'sent', 'refused')),
  submitted_at timestamptz,
  submitted_by uuid,
  problem text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, provider_dispute_id),
  foreign key (business_id, payment_id) references payments on delete restrict
);
create index disputes_payment on disputes (business_id, payment_id);
create index disputes_open on disputes (business_id, due_at) where status in ('needs_response', 'under_review');
create index disputes_moved on disputes (business_id, moved_on) where uncovered_cents > 0;
select guard_tenant_table('disputes', 'select, insert, update');
comment on column disputes.money is 'Forward only: the bank took it, then gave it back. What it took counts as gone back on the payment (payments.refunded_cents).';
comment on column disputes.uncovered_cents is 'What the bank took beyond what was left of the payment: it had gone back before. It is no debt of the customer but a loss, until it is won.';

create table dispute_invoices (
  business_id uuid not null,
  dispute_id uuid not null,
  invoice_id uuid not null,
  primary key (business_id, dispute_id, invoice_id),
  foreign key (business_id, dispute_id) references disputes on delete cascade,
  foreign key (business_id, invoice_id) references invoices on delete restrict
);
create index dispute_invoices_invoice on dispute_invoices (business_id, invoice_id);
select guard_tenant_table('dispute_invoices', 'select, insert');
comment on table dispute_invoices is 'The invoices that a disputed payment was for.';

alter table invoices add column disputed boolean not null default false;
comment on column invoices.disputed is 'A payment of it is disputed and not decided yet: nobody is reminded, nothing is charged, no page takes money for it.';

alter table payments add column disputed boolean not null default false;
comment on column payments.disputed is 'A bank holds it until it has decided: it cannot be refunded meanwhile.';

alter table allocation_reversals add column dispute_id uuid;
alter table allocation_reversals add foreign key (business_id, dispute_id) references disputes on delete restrict;
create index allocation_reversals_dispute on allocation_reversals (business_id, dispute_id);

alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check
  check (kind in ('invoice', 'payment', 'credit', 'refund', 'void', 'write_off', 'adjustment', 'dispute'));

alter table local_billing_objects drop constraint local_billing_objects_kind_check;
alter table local_billing_objects add constraint local_billing_objects_kind_check
  check (kind in ('customer', 'checkout', 'portal', 'account', 'account_link', 'method', 'charge', 'dispute'));
create index local_billing_objects_account on local_billing_objects ((payload ->> 'account'), kind);
create index local_checkout_sessions_account on local_checkout_sessions ((payload ->> 'account'));
