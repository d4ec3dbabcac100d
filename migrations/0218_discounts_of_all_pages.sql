-- The discount for paying without a card is given on pages of several invoices, with a tip, with an account that is kept, and by autopay; and what
-- was given as one is known as that in the books.

alter table checkout_sessions drop constraint checkout_sessions_discount;
comment on column checkout_sessions.discount_cents is 'What is credited beside this attempt when it pays its invoice in full: its page takes no card, or it debits a bank account that is kept.';

alter table credit_notes add column is_discount boolean not null default false;
comment on column credit_notes.is_discount is 'It is the discount for paying without a card, not a mistake made good.';
-- The wall stands for whoever brings the tables up to date, too.
alter table credit_notes no force row level security;
alter table payment_discounts no force row level security;
update credit_notes n set is_discount = true
  where exists (select from payment_discounts d where d.business_id = n.business_id and d.credit_id = n.payment_id)
    or (n.reason in ('Discount for paying without a card', 'Descuento por pagar sin tarjeta')
      and exists (select from payment_discounts d where d.business_id = n.business_id and d.invoice_id = n.invoice_id));
alter table credit_notes force row level security;
alter table payment_discounts force row level security;
