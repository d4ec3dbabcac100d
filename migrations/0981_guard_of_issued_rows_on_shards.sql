-- Which invoices were touched first, then what they are: past one machine Citus joins no transition table with a table on shards.
create or replace function guard_issued_rows() returns trigger language plpgsql as $$
declare
  n integer;
  business uuid;
  touched_ids uuid[];
begin
  if current_user = 'swath_app' then
    for business, touched_ids in select t.business_id, array_agg(distinct t.invoice_id) from touched t group by t.business_id loop
      select i.number into n from invoices i where i.business_id = business and i.id = any(touched_ids) and i.status <> 'draft' limit 1;
      if found then raise exception 'issued_invoice_stays: invoice % was issued', n using errcode = 'integrity_constraint_violation'; end if;
    end loop;
  end if;
  return null;
end $$;
