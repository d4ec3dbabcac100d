-- Payouts go to the books as bank deposits with their fee, payments name how they were paid, and what stands only there can be settled.

alter table books_links drop constraint books_links_kind_check;
alter table books_links add constraint books_links_kind_check check (kind in
  ('customer', 'item', 'method', 'invoice', 'payment', 'credit', 'write_off', 'use', 'refund', 'expense', 'movement', 'payout', 'payout_back'));
alter table books_queue drop constraint books_queue_kind_check;
alter table books_queue add constraint books_queue_kind_check check (kind in
  ('customer', 'item', 'method', 'invoice', 'payment', 'credit', 'write_off', 'use', 'refund', 'expense', 'movement', 'payout', 'payout_back'));

alter table books_connections add column holds_payments boolean;
comment on column books_connections.holds_payments is 'Whether payments wait in Undeposited Funds there, so that a deposit names each of them. Null until the books were asked.';

-- What somebody entered there and wants left as it is: it is listed no more when a month is held against the books.
create table books_left (
  business_id uuid not null,
  connection_id uuid not null,
  remote_type text not null,
  remote_id text not null,
  reason text not null default '' check (length(reason) <= 300),
  left_by uuid,
  left_at timestamptz not null,
  primary key (business_id, connection_id, remote_type, remote_id),
  foreign key (business_id, connection_id) references books_connections on delete cascade
);
select guard_tenant_table('books_left', 'select, insert, delete');

create or replace function mark_for_books(business uuid, what text, record uuid) returns void language sql as $$
  insert into books_queue (business_id, connection_id, id, kind, local_id, rank, created_at)
    select business, c.id, gen_random_uuid(), what, record,
      case what when 'customer' then 1 when 'item' then 2 when 'method' then 2 when 'invoice' then 3 when 'credit' then 4 when 'write_off' then 4
        when 'payment' then 5 when 'use' then 6 when 'refund' then 7 when 'payout' then 9 when 'payout_back' then 9 else 8 end, clock_timestamp()
    from books_connections c where c.business_id = business and c.status <> 'disconnected' and c.start_on is not null
    on conflict (business_id, connection_id, kind, local_id) do update set asked = books_queue.asked + 1, updated_at = clock_timestamp(),
      run_after = least(books_queue.run_after, clock_timestamp()),
      status = case when books_queue.status = 'failed' or (books_queue.status = 'skipped' and books_queue.reason = '') then 'waiting'
        else books_queue.status end $$;

create function payout_to_books() returns trigger language plpgsql as $$
begin
  if new.booked_on is not null then perform mark_for_books(new.business_id, 'payout', new.id); end if;
  if new.failed_on is not null then perform mark_for_books(new.business_id, 'payout_back', new.id); end if;
  return null;
end $$;
create trigger payouts_books after insert or update of booked_on, failed_on, lines_told, amount_cents, fee_cents on payouts
  for each row execute function payout_to_books();
