-- Who else belongs to a customer: who pays the bills, who opens the gate, who lives there. The customer's own e-mail and phone stay on the customer;
-- "gets" says which of the four kinds go there.

alter table customers add column gets text[] not null default '{invoices,quotes,visits,marketing}'
  check (gets <@ array['invoices', 'quotes', 'visits', 'marketing']);
comment on column customers.gets is 'What goes to the customer''s own e-mail and phone; what nobody gets of invoices and quotes goes there all the same.';

create table customer_contacts (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  name text not null check (length(name) between 1 and 120),
  role text not null default 'other' check (role in ('household', 'billing', 'gate', 'tenant', 'manager', 'other')),
  email text check (length(email) <= 254),
  phone text check (length(phone) <= 40),
  note text not null default '' check (length(note) <= 500),
  invoices_by text check (invoices_by in ('email', 'text', 'both')),
  quotes_by text check (quotes_by in ('email', 'text', 'both')),
  visits_by text check (visits_by in ('email', 'text', 'both')),
  marketing_by text check (marketing_by in ('email', 'text', 'both')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customers on delete cascade,
  check (email is not null or phone is not null)
);
create index customer_contacts_customer on customer_contacts (business_id, customer_id, id);
create index customer_contacts_email on customer_contacts (business_id, email);
create index customer_contacts_phone on customer_contacts (business_id, phone);
select guard_tenant_table('customer_contacts');
comment on table customer_contacts is 'At most 20 a customer. A STOP stands by the number in suppressions, whoever it belongs to.';
