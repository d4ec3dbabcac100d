-- The onboarding fee of a Sprint is paid at the provider's checkout. The prospect's link is made again from the link key, so no address is stored.
alter table prospects.sprints
  drop column fee_checkout_url,
  add column fee_checkout_id text unique,
  add column fee_checkout_try integer not null default 0,
  add column fee_payment_id text unique,
  add column fee_paid_at timestamptz,
  add column fee_link_sent_at timestamptz,
  add column fee_livemode boolean;
comment on column prospects.sprints.fee_checkout_id is 'The checkout that was opened last; the provider is asked what became of it.';
comment on column prospects.sprints.fee_checkout_try is 'Counts the checkouts that ended unused: part of the key that makes two presses open one page.';
