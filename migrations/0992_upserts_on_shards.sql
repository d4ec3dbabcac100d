-- Past one machine a function is asked on a shard only where it is immutable in what an upsert sets: the time comes as a value. And rows that are
-- selected to be inserted name their own business, so that they stay on their shard. There is no "case x when" in what writes: Citus works out x = ... by
-- itself, without x. And a shard has the name of its table with a number behind it.
create or replace function mark_for_books(business uuid, what text, record uuid) returns void language plpgsql as $$
#variable_conflict use_column
declare
  asked_at timestamptz := clock_timestamp();
  place integer := case what when 'customer' then 1 when 'item' then 2 when 'method' then 2 when 'invoice' then 3 when 'credit' then 4 when 'write_off' then 4
    when 'payment' then 5 when 'use' then 6 when 'refund' then 7 when 'payout' then 9 when 'payout_back' then 9 else 8 end;
  connection uuid;
begin
  for connection in
    select c.id from books_connections c where c.business_id = business and c.status <> 'disconnected' and c.start_on is not null
  loop
    insert into books_queue (business_id, connection_id, id, kind, local_id, rank, created_at)
      values (business, connection, gen_random_uuid(), what, record, place, asked_at)
      on conflict (business_id, connection_id, kind, local_id) do update set asked = books_queue.asked + 1, updated_at = asked_at,
        run_after = least(books_queue.run_after, asked_at),
        status = case when books_queue.status = 'failed' or (books_queue.status = 'skipped' and books_queue.reason = '') then 'waiting'
          else books_queue.status end;
  end loop;
end $$;

create or replace function put_custom_values(business uuid, of_record uuid, of_customer uuid, of_property uuid, kept jsonb) returns void language plpgsql as $$
begin
  delete from custom_values v where v.business_id = business and v.record_id = of_record;
  if kept <> '{}'::jsonb then
    insert into custom_values (business_id, field_id, record_id, customer_id, property_id, word, number)
    select f.business_id, f.id, of_record, of_customer, of_property, lower(left(x.value, 200)),
      case when f.type = 'number' then x.value::double precision when f.type = 'date' then (x.value::date - date '1970-01-01')::double precision end
    from custom_fields f join jsonb_each_text(kept) x on f.id = x.key::uuid where f.business_id = business;
  end if;
end $$;

create or replace function expense_parts_add_up() returns trigger language plpgsql as $$
declare
  business uuid;
  expense uuid;
begin
  if tg_table_name ~ '^expenses(_[0-9]+)?$' then
    business := new.business_id; expense := new.id;
  elsif tg_op = 'DELETE' then
    business := old.business_id; expense := old.expense_id;
    if exists (select 1 from businesses b where b.business_id = business and b.delete_after <= now()) then return null; end if;
  else
    business := new.business_id; expense := new.expense_id;
  end if;
  if exists (select 1 from expenses e where e.business_id = business and e.id = expense and e.total_cents <>
      (select coalesce(sum(p.amount_cents), 0) from expense_parts p where p.business_id = business and p.expense_id = expense)) then
    raise exception 'the parts of expense % do not add up to its total', expense using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function keep_application() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if pg_trigger_depth() < 2
        and (tg_table_name ~ '^application_amendments(_[0-9]+)?$' or to_jsonb(old)->>'applied_at' > to_jsonb(now() - interval '5 years')#>>'{}')
        and exists (select 1 from businesses b where b.business_id = old.business_id and b.closed_at is null) then
      raise exception 'the record of an application is kept for five years' using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if exists (select 1 from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key)
      where n.value <> o.value and n.key not in ('customer_id', 'property_id')
        and (n.value <> 'null' or n.key not in ('visit_id', 'entered_by', 'amended_by'))) then
    raise exception 'the record of an application is never changed: amend it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
