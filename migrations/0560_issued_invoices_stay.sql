-- What stands on an invoice that was issued never changes, whoever writes: another sum is a credit note, or a new invoice. Free stays what becomes of
-- it: money, status, reminders, who sees it, and whose it is where two records of a customer become one.
alter table invoices add column sender jsonb;
comment on column invoices.sender is 'Who wrote it, as it stood when it was issued: name, address and terms on its paper. Null on a draft, and on what was issued before this was kept.';

-- Only the application is held: a closed business is deleted whole by its own function, and rows go with the record they belong to. Past days are
-- written where a demonstration or a test says so in its own transaction.
create function guard_issued_invoice() returns trigger language plpgsql as $$
begin
  if current_user <> 'swath_app' then return case tg_op when 'DELETE' then old else new end; end if;
  if tg_op = 'DELETE' or new.status = 'draft'
    or (old.number, old.terms_days, old.message, old.bill_to, old.sender, old.opening_from, old.subtotal_cents, old.discount_cents, old.tax_cents, old.total_cents)
      is distinct from (new.number, new.terms_days, new.message, new.bill_to, new.sender, new.opening_from, new.subtotal_cents, new.discount_cents, new.tax_cents, new.total_cents)
    or ((old.issue_on, old.due_on) is distinct from (new.issue_on, new.due_on) and current_setting('swath.past_days', true) is distinct from 'on')
  then raise exception 'issued_invoice_stays: invoice % was issued', old.number using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger invoices_issued_stay before update on invoices for each row
  when (old.status <> 'draft' and (new.status = 'draft' or
    (old.number, old.terms_days, old.message, old.bill_to, old.sender, old.opening_from, old.subtotal_cents, old.discount_cents, old.tax_cents, old.total_cents, old.issue_on, old.due_on)
      is distinct from (new.number, new.terms_days, new.message, new.bill_to, new.sender, new.opening_from, new.subtotal_cents, new.discount_cents, new.tax_cents, new.total_cents, new.issue_on, new.due_on)))
  execute function guard_issued_invoice();
create trigger invoices_issued_stay_here before delete on invoices for each row when (old.status <> 'draft') execute function guard_issued_invoice();

-- Its lines and taxes. The link to a line of a visit is let go when an invoice is voided, and places and services of it may be merged.
create function guard_issued_rows() returns trigger language plpgsql as $$
declare
  n integer;
begin
  if current_user = 'swath_app' then
    select i.number into n from touched t join invoices i on i.business_id = t.business_id and i.id = t.invoice_id where i.status <> 'draft' limit 1;
    if found then raise exception 'issued_invoice_stays: invoice % was issued', n using errcode = 'integrity_constraint_violation'; end if;
  end if;
  return null;
end $$;
create function guard_issued_line() returns trigger language plpgsql as $$
begin
  if current_user = 'swath_app' and exists (select from invoices i where i.business_id = old.business_id and i.id = old.invoice_id and i.status <> 'draft')
  then raise exception 'issued_invoice_stays: a line of an issued invoice' using errcode = 'integrity_constraint_violation'; end if;
  return new;
end $$;
create trigger invoice_lines_issued_added after insert on invoice_lines referencing new table as touched for each statement execute function guard_issued_rows();
create trigger invoice_lines_issued_gone after delete on invoice_lines referencing old table as touched for each statement execute function guard_issued_rows();
create trigger invoice_lines_issued_stay before update on invoice_lines for each row
  when ((old.invoice_id, old.service_on, old.description, old.quantity, old.unit_price_cents, old.discount_cents, old.total_cents, old.net_cents, old.tax_category, old.tax_state, old.tax_treatment, old.position)
    is distinct from (new.invoice_id, new.service_on, new.description, new.quantity, new.unit_price_cents, new.discount_cents, new.total_cents, new.net_cents, new.tax_category, new.tax_state, new.tax_treatment, new.position))
  execute function guard_issued_line();
create trigger invoice_taxes_issued_added after insert on invoice_taxes referencing new table as touched for each statement execute function guard_issued_rows();
create trigger invoice_taxes_issued_gone after delete on invoice_taxes referencing old table as touched for each statement execute function guard_issued_rows();
create trigger invoice_taxes_issued_stay before update on invoice_taxes for each row execute function guard_issued_line();
