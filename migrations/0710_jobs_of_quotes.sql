-- What was paid ahead for a quote pays the work of all of its jobs, so a job knows its quote and the money stays the quote's.
alter table jobs add column quote_id uuid;
alter table jobs add foreign key (business_id, quote_id) references quotes on delete set null (quote_id);
create index jobs_quote on jobs (business_id, quote_id) where quote_id is not null;
comment on column jobs.quote_id is 'The quote that it was made from, with what else that quote became; a job that was added by hand has none.';
comment on column payments.quote_id is 'The deposit of a quote: it pays invoices of the work that the quote becomes, the oldest first, and nothing else by itself.';
comment on column payments.job_id is 'A deposit for this job alone: it waits for invoices of its work and is put on no other by itself.';
comment on column payments.freed_at is 'The quote that it was the deposit of came to nothing, or is on an invoice of its own: the rest is credit that any invoice may use.';

-- behind the wall of the tenants there are no rows to change
alter table jobs no force row level security;
alter table quotes no force row level security;
alter table audit_log no force row level security;
alter table payments no force row level security;
alter table invoices no force row level security;

update jobs j set quote_id = q.id from quotes q where q.business_id = j.business_id and q.job_id = j.id;
-- the other jobs of a quote stand in what was noted when it became them
update jobs j set quote_id = q.id from quotes q
  join audit_log a on a.business_id = q.business_id and a.entity_type = 'quote' and a.entity_id = q.id and a.action = 'quote.convert'
  cross join jsonb_array_elements_text(case jsonb_typeof(a.after -> 'jobIds') when 'array' then a.after -> 'jobIds' else '[]' end) made(job_id)
  where j.business_id = q.business_id and j.id = made.job_id::uuid and j.quote_id is null;

update payments p set job_id = null, freed_at = null from jobs j
  where j.business_id = p.business_id and j.id = p.job_id and p.quote_id is not null and j.quote_id = p.quote_id;
-- an invoice that is not issued yet takes its deposit when it is
update payments p set freed_at = null from invoices i
  where i.business_id = p.business_id and i.quote_id = p.quote_id and i.status = 'draft' and p.freed_at is not null;

alter table jobs force row level security;
alter table quotes force row level security;
alter table audit_log force row level security;
alter table payments force row level security;
alter table invoices force row level security;
