-- Files for the accountant are of a span of days, whoever the customer is.
create index ledger_entries_day on ledger_entries (business_id, on_day);
create index invoices_issued on invoices (business_id, issue_on) where issue_on is not null;
create index credit_notes_day on credit_notes (business_id, on_day);
