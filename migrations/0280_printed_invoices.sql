-- Who has neither mail nor text gets paper: an invoice that was printed with others waits to be sent no more.
alter table invoices add column printed_at timestamptz;
create index invoices_unsent on invoices (business_id, number)
  where status in ('issued', 'partially_paid') and sent_at is null and printed_at is null;
