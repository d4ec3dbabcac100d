-- A try of autopay names the card that it asks: what became of it can be looked up whatever became of the plan.
alter table checkout_sessions add column method_id uuid;
alter table checkout_sessions add foreign key (business_id, method_id) references payment_methods on delete restrict;
create index checkout_sessions_method on checkout_sessions (business_id, method_id) where method_id is not null;
alter table checkout_sessions no force row level security;
alter table autopay_charges no force row level security;
update checkout_sessions s set method_id = c.method_id from autopay_charges c
  where c.business_id = s.business_id and c.invoice_id = s.invoice_id and s.kind = 'autopay';
alter table checkout_sessions force row level security;
alter table autopay_charges force row level security;

-- How long before a charge its holder is told, as it stood in what they agreed to.
alter table payment_methods add column notice_days integer not null default 3 check (notice_days between 1 and 14);
alter table payment_methods no force row level security;
update payment_methods set notice_days = coalesce((substring(mandate_text from 'at least ([0-9]+) days? before'))::integer, 3);
alter table payment_methods force row level security;
-- A customer who turned autopay off by themselves: the office cannot turn it on again.
alter table payment_methods add column stopped_by_holder_at timestamptz;
