-- Mail and texts of businesses.

create table messages (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  direction text not null default 'outbound' check (direction in ('inbound', 'outbound')),
  purpose text not null default 'transactional' check (purpose in ('transactional', 'marketing', 'account', 'reply')),
  customer_id uuid,
  user_id uuid,
  address text not null,
  from_name text not null default '',
  subject text not null default '',
  body_text text not null,
  body_html text,
  attachments jsonb not null default '[]',
  entity_type text, entity_id uuid,
  dedupe_key text not null,
  status text not null default 'pending' check (status in ('pending', 'held', 'sending', 'sent', 'delivered', 'failed', 'suppressed', 'unknown', 'received')),
  reason text,
  segments integer not null default 1,
  provider text,
  provider_id text,
  attempts integer not null default 0,
  run_after timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  opened_at timestamptz,
  livemode boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, dedupe_key),
  foreign key (business_id, customer_id) references customers on delete set null (customer_id),
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index messages_created on messages (business_id, created_at desc);
create index messages_texts on messages (business_id, created_at) where channel = 'sms';
create index messages_customer on messages (business_id, customer_id, created_at);
create index messages_entity on messages (business_id, entity_type, entity_id);
create index messages_status on messages (business_id, status, run_after);
create index messages_user on messages (business_id, user_id);
create index messages_unread on messages (business_id, id) where direction = 'inbound' and opened_at is null;
create index messages_talk on messages (business_id, customer_id, id);
create index messages_unknown on messages (business_id, address, id) where customer_id is null and channel = 'sms' and user_id is null;
select guard_tenant_table('messages');
comment on table messages is 'The outbox and inbox of mail and SMS. dedupe_key makes each effect happen once.';

create table consent_events (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  address text not null,
  purpose text not null check (purpose in ('transactional', 'marketing')),
  action text not null check (action in ('grant', 'revoke')),
  source text not null,
  wording text not null default '',
  actor_id uuid,
  at timestamptz not null default now(),
  primary key (business_id, id)
);
create index consent_events_address on consent_events (business_id, channel, address, at desc);
select guard_tenant_table('consent_events', 'select, insert');

create table suppressions (
  business_id uuid not null references businesses on delete cascade,
  channel text not null check (channel in ('email', 'sms')),
  address text not null,
  purpose text not null default 'all' check (purpose in ('all', 'marketing')),
  reason text not null,
  at timestamptz not null default now(),
  primary key (business_id, channel, address, purpose)
);
select guard_tenant_table('suppressions');

-- Which business, or the product owner (null), wrote to a number last through the shared SMS provider: whom an answer is for.
create table sms_routes (
  phone text primary key,
  business_id uuid references businesses on delete cascade,
  at timestamptz not null
);
grant select, insert, update on sms_routes to swath_app;
