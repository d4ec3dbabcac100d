-- A discount for paying without a card: a credit note that comes with the payment, and goes in proportion with what of it goes back.

alter table businesses add column cash_discount_bps int not null default 0 check (cash_discount_bps between 0 and 1000);
comment on column businesses.cash_discount_bps is 'What is taken off an invoice that is paid in full by bank, check or cash, in hundredths of a percent; 0 is off.';

alter table checkout_sessions add column discount_cents bigint not null default 0 check (discount_cents >= 0);
alter table checkout_sessions add constraint checkout_sessions_discount check (discount_cents = 0 or (kind = 'page' and mandate is null));
comment on column checkout_sessions.discount_cents is 'What is credited beside this attempt when it pays its invoice in full: its page takes no card.';

create table payment_discounts (
  business_id uuid not null,
  payment_id uuid not null,
  invoice_id uuid not null,
  paid_cents bigint not null check (paid_cents > 0),
  discount_cents bigint not null check (discount_cents > 0),
  lost_cents bigint not null default 0 check (lost_cents between 0 and paid_cents),
  credit_id uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, payment_id, invoice_id),
  foreign key (business_id, payment_id) references payments on delete restrict,
  foreign key (business_id, invoice_id) references invoices on delete restrict,
  foreign key (business_id, credit_id) references payments on delete restrict
);
create index payment_discounts_invoice on payment_discounts (business_id, invoice_id);
create index payment_discounts_credit on payment_discounts (business_id, credit_id) where credit_id is not null;
select guard_tenant_table('payment_discounts', 'select, insert, update');
comment on table payment_discounts is 'The discount that came with a payment without a card, and the credit that carries what of it stands.';
comment on column payment_discounts.lost_cents is 'What of the payment is on the invoice no more, so that it is owed again; the discount goes in that proportion.';
comment on column payment_discounts.credit_id is 'The credit of the note that stands now; null where none does.';
