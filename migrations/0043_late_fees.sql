-- What an invoice costs that is paid late: an invoice of its own, so that what was issued never changes.

alter table businesses add column late_fees jsonb not null default '{}';
comment on column businesses.late_fees is 'What is charged for paying late; empty is nothing.';
alter table businesses add column late_fees_from date;
comment on column businesses.late_fees_from is 'Late fees are switched on since this day: only invoices issued from it on can have one.';

create table late_fees (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  invoice_id uuid not null,
  fee_invoice_id uuid not null,
  period integer not null check (period >= 0),
  amount_cents bigint not null check (amount_cents > 0),
  on_day date not null,
  waived_on date,
  waived_reason text,
  waived_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, invoice_id, period),
  unique (business_id, fee_invoice_id),
  check ((waived_on is null) = (waived_reason is null)),
  foreign key (business_id, invoice_id) references invoices on delete cascade,
  foreign key (business_id, fee_invoice_id) references invoices on delete cascade
);
select guard_tenant_table('late_fees');
comment on table late_fees is 'Which invoice is the late fee of which, once per invoice and period.';
comment on column late_fees.period is 'How many times 30 days it was late beyond the days of grace when the fee was charged.';
