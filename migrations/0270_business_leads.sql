-- The business's own funnel: homeowners who asked for a price, what became of them, and who sent them.

create table business_leads (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  email text,
  phone text,
  street text not null default '' check (length(street) <= 200),
  unit text not null default '' check (length(unit) <= 60),
  city text not null default '' check (length(city) <= 100),
  state text not null default '',
  zip text not null default '' check (length(zip) <= 12),
  address_key text generated always as (address_key(street, unit, city, zip)) stored,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  lawn_square_feet integer check (lawn_square_feet between 0 and 50000000),
  wants text not null default '' check (length(wants) <= 2000),
  source text not null check (source in ('call', 'text', 'email', 'website', 'profile', 'referral', 'neighbor', 'ad', 'other')),
  source_detail text not null default '' check (length(source_detail) <= 300),
  referred_by uuid,
  stage text not null default 'new' check (stage in ('new', 'contacted', 'quoted', 'won', 'lost')),
  stage_by text not null default 'facts' check (stage_by in ('facts', 'person')),
  stage_at timestamptz not null,
  lost_reason text check (lost_reason in ('price', 'competitor', 'no_answer', 'out_of_area', 'not_offered', 'timing', 'declined', 'spam', 'other')),
  lost_note text not null default '' check (length(lost_note) <= 300),
  assignee_id uuid,
  next_action text not null default '' check (length(next_action) <= 200),
  next_action_on date,
  replied_at timestamptz,
  customer_id uuid,
  property_id uuid,
  converted_at timestamptz,
  created_by uuid,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, referred_by) references customers on delete set null (referred_by),
  foreign key (business_id, assignee_id) references users on delete set null (assignee_id),
  foreign key (business_id, customer_id) references customers on delete set null (customer_id),
  foreign key (business_id, property_id) references properties on delete set null (property_id),
  foreign key (business_id, created_by) references users on delete set null (created_by),
  check ((stage = 'lost') = (lost_reason is not null))
);
create index business_leads_stage on business_leads (business_id, stage, stage_at desc, id desc);
create index business_leads_name on business_leads (business_id, lower(name), id);
create index business_leads_email on business_leads (business_id, email) where email is not null;
create index business_leads_phone on business_leads (business_id, phone) where phone is not null;
create index business_leads_address on business_leads (business_id, address_key);
create index business_leads_waiting on business_leads (business_id, id) where replied_at is null and stage = 'new';
create index business_leads_next on business_leads (business_id, next_action_on, id) where next_action_on is not null;
create index business_leads_customer on business_leads (business_id, customer_id) where customer_id is not null;
create index business_leads_property on business_leads (business_id, property_id) where property_id is not null;
create index business_leads_assignee on business_leads (business_id, assignee_id) where assignee_id is not null;
create index business_leads_referred_by on business_leads (business_id, referred_by) where referred_by is not null;
create index business_leads_created_by on business_leads (business_id, created_by) where created_by is not null;
select guard_tenant_table('business_leads');
comment on table business_leads is 'Homeowners in the funnel of a business; the row stays when they become customers. The product owner''s funnel is the schema prospects.';
comment on column business_leads.stage_by is 'Who set the stage: what happened, or a person, whom what happened before does not overrule.';
comment on column business_leads.replied_at is 'When somebody of the business first answered; until then the timer runs.';

create table business_lead_events (
  business_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  kind text not null check (kind in ('created', 'again', 'stage', 'note', 'call', 'assigned', 'next', 'changed', 'customer')),
  words text not null default '' check (length(words) <= 4000),
  data jsonb not null default '{}',
  user_id uuid,
  at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, lead_id) references business_leads on delete cascade,
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index business_lead_events_lead on business_lead_events (business_id, lead_id, id desc);
create index business_lead_events_user on business_lead_events (business_id, user_id) where user_id is not null;
select guard_tenant_table('business_lead_events', 'select, insert');
comment on table business_lead_events is 'What happened to a lead, in order; messages stand in their own table.';

create table referral_codes (
  business_id uuid not null references businesses on delete cascade,
  customer_id uuid not null,
  code text not null check (code ~ '^[A-Z0-9]{4,12}$'),
  created_at timestamptz not null,
  primary key (business_id, customer_id),
  unique (business_id, code),
  foreign key (business_id, customer_id) references customers on delete cascade
);
select guard_tenant_table('referral_codes');
comment on table referral_codes is 'What a customer gives to neighbors: who comes with it was sent by them.';

alter table saved_views drop constraint saved_views_hub_check;
alter table saved_views add constraint saved_views_hub_check check (hub in ('jobs', 'customers', 'leads'));
alter table view_defaults drop constraint view_defaults_hub_check;
alter table view_defaults add constraint view_defaults_hub_check check (hub in ('jobs', 'customers', 'leads'));
