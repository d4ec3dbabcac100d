-- Money of a refund that did not go covers what a bank took a second time. That is a movement of its own day: what was booked before, in a month
-- that may be closed by now, stays as it was.

create table dispute_covers (
  business_id uuid not null,
  id uuid not null,
  dispute_id uuid not null,
  refund_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  on_day date not null,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, dispute_id, refund_id),
  foreign key (business_id, dispute_id) references disputes on delete restrict,
  foreign key (business_id, refund_id) references refunds on delete restrict
);
create index dispute_covers_day on dispute_covers (business_id, on_day);
create index dispute_covers_refund on dispute_covers (business_id, refund_id);
select guard_tenant_table('dispute_covers', 'select, insert');
