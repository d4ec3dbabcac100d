-- What was paid and is owed again is not late from its old due day: fees and reminders count from the day on which it was opened again.
alter table invoices add reopened_on date;
comment on column invoices.reopened_on is 'The last day on which money that was on it was gone again, or it was written off no more: late fees and reminders count from it where it is later than the due day. Its age in the lists does not.';
alter table invoices no force row level security;
alter table allocation_reversals no force row level security;
update invoices i set reopened_on = r.day
  from (select business_id, invoice_id, max(on_day) as day from allocation_reversals group by 1, 2) r
  where r.business_id = i.business_id and r.invoice_id = i.id and i.status in ('issued', 'partially_paid');
alter table invoices force row level security;
alter table allocation_reversals force row level security;
create index invoices_reopened on invoices (business_id, reopened_on) where status in ('issued', 'partially_paid') and reopened_on is not null;
