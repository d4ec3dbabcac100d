-- Only money that was handed over may have a tip of which neither an invoice nor a visit says whose it is.

alter table payments drop constraint payments_tip;
alter table payments add constraint payments_tip check (tip_cents between 0 and allocated_cents
  and (tip_cents = 0 or tip_invoice_id is not null or tip_visit_id is not null or method in ('cash', 'check')));
drop index quotes_noted;
create index quotes_noted on quotes (business_id, number desc) where is_crew_draft and status = 'draft' and revision = 1;
