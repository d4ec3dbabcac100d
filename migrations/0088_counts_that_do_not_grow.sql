-- What screens count all day long is found without walking a business's history.

create index visits_unbilled on visits (business_id, day) where status = 'completed' and billable and invoice_id is null;
create index visits_open_property on visits (business_id, property_id, day) where status in ('scheduled', 'en_route', 'in_progress', 'paused');
create index visits_open_customer on visits (business_id, customer_id, day) where status in ('scheduled', 'en_route', 'in_progress', 'paused');
create index invoices_open on invoices (business_id, due_on) where status in ('issued', 'partially_paid');
create index messages_unread on messages (business_id, id) where direction = 'inbound' and opened_at is null;

create table customer_balances (
  business_id uuid not null,
  customer_id uuid not null,
  balance_cents bigint not null,
  primary key (business_id, customer_id),
  foreign key (business_id, customer_id) references customers on delete cascade
);
select guard_tenant_table('customer_balances');
comment on table customer_balances is 'The sum of a customer''s ledger entries, kept by a trigger of that table: entries are only ever added.';
insert into customer_balances (business_id, customer_id, balance_cents)
  select business_id, customer_id, sum(amount_cents) from ledger_entries group by 1, 2;
create function add_to_balance() returns trigger language plpgsql as $$
begin
  insert into customer_balances as b (business_id, customer_id, balance_cents) values (new.business_id, new.customer_id, new.amount_cents)
    on conflict (business_id, customer_id) do update set balance_cents = b.balance_cents + excluded.balance_cents;
  return null;
end $$;
create trigger ledger_entries_balance after insert on ledger_entries for each row execute function add_to_balance();

create table invoice_totals (
  business_id uuid not null references businesses on delete cascade,
  status text not null,
  count integer not null,
  primary key (business_id, status)
);
select guard_tenant_table('invoice_totals');
comment on table invoice_totals is 'How many invoices a business has in each status, kept by a trigger of invoices.';
insert into invoice_totals (business_id, status, count) select business_id, status, count(*) from invoices group by 1, 2;
create function count_invoice() returns trigger language plpgsql as $$
begin
  -- always in the order of the names, so that two changes at once wait for each other and never for ever
  insert into invoice_totals as t (business_id, status, count)
    select business_id, status, sum(change) from (
      select new.business_id, new.status, 1 as change where tg_op <> 'DELETE'
      union all select old.business_id, old.status, -1 where tg_op <> 'INSERT'
    ) x group by 1, 2 having sum(change) <> 0 order by status
    on conflict (business_id, status) do update set count = t.count + excluded.count;
  return null;
end $$;
create trigger invoices_counted after insert or delete on invoices for each row execute function count_invoice();
create trigger invoices_counted_again after update of status on invoices
  for each row when (old.status is distinct from new.status) execute function count_invoice();

-- Nothing writes an invoice off.
alter table invoices drop constraint invoices_status_check;
alter table invoices add constraint invoices_status_check check (status in ('draft', 'issued', 'partially_paid', 'paid', 'void'));
