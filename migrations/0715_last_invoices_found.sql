-- no-transaction
-- The last invoices that settlements made before: the one that stands on the plan, those of which the office was told that they were voided, and those
-- that were voided in the moment in which the settlement was taken back.
-- behind the wall of the tenants there are no rows to find; it is lifted under a lock, so for a moment and not while the rows are read
alter table billing_plans no force row level security;
alter table invoices no force row level security;
alter table notifications no force row level security;
alter table audit_log no force row level security;
alter table billing_plan_last_invoices no force row level security;

insert into billing_plan_last_invoices (business_id, invoice_id, plan_id)
  select business_id, settle_invoice_id, id from billing_plans where settle_invoice_id is not null
on conflict do nothing;

insert into billing_plan_last_invoices (business_id, invoice_id, plan_id)
  select n.business_id, i.id, p.id from notifications n
  join invoices i on i.business_id = n.business_id and n.dedupe_key = 'billing-plan-unsettled:' || i.id
  join billing_plans p on p.business_id = n.business_id and p.customer_id = i.customer_id and n.path like '%' || p.id || '%'
  where n.dedupe_key like 'billing-plan-unsettled:%'
on conflict do nothing;

insert into billing_plan_last_invoices (business_id, invoice_id, plan_id)
  select a.business_id, i.id, p.id from audit_log a
  join audit_log v on v.business_id = a.business_id and v.entity_type = 'invoice' and v.action = 'invoice.void' and v.request_id = a.request_id
  join invoices i on i.business_id = v.business_id and i.id = v.entity_id and i.status = 'void'
  join billing_plans p on p.business_id = i.business_id and p.customer_id = i.customer_id and p.name = a.after ->> 'plan'
  where a.action = 'billingPlan.undoSettlement'
on conflict do nothing;

alter table billing_plans force row level security;
alter table invoices force row level security;
alter table notifications force row level security;
alter table audit_log force row level security;
alter table billing_plan_last_invoices force row level security;
