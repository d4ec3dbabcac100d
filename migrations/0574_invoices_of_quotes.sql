-- An invoice made straight from a signed quote: one that counts, so that its work is not billed twice.
alter table invoices add column quote_id uuid;
alter table invoices add foreign key (business_id, quote_id) references quotes on delete set null (quote_id) not valid;
comment on column invoices.quote_id is 'The signed quote that it was made from as a whole; work that became a job is billed by its visits instead.';
