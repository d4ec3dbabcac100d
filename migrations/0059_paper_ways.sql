-- How invoices, reminders, statements and receipts reach a customer: the business's choice, and a customer's own where they have one.
alter table businesses add column paper_way text not null default 'email' check (paper_way in ('email', 'text', 'both'));
alter table customers add column paper_way text check (paper_way in ('email', 'text', 'both'));
