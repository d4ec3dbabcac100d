-- A settlement that is taken back or made anew lets go of its voided last invoice: that invoice stays the plan's, whatever the plan bills its work by next.
create table billing_plan_last_invoices (
  business_id uuid not null references businesses on delete cascade,
  invoice_id uuid not null,
  plan_id uuid not null,
  primary key (business_id, invoice_id),
  foreign key (business_id, plan_id) references billing_plans on delete cascade,
  foreign key (business_id, invoice_id) references invoices on delete cascade
);
create index billing_plan_last_invoices_plan on billing_plan_last_invoices (business_id, plan_id);
select guard_tenant_table('billing_plan_last_invoices');
comment on table billing_plan_last_invoices is 'Every invoice that a settlement of a plan made, also those that were voided and that another settlement replaced.';
