-- Invoices remind of themselves on the days that the business sets, until somebody answers, pays or promises.

alter table businesses add column invoice_reminders smallint[] not null default '{}';
comment on column businesses.invoice_reminders is 'Days before (negative) and after the due day on which an open invoice is reminded of; none is off.';
alter table invoices add column promised_on date;
alter table invoices add column reminders_stopped text;
alter table invoices add column reminders_from timestamptz;
comment on column invoices.promised_on is 'The customer said that they pay by this day; until then nothing reminds them.';
comment on column invoices.reminders_stopped is 'Why no reminder leaves by itself any more; null while they do.';
comment on column invoices.reminders_from is 'When reminders were taken up again: what the customer wrote or paid before does not stop them.';
create index invoices_promised on invoices (business_id, promised_on) where promised_on is not null and status in ('issued', 'partially_paid');
