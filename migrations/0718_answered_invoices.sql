-- A late fee rests while the customer's answer waits for the office, as reminders do.
alter table invoices add column answered_at timestamptz;
comment on column invoices.answered_at is 'When its reminders and late fees stopped because its customer wrote or paid a part; null once the office said how it goes on.';
