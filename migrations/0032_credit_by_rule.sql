-- Credit pays invoices by itself where a business wants it, money comes before its invoice as a deposit, and every payment has a receipt.

alter table businesses add column use_credit boolean not null default false;
comment on column businesses.use_credit is 'What lies on no invoice of a customer pays their invoices by itself, the oldest first.';

alter table payments add column job_id uuid;
alter table payments add foreign key (business_id, job_id) references jobs on delete restrict;
create index payments_job on payments (business_id, job_id) where job_id is not null;
comment on column payments.job_id is 'A deposit: it waits for the first invoice of this job and is put on no other by itself.';

alter table payments add column receipt_number integer;
alter table payments no force row level security;
alter table counters no force row level security;
update payments p set receipt_number = x.n
  from (select business_id, id, 1000 + row_number() over (partition by business_id order by created_at, id) as n
    from payments where method <> 'credit') x
  where x.business_id = p.business_id and x.id = p.id;
insert into counters (business_id, name, next)
  select business_id, 'receipt', max(receipt_number) + 1 from payments where receipt_number is not null group by business_id;
alter table payments force row level security;
alter table counters force row level security;
alter table payments add unique (business_id, receipt_number);
alter table payments add check (receipt_number is null or method <> 'credit');

-- What the local payment provider gave back, on its own side.
create table local_refunds (
  id text primary key,
  payment_intent text not null,
  mark jsonb not null,
  failed boolean not null default false,
  created_at timestamptz not null default now()
);
grant select, insert, update on local_refunds to swath_app;
