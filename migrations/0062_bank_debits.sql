-- Customers pay from their bank account: the money is on its way for days, and may come back afterwards.

alter table businesses add column bank_debits boolean not null default false;
comment on column businesses.bank_debits is 'Whether customers may pay from a bank account beside a card.';

alter table checkout_sessions drop constraint checkout_sessions_status_check;
alter table checkout_sessions add constraint checkout_sessions_status_check
  check (status in ('open', 'processing', 'succeeded', 'expired', 'failed'));
alter table checkout_sessions add column processing_at timestamptz;
alter table checkout_sessions add column problem text;
create index checkout_sessions_processing on checkout_sessions (business_id, updated_at) where status = 'processing';
comment on column checkout_sessions.processing_at is 'When the payer’s bank was asked, where its answer takes days.';
comment on column checkout_sessions.problem is 'Why the payer’s bank did not pay, by the provider’s own name.';

alter table invoices add column pending_cents bigint not null default 0 check (pending_cents >= 0);
comment on column invoices.pending_cents is 'On its way from a bank: no money yet, and nothing to ask for a second time.';
create index invoices_pending on invoices (business_id, number) where pending_cents > 0;

alter table payment_methods add column kind text not null default 'card' check (kind in ('card', 'bank'));
alter table payment_methods alter column exp_month drop not null;
alter table payment_methods alter column exp_year drop not null;
alter table payment_methods add constraint payment_methods_expiry check (kind = 'bank' or (exp_month is not null and exp_year is not null));
comment on column payment_methods.kind is 'A bank account has no day on which it expires; its bank stands as the brand.';

alter table local_billing_objects drop constraint local_billing_objects_kind_check;
alter table local_billing_objects add constraint local_billing_objects_kind_check
  check (kind in ('customer', 'checkout', 'portal', 'account', 'account_link', 'method', 'charge', 'dispute', 'payout', 'move', 'debit'));
