-- Who pays no sales tax shows a certificate: with its number, its state and the days that it holds.

create table tax_exemptions (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  customer_id uuid not null,
  certificate text not null,
  state text,
  valid_from date not null,
  valid_until date,
  file_id uuid,
  removed_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  check (valid_until >= valid_from),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, file_id) references files on delete set null (file_id)
);
create index tax_exemptions_customer on tax_exemptions (business_id, customer_id);
create index tax_exemptions_file on tax_exemptions (business_id, file_id);
create index tax_exemptions_ending on tax_exemptions (business_id, valid_until) where removed_at is null;
select guard_tenant_table('tax_exemptions');
comment on column tax_exemptions.state is 'Only work done there is exempt; null is work anywhere.';
comment on column tax_exemptions.valid_until is 'The last day on which it holds; null is without an end.';
