-- Who gives a refund back is decided once, when it is made: the card provider, or somebody of the business by hand. Books and screens read it here.

alter table refunds add column by_provider boolean not null default false;
alter table refunds no force row level security;
alter table payments no force row level security;
update refunds r set by_provider = true, method = case when p.method = 'credit' then r.method else p.method end
  from payments p where p.business_id = r.business_id and p.id = r.payment_id
    and r.method = 'card' and p.provider_payment_id is not null and p.provider <> 'quickbooks';
alter table refunds force row level security;
alter table payments force row level security;
comment on column refunds.by_provider is 'The provider that took the payment gives it back; else somebody of the business does, by `method`.';
create index refunds_pending on refunds (business_id, created_at) where status = 'pending';

-- At the local provider somebody may give money back in its own dashboard, too: without our mark.
alter table local_refunds alter column mark drop not null;
alter table local_refunds add column amount_cents bigint not null default 0;
