-- Conditions under a name: whom a campaign is for. Who fits them is looked at each time.
create table segments (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 60),
  conditions jsonb not null check (jsonb_typeof(conditions) = 'array'),
  version integer not null default 1,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id)
);
create unique index segments_name on segments (business_id, lower(name)) where archived_at is null;
select guard_tenant_table('segments');
comment on column segments.conditions is 'A customer fits who fits all of them; an empty list means everybody who is not archived.';

-- Offers to a segment, by mail or text, sent at a rate to an audience that stands still once it has begun.
create table campaigns (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  channel text not null check (channel in ('email', 'sms')),
  status text not null default 'draft' check (status in ('draft', 'scheduled', 'running', 'paused', 'finished', 'canceled')),
  conditions jsonb not null default '[]' check (jsonb_typeof(conditions) = 'array'),
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  test_percent integer check (test_percent between 10 and 50),
  test_hours integer check (test_hours between 1 and 72),
  test_by text check (test_by in ('opens', 'clicks')),
  holdout_percent integer not null default 0 check (holdout_percent between 0 and 20),
  per_hour integer not null check (per_hour between 10 and 5000),
  leave_out_recent boolean not null default false,
  starts_at timestamptz,
  started_at timestamptz,
  sorted_at timestamptz,
  step_at timestamptz,
  decide_at timestamptz,
  decided_at timestamptz,
  winner text check (winner in ('a', 'b')),
  paused_at timestamptz,
  pause_reason text,
  ended_at timestamptz,
  chosen integer not null default 0,
  held_out integer not null default 0,
  left_out integer not null default 0,
  queued integer not null default 0,
  looked_at timestamptz,
  resumed_at timestamptz,
  by_user_id uuid,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id),
  check (num_nonnulls(test_percent, test_hours, test_by) in (0, 3)),
  check (status <> 'scheduled' or starts_at is not null),
  check (status in ('draft', 'scheduled', 'canceled') or started_at is not null),
  foreign key (business_id, by_user_id) references users on delete set null (by_user_id)
);
create index campaigns_by on campaigns (business_id, by_user_id) where by_user_id is not null;
create index campaigns_at_work on campaigns (business_id, status) where status in ('scheduled', 'running');
select guard_tenant_table('campaigns');
comment on column campaigns.content is 'Subjects, blocks and texts in English and Spanish, as features/campaigns/content/contract.ts reads them.';
comment on column campaigns.sorted_at is 'Since then it is known of everybody in the audience whether they can be reached, who is held out, and in which order they come.';
comment on column campaigns.step_at is 'Before that instant nothing more is put into the outbox: this is what keeps the rate, however many workers there are.';
comment on column campaigns.resumed_at is 'Bounces and complaints count of what was queued since: whoever goes on after a stop has seen those before it.';

-- The frozen audience: a row a customer, so that nobody is in it twice.
create table campaign_recipients (
  business_id uuid not null,
  campaign_id uuid not null,
  customer_id uuid not null,
  state text not null default 'chosen' check (state in ('chosen', 'waiting', 'held_out', 'queued', 'left_out')),
  rank bigint not null,
  place integer,
  variant text check (variant in ('a', 'b')),
  address text,
  reason text,
  not_before timestamptz,
  tries integer not null default 0,
  message_id uuid,
  queued_at timestamptz,
  opened_at timestamptz,
  clicked_at timestamptz,
  complained_at timestamptz,
  unsubscribed_at timestamptz,
  primary key (business_id, campaign_id, customer_id),
  foreign key (business_id, campaign_id) references campaigns on delete cascade,
  foreign key (business_id, customer_id) references customers on delete cascade
);
create index campaign_recipients_customer on campaign_recipients (business_id, customer_id, queued_at);
create index campaign_recipients_order on campaign_recipients (business_id, campaign_id, rank, customer_id);
create index campaign_recipients_waiting on campaign_recipients (business_id, campaign_id, place) where state = 'waiting';
create index campaign_recipients_chosen on campaign_recipients (business_id, campaign_id, customer_id) where state = 'chosen';
create unique index campaign_recipients_address on campaign_recipients (business_id, campaign_id, address) where state = 'queued';
create index campaign_recipients_message on campaign_recipients (business_id, message_id) where message_id is not null;
select guard_tenant_table('campaign_recipients');
comment on column campaign_recipients.rank is 'Comes from the ids of campaign and customer alone: the same people are held out and tested, whenever it is counted.';
comment on column campaign_recipients.place is 'Place in the order of those who could be reached when it was sorted. Who has none counts in neither group of what it brought.';
comment on column campaign_recipients.tries is 'How often a message was put into the outbox. It rises only where the one before was taken back before it left.';

-- Each fetch of a mail's picture and each click, with what it was judged to be (decision 022).
create table campaign_events (
  business_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  customer_id uuid not null,
  kind text not null check (kind in ('open', 'click')),
  link integer,
  is_machine boolean not null,
  at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, campaign_id, customer_id) references campaign_recipients on update cascade on delete cascade
);
create index campaign_events_recipient on campaign_events (business_id, campaign_id, customer_id, at);
select guard_tenant_table('campaign_events');
