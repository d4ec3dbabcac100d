-- A link at which a customer leaves a card without paying.
create table card_requests (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  status text not null default 'open' check (status in ('open', 'done')),
  expires_at timestamptz not null,
  mandate jsonb,
  account_id text,
  provider_session_id text,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customers on delete cascade
);
create index card_requests_customer on card_requests (business_id, customer_id);
select guard_tenant_table('card_requests');
comment on table card_requests is 'A link at which a customer leaves a card: what they agreed to when they went on to the provider, and whether a card came of it.';
