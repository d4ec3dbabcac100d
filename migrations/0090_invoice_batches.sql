-- Invoices of many visits are made in chunks: what was confirmed on screen is kept here, and how far it is.

create table invoice_batches (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  status text not null check (status in ('running', 'done', 'failed')),
  send boolean not null,
  planned jsonb not null,
  total integer not null check (total > 0),
  done integer not null default 0,
  invoice_count integer not null default 0,
  visit_count integer not null default 0,
  total_cents bigint not null default 0,
  mailed_count integer not null default 0,
  error text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  check (done between 0 and total and invoice_count <= done)
);
create index invoice_batches_running on invoice_batches (business_id) where status = 'running';
select guard_tenant_table('invoice_batches');
comment on column invoice_batches.planned is 'Per invoice its visits and what they come to, frozen when the batch was confirmed: no other invoice is made than the ones that were seen.';
comment on column invoice_batches.done is 'How many of the planned invoices were looked at; raised in the transaction that makes them, so a batch that was cut off goes on after the last one.';
comment on column invoice_batches.updated_at is 'Also the sign that a running batch still moves.';

update invoices set batch_id = null where batch_id is not null;
alter table invoices add foreign key (business_id, batch_id) references invoice_batches on delete set null (batch_id);
