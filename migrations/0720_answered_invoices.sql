-- A late fee rests while the customer's answer waits for the office, as reminders do.
alter table invoices add column answered_at timestamptz;
comment on column invoices.answered_at is 'When its reminders and late fees stopped because its customer wrote or paid a part; null once the office said how it goes on.';
create index invoices_answered on invoices (business_id, due_on, number) where answered_at is not null and status in ('issued', 'partially_paid');
