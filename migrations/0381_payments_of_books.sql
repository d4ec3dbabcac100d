-- A payment that was taken in QuickBooks is one of ours for each invoice that it lies on: its id there with the invoice behind it. What they have in
-- common stands by itself, so that they are found by an index (behind row-level security a pattern never uses one).
alter table payments add column books_payment_id text generated always as (
  case when provider = 'quickbooks' then left(provider_payment_id, -37) end) stored;
create index payments_of_books on payments (business_id, books_payment_id) where books_payment_id is not null;
comment on column payments.books_payment_id is 'Of a payment taken in QuickBooks its id without the invoice: qbo:<company>:<payment>.';
