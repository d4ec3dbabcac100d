-- no-transaction
-- while others write: nobody waits until all invoices were read
create unique index concurrently invoices_quote on invoices (business_id, quote_id) where quote_id is not null and status <> 'void';
alter table invoices validate constraint invoices_business_id_quote_id_fkey;
