-- The last invoice of a settlement may be voided: what it billed is to be settled anew, and is found by this day.
alter table billing_plans add unsettled_on date;
comment on column billing_plans.unsettled_on is 'The day on which the last invoice of its settlement was voided; null once it is settled anew or taken back.';
create index billing_plans_unsettled on billing_plans (business_id, ends_on) where unsettled_on is not null;
alter table billing_plans no force row level security;
alter table invoices no force row level security;
update billing_plans p set unsettled_on = i.updated_at::date from invoices i
  where i.business_id = p.business_id and i.id = p.settle_invoice_id and p.status = 'settled' and i.status = 'void';
alter table billing_plans force row level security;
alter table invoices force row level security;
