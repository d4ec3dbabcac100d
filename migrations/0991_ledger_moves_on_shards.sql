-- The books of two records become one beside what swath_app has written in the same transaction. Past one machine a second user has connections of its
-- own, which would not see that: so the business comes as a value, and npm run distribute hands the whole call to the node that has it, where it runs in
-- the transaction that stands there. The older form stays for processes of the release before this one.
create function move_ledger(business uuid, from_customer uuid, to_customer uuid) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moved integer;
  owed bigint;
begin
  update ledger_entries set customer_id = to_customer
    where business_id = business and business_id = current_business_id() and customer_id = from_customer;
  get diagnostics moved = row_count;
  delete from customer_balances
    where business_id = business and business_id = current_business_id() and customer_id = from_customer returning balance_cents into owed;
  if found then
    insert into customer_balances as b (business_id, customer_id, balance_cents) values (business, to_customer, owed)
      on conflict (business_id, customer_id) do update set balance_cents = b.balance_cents + excluded.balance_cents;
  end if;
  return moved;
end $$;
revoke all on function move_ledger(uuid, uuid, uuid) from public;
grant execute on function move_ledger(uuid, uuid, uuid) to swath_app;
