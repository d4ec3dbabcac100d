-- Functions that read or write tables are PL/pgSQL: past one machine, Citus plans statements of PL/pgSQL functions and none with parameters of SQL
-- functions. What they do is the same. None calls another for each row of a query: that one would be asked on a shard, where no other may be asked.

create or replace function add_expense_categories(business uuid) returns void language plpgsql as $$
#variable_conflict use_column
begin
  insert into expense_categories (business_id, id, code, name, position)
  select business, gen_random_uuid(), code, name, position from (values
    ('fuel', 'Fuel', 1), ('disposal', 'Dump and disposal fees', 2), ('materials', 'Materials and supplies', 3),
    ('fertilizer', 'Fertilizer and chemicals', 4), ('equipment', 'Equipment', 5), ('repairs', 'Repairs and maintenance', 6),
    ('truck', 'Truck payments and leases', 7), ('insurance', 'Insurance', 8), ('licenses', 'Licenses and permits', 9),
    ('subcontractors', 'Subcontractors', 10), ('rental', 'Equipment rental', 11), ('rent', 'Rent and utilities', 12),
    ('office', 'Office and software', 13), ('advertising', 'Advertising', 14), ('meals', 'Meals', 15), ('other', 'Other', 16),
    ('processing', 'Processing fees', 17)
  ) standard (code, name, position);
end $$;

create or replace function add_message_templates(business uuid) returns void language plpgsql as $$
#variable_conflict use_column
begin
  insert into message_templates (business_id, id, name, text_en, text_es)
  select business, gen_random_uuid(), name, en, es from (values
    ('Your next visit',
      'Hi {customer first name}, your next visit is {next visit day}, {next visit time}. {business name}',
      'Hola {customer first name}, su próxima visita es el {next visit day}, {next visit time}. {business name}'),
    ('Running late',
      'Hi {customer first name}, we are running late today and will be there as soon as we can. Sorry for the wait! {business name}',
      'Hola {customer first name}, hoy vamos con retraso y llegaremos lo antes posible. ¡Perdone la espera! {business name}'),
    ('Open balance',
      'Hi {customer first name}, your open balance is {balance}. You can see and pay it here: {pay link}',
      'Hola {customer first name}, su saldo pendiente es {balance}. Puede verlo y pagarlo aquí: {pay link}'),
    ('Please leave the gate open',
      'Hi {customer first name}, we come {next visit day}. Please leave the gate unlocked and keep pets inside. Thank you! {business name}',
      'Hola {customer first name}, vamos el {next visit day}. Por favor deje la reja abierta y las mascotas adentro. ¡Gracias! {business name}'),
    ('Thank you',
      'Thank you, {customer first name}! If there is anything else, just answer here. {my name}, {business name}',
      '¡Gracias, {customer first name}! Si necesita algo más, responda aquí. {my name}, {business name}')
  ) usual (name, en, es);
end $$;

create or replace function mark_day(business uuid, on_day date) returns void language plpgsql as $$
begin
  if on_day is null or exists (
    select from analytics_marks m where m.business_id = business and m.day = on_day and m.by_transaction = pg_current_xact_id())
  then return; end if;
  insert into analytics_marks (business_id, id, day, by_transaction) values (business, gen_random_uuid(), on_day, pg_current_xact_id());
end $$;

create or replace function mark_days_of_invoice(business uuid, invoice uuid) returns void language plpgsql as $$
declare
  each_day date;
begin
  for each_day in
    select v.day from visits v where v.business_id = business and v.invoice_id = invoice and v.status = 'completed'
    union
    select v.day from (
        select m.plan_id from billing_plan_months m where m.business_id = business and m.invoice_id = invoice
        union select b.id from billing_plans b where b.business_id = business and b.settle_invoice_id = invoice) p
      join billing_plan_deliveries d on d.business_id = business and d.plan_id = p.plan_id
      join visits v on v.business_id = business and v.id = d.visit_id
  loop
    perform mark_day(business, each_day);
  end loop;
end $$;

create or replace function mark_days_of_plan(business uuid, plan uuid, since date) returns void language plpgsql as $$
declare
  each_day date;
begin
  for each_day in
    select distinct v.day from billing_plan_deliveries d
    join visits v on v.business_id = d.business_id and v.id = d.visit_id
    where d.business_id = business and d.plan_id = plan and (since is null or d.on_day >= since)
  loop
    perform mark_day(business, each_day);
  end loop;
end $$;

create or replace function mark_for_books(business uuid, what text, record uuid) returns void language plpgsql as $$
#variable_conflict use_column
begin
  insert into books_queue (business_id, connection_id, id, kind, local_id, rank, created_at)
    select business, c.id, gen_random_uuid(), what, record,
      case what when 'customer' then 1 when 'item' then 2 when 'method' then 2 when 'invoice' then 3 when 'credit' then 4 when 'write_off' then 4
        when 'payment' then 5 when 'use' then 6 when 'refund' then 7 when 'payout' then 9 when 'payout_back' then 9 else 8 end, clock_timestamp()
    from books_connections c where c.business_id = business and c.status <> 'disconnected' and c.start_on is not null
    on conflict (business_id, connection_id, kind, local_id) do update set asked = books_queue.asked + 1, updated_at = clock_timestamp(),
      run_after = least(books_queue.run_after, clock_timestamp()),
      status = case when books_queue.status = 'failed' or (books_queue.status = 'skipped' and books_queue.reason = '') then 'waiting'
        else books_queue.status end;
end $$;

-- The business is named by a statement: set_config() would not reach the workers.
create or replace function delete_closed_business(target uuid, most integer) returns text language plpgsql security definer set search_path = public as $$
declare
  waiting regclass[];
  holder regclass;
  name regclass;
  holds boolean;
  removed integer := 0;
  step integer;
  forced boolean;
begin
  execute format('set local app.business_id = %L', target);
  perform 1 from businesses where business_id = target and delete_after is not null and delete_after <= now() for update;
  if not found then return 'kept'; end if;
  select array_agg(c.oid::regclass order by c.relname) into waiting
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('businesses', 'payment_customers');
  -- a second round without the rule of turns, for tables that point at each other
  foreach forced in array array[false, true] loop
    foreach name in array waiting loop
      holds := false;
      if not forced then
        for holder in
          select distinct conrelid::regclass from pg_constraint where contype = 'f' and confrelid = name and conrelid <> name and conrelid = any(waiting)
        loop
          execute format('select exists (select 1 from %s where business_id = $1)', holder) into holds using target;
          exit when holds;
        end loop;
      end if;
      continue when holds;
      begin
        execute format('delete from %1$s where ctid = any(array(select ctid from %1$s where business_id = $1 limit $2))', name) using target, most - removed;
        get diagnostics step = row_count;
        removed := removed + step;
      exception when foreign_key_violation or restrict_violation then
        -- rows of one table that point at each other, cut apart by the limit: all of them at once
        execute format('delete from %s where business_id = $1', name) using target;
        get diagnostics step = row_count;
        removed := removed + step;
      end;
      if removed >= most then return 'more'; end if;
    end loop;
    if removed > 0 then return 'more'; end if;
  end loop;
  delete from businesses where business_id = target;
  return 'gone';
end $$;
