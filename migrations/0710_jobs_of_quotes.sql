-- What was paid ahead for a quote pays the work of all of its jobs, so a job knows its quote and the money stays the quote's.
alter table jobs add column quote_id uuid;
alter table jobs add foreign key (business_id, quote_id) references quotes on delete set null (quote_id) not valid;
comment on column jobs.quote_id is 'The quote that it was made from, with what else that quote became; a job that was added by hand has none.';
comment on column payments.quote_id is 'The deposit of a quote: it pays invoices of the work that the quote becomes, the oldest first, and nothing else by itself.';
comment on column payments.job_id is 'A deposit for this job alone: it waits for invoices of its work and is put on no other by itself.';
comment on column payments.freed_at is 'The quote that it was the deposit of came to nothing, or is on an invoice of its own: the rest is credit that any invoice may use.';
