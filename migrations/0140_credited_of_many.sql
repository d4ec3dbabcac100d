-- A credit note over what was billed too much of a plan spans several invoices: what of it is over which one stands here, so that nothing of an
-- invoice is credited twice. A note over one invoice names it itself (credit_notes.invoice_id).

create table credit_note_parts (
  business_id uuid not null,
  credit_note_id uuid not null,
  invoice_id uuid not null,
  total_cents bigint not null check (total_cents > 0),
  tax_cents bigint not null,
  primary key (business_id, credit_note_id, invoice_id),
  foreign key (business_id, credit_note_id) references credit_notes on delete restrict,
  foreign key (business_id, invoice_id) references invoices on delete restrict
);
create index credit_note_parts_invoice on credit_note_parts (business_id, invoice_id);

-- The wall stands for whoever brings the tables up to date, too.
alter table billing_plans no force row level security;
alter table billing_plan_months no force row level security;
alter table credit_notes no force row level security;
alter table payments no force row level security;
alter table invoices no force row level security;
-- From the newest month back, each as far as nothing of it was credited.
with room as (
  select n.business_id, n.id as credit_note_id, n.total_cents, n.tax_cents, i.id as invoice_id,
    greatest(0, i.total_cents - coalesce((select sum(o.total_cents) from credit_notes o join payments p on p.business_id = o.business_id
      and p.id = o.payment_id and p.status = 'succeeded' where o.business_id = i.business_id and o.invoice_id = i.id), 0)) as cents, m.month
  from billing_plans b
  join credit_notes n on n.business_id = b.business_id and n.payment_id = b.settle_payment_id and n.invoice_id is null
  join billing_plan_months m on m.business_id = b.business_id and m.plan_id = b.id
  join invoices i on i.business_id = m.business_id and i.id = m.invoice_id and i.status <> 'void'
), run as (
  select *, coalesce(sum(cents) over (partition by business_id, credit_note_id order by month desc, invoice_id
    rows between unbounded preceding and 1 preceding), 0) as before from room
), part as (
  select *, least(cents, total_cents - before) as mine from run where cents > 0 and before < total_cents
)
insert into credit_note_parts (business_id, credit_note_id, invoice_id, total_cents, tax_cents)
  select business_id, credit_note_id, invoice_id, mine, round(tax_cents::numeric * mine / total_cents) from part;
alter table billing_plans force row level security;
alter table billing_plan_months force row level security;
alter table credit_notes force row level security;
alter table payments force row level security;
alter table invoices force row level security;
select guard_tenant_table('credit_note_parts', 'select, insert');
