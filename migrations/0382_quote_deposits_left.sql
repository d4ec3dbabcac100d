-- A deposit whose quote came to nothing: the office gives it back, or keeps it as the customer's credit.

alter table payments add column freed_at timestamptz;
create index payments_quote_left on payments (business_id, received_on, id)
  where quote_id is not null and job_id is null and freed_at is null and status = 'succeeded' and allocated_cents + refunded_cents < amount_cents;
comment on column payments.freed_at is 'The quote that it was the deposit of came to nothing, and the office keeps it as credit that any invoice may use.';

alter table quote_events drop constraint quote_events_kind_check;
alter table quote_events add constraint quote_events_kind_check check (kind in ('created', 'sent', 'viewed', 'revised', 'changes_requested', 'approved',
  'declined', 'expired', 'converted', 'archived', 'follow_up', 'deposit_paid', 'deposit_kept'));
