-- What a card provider pays out to a business's bank, what each payout is made of, and what the provider keeps.

create table payouts (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  provider text not null,
  livemode boolean not null,
  account_id text not null,
  provider_payout_id text not null,
  status text not null check (status in ('on_its_way', 'paid', 'failed', 'canceled')),
  amount_cents bigint not null,
  made_on date not null,
  arrives_on date not null,
  failure text,
  lines_told text not null default 'coming' check (lines_told in ('coming', 'all', 'never')),
  line_count integer not null default 0,
  lines_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  booked_on date,
  failed_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, provider_payout_id)
);
create index payouts_arrives on payouts (business_id, arrives_on, id);
create index payouts_open on payouts (business_id, arrives_on) where status = 'on_its_way';
create index payouts_booked on payouts (business_id, booked_on) where booked_on is not null;
create index payouts_failed on payouts (business_id, failed_on) where failed_on is not null;
select guard_tenant_table('payouts', 'select, insert, update');
comment on column payouts.lines_told is 'Whether the provider has told all that it is made of; never where somebody asked for it by hand at the provider.';
comment on column payouts.lines_cents is 'What its lines come to after fees. Should be its amount; what it is not is named.';
comment on column payouts.fee_cents is 'What the provider kept: the fees of its lines and those that are lines of their own.';
comment on column payouts.booked_on is 'The day of the books on which it reached the bank: when it arrived, or later where that month was closed.';

create table payout_lines (
  business_id uuid not null,
  payout_id uuid not null,
  line_id text not null,
  kind text not null check (kind in ('payment', 'refund', 'dispute', 'fee', 'returned', 'other')),
  amount_cents bigint not null,
  fee_cents bigint not null,
  source_id text,
  made_at timestamptz not null,
  words text not null default '' check (length(words) <= 300),
  primary key (business_id, payout_id, line_id),
  foreign key (business_id, payout_id) references payouts on delete cascade
);
create index payout_lines_order on payout_lines (business_id, payout_id, made_at, line_id);
create index payout_lines_source on payout_lines (business_id, source_id) where source_id is not null;
select guard_tenant_table('payout_lines', 'select, insert');
comment on column payout_lines.source_id is 'The provider''s id of the payment, refund or dispute: looked up when it is read, so that a payout may be known before its payments.';
comment on column payout_lines.kind is 'returned: an earlier payout that a bank sent back.';

-- What a provider keeps is an expense of its own, with its payout; nobody changes it by hand.
alter table expenses drop constraint expenses_source_check;
alter table expenses add constraint expenses_source_check check (source in ('office', 'crew', 'mail', 'recurring', 'payout'));
alter table expenses drop constraint expenses_method_check;
alter table expenses add constraint expenses_method_check
  check (method in ('card', 'cash', 'check', 'bank', 'account', 'personal', 'payout'));

create or replace function add_expense_categories(business uuid) returns void language sql as $$
  insert into expense_categories (business_id, id, code, name, position)
  select business, gen_random_uuid(), code, name, position from (values
    ('fuel', 'Fuel', 1), ('disposal', 'Dump and disposal fees', 2), ('materials', 'Materials and supplies', 3),
    ('fertilizer', 'Fertilizer and chemicals', 4), ('equipment', 'Equipment', 5), ('repairs', 'Repairs and maintenance', 6),
    ('truck', 'Truck payments and leases', 7), ('insurance', 'Insurance', 8), ('licenses', 'Licenses and permits', 9),
    ('subcontractors', 'Subcontractors', 10), ('rental', 'Equipment rental', 11), ('rent', 'Rent and utilities', 12),
    ('office', 'Office and software', 13), ('advertising', 'Advertising', 14), ('meals', 'Meals', 15), ('other', 'Other', 16),
    ('processing', 'Processing fees', 17)
  ) standard (code, name, position) $$;

alter table expense_categories no force row level security;
insert into expense_categories (business_id, id, code, name, position)
  select b.business_id, gen_random_uuid(), 'processing',
    case when exists (select from expense_categories c where c.business_id = b.business_id and lower(c.name) = 'processing fees' and c.archived_at is null)
      then 'Card processing fees' else 'Processing fees' end,
    coalesce((select max(position) from expense_categories c where c.business_id = b.business_id), 0) + 1
  from (select distinct business_id from expense_categories) b
  on conflict do nothing;
alter table expense_categories force row level security;

alter table local_billing_objects drop constraint local_billing_objects_kind_check;
alter table local_billing_objects add constraint local_billing_objects_kind_check
  check (kind in ('customer', 'checkout', 'portal', 'account', 'account_link', 'method', 'charge', 'dispute', 'payout', 'move'));
create index local_billing_objects_waiting on local_billing_objects ((payload ->> 'account'), created_at)
  where kind = 'move' and payload ->> 'payout' is null;
create index local_billing_objects_moves on local_billing_objects ((payload ->> 'payout'), created_at, id) where kind = 'move';
