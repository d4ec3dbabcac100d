-- Finished visits are invoiced by themselves: every day, week or month, each turn once.

alter table businesses add column auto_invoices jsonb not null default '{}';
comment on column businesses.auto_invoices is 'When finished visits are invoiced without anybody pressing; empty is off.';
alter table businesses add column auto_invoices_since timestamptz;
comment on column businesses.auto_invoices_since is 'Since when these turns hold: one that was before it is not made up for.';

alter table customers add column auto_invoices text check (auto_invoices in ('never', 'daily', 'weekly', 'monthly'));
comment on column customers.auto_invoices is 'How often this customer is invoiced without anybody pressing; empty is as the business has it.';

create table automatic_invoice_runs (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  rhythm text not null check (rhythm in ('daily', 'weekly', 'monthly')),
  turn_on date not null,
  batch_id uuid,
  no_price uuid[] not null default '{}',
  on_hold integer not null default 0 check (on_hold >= 0),
  more boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, rhythm, turn_on),
  foreign key (business_id, batch_id) references invoice_batches on delete set null (batch_id)
);
create index automatic_invoice_runs_batch on automatic_invoice_runs (business_id, batch_id) where batch_id is not null;
select guard_tenant_table('automatic_invoice_runs');
comment on table automatic_invoice_runs is 'The turns at which finished visits were invoiced by themselves: one of a rhythm and a day, whoever looks how often.';
comment on column automatic_invoice_runs.no_price is 'Visits that were left out because nobody knows what they cost, as far as they were listed.';
