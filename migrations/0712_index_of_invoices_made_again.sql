-- no-transaction
-- while others write: nobody waits until all invoices were read
create unique index concurrently invoices_made_from on invoices (business_id, made_from) where made_from is not null and status <> 'void';
alter table invoices validate constraint invoices_business_id_made_from_fkey;
