-- Where a customer came from goes along from the lead to the customer and the quote, in words; a quote knows the lead that it was made of.

alter table customers alter column source set default '';
alter table quotes
  add column lead_id uuid,
  add foreign key (business_id, lead_id) references business_leads on delete set null (lead_id);
create index quotes_lead on quotes (business_id, lead_id) where lead_id is not null;
comment on column quotes.lead_id is 'The request that it was made of: what becomes of the quote moves that lead and no other.';

alter table customers no force row level security;
alter table business_leads no force row level security;
alter table quotes no force row level security;
update customers c set source = coalesce((
  select case l.source
    when 'call' then 'Phone call' when 'text' then 'Text' when 'email' then 'E-mail' when 'website' then 'Website form'
    when 'profile' then 'Business page' when 'referral' then 'Referral' when 'neighbor' then 'Neighbor' when 'ad' then 'Ad' else 'Other' end
  from business_leads l where l.business_id = c.business_id and l.customer_id = c.id and l.converted_at is not null
  order by l.id limit 1), '')
where c.source = 'manual';
update customers set source = 'Import' where source = 'import';
update quotes q set source = coalesce((select c.source from customers c where c.business_id = q.business_id and c.id = q.customer_id), '')
where q.source in ('manual', 'import');
alter table customers force row level security;
alter table business_leads force row level security;
alter table quotes force row level security;
