-- A page on which a customer pays several invoices in one go, and the link to their statement.

alter table checkout_sessions add column lead_id uuid;
alter table checkout_sessions add foreign key (business_id, lead_id) references checkout_sessions on delete cascade;
create index checkout_sessions_lead on checkout_sessions (business_id, lead_id) where lead_id is not null;
comment on column checkout_sessions.lead_id is 'The attempt on whose page this invoice is paid along with others; null for the page''s own attempt.';

create table statement_links (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customers on delete cascade
);
create unique index statement_links_one on statement_links (business_id, customer_id) where revoked_at is null;
select guard_tenant_table('statement_links');
comment on table statement_links is 'The link to a customer''s statement. One that was taken back opens nothing any more; the next one is another.';
