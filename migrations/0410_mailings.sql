-- One message to several customers at once, without a campaign.

create table mailings (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  way text not null check (way in ('best', 'sms', 'email')),
  about text not null check (about in ('service', 'offer')),
  subject text not null check (length(subject) <= 200),
  text_en text not null check (length(text_en) between 1 and 1000),
  text_es text not null check (length(text_es) <= 1000),
  waiting uuid[] not null,
  chosen integer not null,
  unreached integer not null default 0,
  leaves_at timestamptz not null,
  stopped_at timestamptz,
  by_user_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, by_user_id) references users on delete set null (by_user_id)
);
create index mailings_by on mailings (business_id, by_user_id) where by_user_id is not null;
select guard_tenant_table('mailings');
comment on column mailings.waiting is 'Customers for whom nothing stands in the outbox yet, in the order in which they come.';
comment on column mailings.unreached is 'Customers whom nothing was sent to, because nothing may or can reach them.';
