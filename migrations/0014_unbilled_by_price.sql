-- What waits for an invoice is read job by job: what has a price and what waits for one apart, so that neither is walked for the other.
drop index visits_unbilled_job;
create index visits_unbilled_job on visits (business_id, job_id, (price_cents > 0), day) where status = 'completed' and billable and invoice_id is null;
comment on column visits.price_cents is 'What its lines come to. A finished visit of zero waits for its price.';
