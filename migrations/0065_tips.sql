-- What a customer gives the crew beside what they owe: money that came in, owed to the people who did the work and no part of any invoice.

alter table businesses add column tips jsonb not null default '{}';
comment on column businesses.tips is 'Whether customers can add a tip when they pay, and what is suggested; empty is off.';

alter table checkout_sessions add column tip_cents bigint not null default 0 check (tip_cents >= 0);
alter table checkout_sessions add constraint checkout_sessions_tip check (tip_cents = 0 or (kind = 'page' and lead_id is null));
comment on column checkout_sessions.tip_cents is 'What the payer adds for the crew, on the first attempt of a page. A card that is charged by itself never adds one.';

alter table payments add column tip_cents bigint not null default 0;
alter table payments add column tip_invoice_id uuid;
alter table payments add foreign key (business_id, tip_invoice_id) references invoices on delete restrict;
alter table payments add constraint payments_tip check (tip_cents between 0 and allocated_cents and (tip_cents = 0 or tip_invoice_id is not null));
create index payments_tip_invoice on payments (business_id, tip_invoice_id) where tip_invoice_id is not null;
comment on column payments.tip_cents is 'What of it is a tip now; counts as used (allocated_cents), so that it is nobody''s credit.';
comment on column payments.tip_invoice_id is 'The invoice on whose page the tip was given: its visits say whose it is.';
comment on column payments.allocated_cents is 'What of it lies on invoices or is a tip; with what went back never more than came in. The rest is the customer''s credit.';

create table tip_moves (
  business_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  amount_cents bigint not null check (amount_cents <> 0),
  on_day date not null,
  refund_id uuid,
  dispute_id uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, payment_id) references payments on delete restrict,
  foreign key (business_id, refund_id) references refunds on delete restrict,
  foreign key (business_id, dispute_id) references disputes on delete restrict
);
create index tip_moves_payment on tip_moves (business_id, payment_id);
create index tip_moves_day on tip_moves (business_id, on_day, id);
create index tip_moves_refund on tip_moves (business_id, refund_id) where refund_id is not null;
create index tip_moves_dispute on tip_moves (business_id, dispute_id) where dispute_id is not null;
select guard_tenant_table('tip_moves', 'select, insert');
comment on table tip_moves is 'Tips as they came (positive) and went back (negative), each with an entry of the ledger. Only ever added to.';

create table tip_shares (
  business_id uuid not null,
  payment_id uuid not null,
  user_id uuid not null,
  cents bigint not null check (cents >= 0),
  primary key (business_id, payment_id, user_id),
  foreign key (business_id, payment_id) references payments on delete cascade,
  foreign key (business_id, user_id) references users on delete cascade
);
create index tip_shares_user on tip_shares (business_id, user_id);
select guard_tenant_table('tip_shares');
comment on table tip_shares is 'Whose a payment''s tip is, for payroll; together all of it as it was given. None: somebody still has to say whose.';

alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check
  check (kind in ('invoice', 'payment', 'credit', 'refund', 'void', 'write_off', 'adjustment', 'dispute', 'tip'));
