-- What waits for an invoice is read job by job, the oldest visits first.
drop index visits_unbilled_job;
create index visits_unbilled_job on visits (business_id, job_id, day) where status = 'completed' and billable and invoice_id is null;
