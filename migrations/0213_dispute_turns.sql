-- A bank may decide once more: money that it gave back is taken again, and what it took and lost comes back. Each such turn is a movement of its own day.
create table dispute_turns (
  business_id uuid not null,
  id uuid not null,
  dispute_id uuid not null,
  kind text not null check (kind in ('taken', 'returned')),
  amount_cents bigint not null check (amount_cents >= 0),
  uncovered_cents bigint not null default 0 check (uncovered_cents >= 0),
  on_day date not null,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, dispute_id) references disputes on delete restrict
);
create index dispute_turns_dispute on dispute_turns (business_id, dispute_id, created_at);
create index dispute_turns_day on dispute_turns (business_id, on_day);
select guard_tenant_table('dispute_turns', 'select, insert');
comment on table dispute_turns is 'What a bank moved after it had given the money of a dispute back: the first taking and giving back stand on the dispute.';
comment on column dispute_turns.amount_cents is 'What of it counts as gone back on the payment; uncovered_cents had gone back before and is a loss.';

alter table disputes add looked_at timestamptz;
comment on column disputes.looked_at is 'When the look at the provider began that was booked last: one that began earlier is not booked over it.';
comment on column disputes.money is 'Where the money is now: the bank took it, or gave it back. What it took counts as gone back on the payment (payments.refunded_cents).';
