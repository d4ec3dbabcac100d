-- A business that closed is deleted in steps, and a step may end between the parts of one expense: they need not add up any more.

create or replace function expense_parts_add_up() returns trigger language plpgsql as $$
declare
  business uuid;
  expense uuid;
begin
  if tg_table_name = 'expenses' then
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
