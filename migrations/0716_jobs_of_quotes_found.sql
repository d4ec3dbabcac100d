-- no-transaction
-- The jobs of quotes, and the money of those quotes. Outside a transaction, because the wall of a table is lifted under a lock that nobody reads beside:
-- so it is held for that moment, and not while the rows of all businesses are changed. Cut off, it runs again and changes nothing twice.
-- behind the wall of the tenants there are no rows to change
alter table jobs no force row level security;
alter table quotes no force row level security;
alter table audit_log no force row level security;
alter table payments no force row level security;
alter table invoices no force row level security;

update jobs j set quote_id = q.id from quotes q where q.business_id = j.business_id and q.job_id = j.id and j.quote_id is null;
-- the other jobs of a quote stand in what was noted when it became them
update jobs j set quote_id = q.id from quotes q
  join audit_log a on a.business_id = q.business_id and a.entity_type = 'quote' and a.entity_id = q.id and a.action = 'quote.convert'
  cross join jsonb_array_elements_text(case jsonb_typeof(a.after -> 'jobIds') when 'array' then a.after -> 'jobIds' else '[]' end) made(job_id)
  where j.business_id = q.business_id and j.id = made.job_id::uuid and j.quote_id is null;

update payments p set job_id = null, freed_at = null from jobs j
  where j.business_id = p.business_id and j.id = p.job_id and p.quote_id is not null and j.quote_id = p.quote_id;
-- an invoice that is not issued yet takes its deposit when it is, and one that was voided gave it back to its quote
update payments p set freed_at = null from quotes q
  where q.business_id = p.business_id and q.id = p.quote_id and p.freed_at is not null
    and exists (select from invoices i where i.business_id = q.business_id and i.quote_id = q.id
      and (i.status = 'draft' or i.status = 'void' and q.status = 'approved'))
    and not exists (select from invoices i where i.business_id = q.business_id and i.quote_id = q.id and i.status not in ('draft', 'void'));

alter table jobs force row level security;
alter table quotes force row level security;
alter table audit_log force row level security;
alter table payments force row level security;
alter table invoices force row level security;
