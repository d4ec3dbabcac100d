-- no-transaction
-- while others write: nobody waits until all invoices were read
create index concurrently invoices_answered on invoices (business_id, due_on, number)
  where answered_at is not null and status in ('issued', 'partially_paid');
