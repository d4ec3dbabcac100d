-- When money was put on an invoice and when it was taken off again: allocations say only what lies there now, so a payment that goes back later
-- would change days that are told already.

create table allocation_moves (
  business_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  invoice_id uuid not null,
  amount_cents bigint not null check (amount_cents <> 0),
  on_day date not null,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, payment_id) references payments on delete cascade,
  foreign key (business_id, invoice_id) references invoices on delete restrict
);
create index allocation_moves_day on allocation_moves (business_id, on_day);
create index allocation_moves_invoice on allocation_moves (business_id, invoice_id);
create index allocation_moves_payment on allocation_moves (business_id, payment_id);
comment on table allocation_moves is 'Every time that a part of a payment was put on an invoice, or taken off it (negative); their sum is the allocation.';
comment on column allocation_moves.on_day is 'The day the money came, or was put there where that was later; never before the invoice was issued. What is taken off, on the day of that.';

-- What lies somewhere today, and what was taken off before: of that the day it came stands for the day it was put there.
alter table payments no force row level security;
alter table payment_allocations no force row level security;
alter table allocation_reversals no force row level security;
alter table invoices no force row level security;
alter table businesses no force row level security;
insert into allocation_moves (business_id, id, payment_id, invoice_id, amount_cents, on_day, created_at)
  select a.business_id, gen_random_uuid(), a.payment_id, a.invoice_id, a.amount_cents, greatest(p.received_on, i.issue_on,
      case when a.created_at >= p.created_at + interval '1 hour' then (a.created_at at time zone b.time_zone)::date end), a.created_at
    from payment_allocations a
    join payments p on p.business_id = a.business_id and p.id = a.payment_id
    join invoices i on i.business_id = a.business_id and i.id = a.invoice_id
    join businesses b on b.business_id = a.business_id;
insert into allocation_moves (business_id, id, payment_id, invoice_id, amount_cents, on_day, created_at)
  select r.business_id, gen_random_uuid(), r.payment_id, r.invoice_id, r.amount_cents, greatest(p.received_on, i.issue_on), p.created_at
    from allocation_reversals r
    join payments p on p.business_id = r.business_id and p.id = r.payment_id
    join invoices i on i.business_id = r.business_id and i.id = r.invoice_id;
insert into allocation_moves (business_id, id, payment_id, invoice_id, amount_cents, on_day, created_at)
  select r.business_id, gen_random_uuid(), r.payment_id, r.invoice_id, -r.amount_cents, greatest(r.on_day, p.received_on, i.issue_on), r.created_at
    from allocation_reversals r
    join payments p on p.business_id = r.business_id and p.id = r.payment_id
    join invoices i on i.business_id = r.business_id and i.id = r.invoice_id;
alter table businesses force row level security;
alter table invoices force row level security;
alter table allocation_reversals force row level security;
alter table payment_allocations force row level security;
alter table payments force row level security;
select guard_tenant_table('allocation_moves', 'select, insert');
