-- Customers pay a part of an invoice on its page, where their business wants it.

alter table businesses add column part_payments boolean not null default false;
comment on column businesses.part_payments is 'Whether customers may pay a part of an invoice on its page.';

alter table checkout_sessions
  add column is_part boolean not null default false,
  add constraint checkout_sessions_part check (not is_part or (kind = 'page' and lead_id is null and tip_cents = 0 and discount_cents = 0 and mandate is null));
comment on column checkout_sessions.is_part is 'Its payer chose to pay a part of what is open: it stays what it is when more is open, and ends when less is.';
