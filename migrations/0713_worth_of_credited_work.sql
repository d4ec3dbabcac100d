-- A credit note takes its sum off the invoice that it is over, wherever its credit lies: the days of that invoice change with the note.
create function credit_note_to_analytics() returns trigger language plpgsql as $$
begin
  if new.invoice_id is not null then perform mark_days_of_invoice(new.business_id, new.invoice_id); end if;
  return null;
end $$;
create trigger credit_notes_analytics after insert on credit_notes for each row execute function credit_note_to_analytics();
create trigger credit_note_parts_analytics after insert on credit_note_parts for each row execute function credit_note_to_analytics();

create function credit_to_analytics() returns trigger language plpgsql as $$
begin
  perform mark_days_of_invoice(new.business_id, x.invoice_id) from (
    select n.invoice_id from credit_notes n where n.business_id = new.business_id and n.payment_id = new.id
    union select c.invoice_id from credit_notes n join credit_note_parts c on c.business_id = n.business_id and c.credit_note_id = n.id
      where n.business_id = new.business_id and n.payment_id = new.id) x where x.invoice_id is not null;
  return null;
end $$;
create trigger payments_credit_analytics after update of status on payments for each row
  when (new.method = 'credit' and old.status is distinct from new.status) execute function credit_to_analytics();

-- behind the wall of the tenants there are no rows to mark: the days of what was credited, and of what such credit paid, are counted anew
alter table credit_notes no force row level security;
alter table credit_note_parts no force row level security;
alter table payment_allocations no force row level security;
alter table visits no force row level security;
alter table billing_plans no force row level security;
alter table billing_plan_months no force row level security;
alter table billing_plan_deliveries no force row level security;
alter table analytics_marks no force row level security;

select mark_days_of_invoice(x.business_id, x.invoice_id) from (
  select business_id, invoice_id from credit_notes where invoice_id is not null
  union select business_id, invoice_id from credit_note_parts
  union select a.business_id, a.invoice_id from credit_notes n
    join payment_allocations a on a.business_id = n.business_id and a.payment_id = n.payment_id) x;

alter table credit_notes force row level security;
alter table credit_note_parts force row level security;
alter table payment_allocations force row level security;
alter table visits force row level security;
alter table billing_plans force row level security;
alter table billing_plan_months force row level security;
alter table billing_plan_deliveries force row level security;
alter table analytics_marks force row level security;
