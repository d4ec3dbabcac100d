-- What was left out by itself (bought on account, not paid back yet) waits again when it changes; what a person skipped stays skipped.
create or replace function mark_for_books(business uuid, what text, record uuid) returns void language sql as $$
  insert into books_queue (business_id, connection_id, id, kind, local_id, rank, created_at)
    select business, c.id, gen_random_uuid(), what, record,
      case what when 'customer' then 1 when 'item' then 2 when 'invoice' then 3 when 'credit' then 4 when 'write_off' then 4 when 'payment' then 5
        when 'use' then 6 when 'refund' then 7 else 8 end, clock_timestamp()
    from books_connections c where c.business_id = business and c.status <> 'disconnected' and c.start_on is not null
    on conflict (business_id, connection_id, kind, local_id) do update set asked = books_queue.asked + 1, updated_at = clock_timestamp(),
      run_after = least(books_queue.run_after, clock_timestamp()),
      status = case when books_queue.status = 'failed' or (books_queue.status = 'skipped' and books_queue.reason = '') then 'waiting'
        else books_queue.status end $$;
