-- no-transaction
-- while others write: nobody waits until all jobs were read
create index concurrently jobs_quote on jobs (business_id, quote_id) where quote_id is not null;
alter table jobs validate constraint jobs_business_id_quote_id_fkey;
