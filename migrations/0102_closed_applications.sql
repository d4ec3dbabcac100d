-- A business that closed is deleted with everything, also with the records that an open one keeps for five years.

create or replace function keep_application() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if pg_trigger_depth() < 2
        and (tg_table_name = 'application_amendments' or to_jsonb(old)->>'applied_at' > to_jsonb(now() - interval '5 years')#>>'{}')
        and exists (select 1 from businesses b where b.business_id = old.business_id and b.closed_at is null) then
      raise exception 'the record of an application is kept for five years' using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if exists (select 1 from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key)
      where n.value <> o.value and (n.value <> 'null' or n.key not in ('visit_id', 'customer_id', 'property_id', 'entered_by', 'amended_by'))) then
    raise exception 'the record of an application is never changed: amend it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
