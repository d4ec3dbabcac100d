-- Notes about a customer, each by somebody on a day; they stand in the customer's timeline. What always holds stays in customers.notes.

create table customer_notes (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  customer_id uuid not null,
  body text not null check (length(body) between 1 and 4000),
  user_id uuid,
  at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index customer_notes_customer on customer_notes (business_id, customer_id, at desc, id desc);
create index customer_notes_user on customer_notes (business_id, user_id) where user_id is not null;
select guard_tenant_table('customer_notes');
