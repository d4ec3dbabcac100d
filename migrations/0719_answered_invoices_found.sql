-- no-transaction
-- Invoices that were stopped before because their customer wrote or paid a part wait for the office like those from now on: their late fees rest in sight.
-- When they answered was not kept; the last change of the invoice is the latest that it can have been.
-- behind the wall of the tenants there are no rows to change; it is lifted under a lock, so for a moment and not while the rows are changed
alter table invoices no force row level security;

update invoices set answered_at = updated_at where answered_at is null
  and reminders_stopped ~ '(^Part of it was paid|. wrote) since (it was sent|[A-Z][a-z]{2}, [A-Z][a-z]{2} [0-9]{1,2})$';

alter table invoices force row level security;
