-- What a customer gets for a neighbor who came with their code, once, when the neighbor's first invoice is paid.

alter table lead_settings
  add column referral_on boolean not null default false,
  add column referral_giver_cents integer not null default 2500 check (referral_giver_cents between 0 and 100000),
  add column referral_friend_cents integer not null default 0 check (referral_friend_cents between 0 and 100000);

create table referral_rewards (
  business_id uuid not null references businesses on delete cascade,
  friend_id uuid not null,
  giver_id uuid not null,
  invoice_id uuid,
  giver_cents integer not null check (giver_cents >= 0),
  friend_cents integer not null check (friend_cents >= 0),
  created_at timestamptz not null,
  primary key (business_id, friend_id),
  foreign key (business_id, friend_id) references customers on delete cascade,
  foreign key (business_id, giver_id) references customers on delete cascade,
  foreign key (business_id, invoice_id) references invoices on delete set null (invoice_id),
  check (friend_id <> giver_id)
);
create index referral_rewards_giver on referral_rewards (business_id, giver_id);
create index referral_rewards_invoice on referral_rewards (business_id, invoice_id) where invoice_id is not null;
select guard_tenant_table('referral_rewards', 'select, insert, update, delete');
comment on table referral_rewards is 'One row for a new customer who was sent by another: their reward was given, as credit in the ledger.';
