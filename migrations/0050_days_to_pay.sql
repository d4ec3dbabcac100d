-- How long customers take to pay: the day on which an invoice was paid in full stands on it.
alter table invoices no force row level security;
alter table payments no force row level security;
alter table payment_allocations no force row level security;
alter table invoices add paid_on date;
comment on column invoices.paid_on is 'The day on which the money came that paid it in full, never before its issue day; null while something is open, and on an invoice over nothing.';
update invoices i set paid_on = greatest(i.issue_on, p.day)
  from (select a.business_id, a.invoice_id, max(p.received_on) as day
    from payment_allocations a join payments p on p.business_id = a.business_id and p.id = a.payment_id group by 1, 2) p
  where p.business_id = i.business_id and p.invoice_id = i.id and i.status = 'paid' and i.total_cents > 0;
alter table invoices force row level security;
alter table payments force row level security;
alter table payment_allocations force row level security;
create index invoices_paid_on on invoices (business_id, paid_on) include (issue_on) where paid_on is not null;
create index invoices_customer_paid_on on invoices (business_id, customer_id, paid_on) include (issue_on) where paid_on is not null;
create index invoices_customer_open on invoices (business_id, customer_id) include (due_on, total_cents, paid_cents) where status in ('issued', 'partially_paid');
