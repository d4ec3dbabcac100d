-- Credit of a billing plan's invoice never lowered what its visits had captured: the days of such plans are counted anew. Behind the wall of the
-- tenants there are no rows to mark.
alter table credit_notes no force row level security;
alter table credit_note_parts no force row level security;
alter table payment_allocations no force row level security;
alter table payments no force row level security;
alter table visits no force row level security;
alter table billing_plans no force row level security;
alter table billing_plan_months no force row level security;
alter table billing_plan_deliveries no force row level security;
alter table analytics_marks no force row level security;

select mark_days_of_invoice(x.business_id, x.invoice_id) from (
  select business_id, invoice_id from credit_notes where invoice_id is not null
  union select business_id, invoice_id from credit_note_parts
  union select a.business_id, a.invoice_id from payment_allocations a
    join payments y on y.business_id = a.business_id and y.id = a.payment_id and y.method = 'credit') x
where exists (select from billing_plan_months m where m.business_id = x.business_id and m.invoice_id = x.invoice_id)
  or exists (select from billing_plans b where b.business_id = x.business_id and b.settle_invoice_id = x.invoice_id);

alter table credit_notes force row level security;
alter table credit_note_parts force row level security;
alter table payment_allocations force row level security;
alter table payments force row level security;
alter table visits force row level security;
alter table billing_plans force row level security;
alter table billing_plan_months force row level security;
alter table billing_plan_deliveries force row level security;
alter table analytics_marks force row level security;
