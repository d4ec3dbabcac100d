-- The customer portal: what a business allows there, links that sign in once, sessions, and what customers ask for.

create table portal_settings (
  business_id uuid not null references businesses on delete cascade,
  enabled boolean not null default true,
  skip_allowed boolean not null default true,
  skip_hours integer not null default 48 check (skip_hours between 0 and 336),
  skip_reason text not null default 'customer_asked' check (length(skip_reason) between 1 and 60),
  pause_allowed boolean not null default true,
  pause_days integer not null default 90 check (pause_days between 7 and 365),
  requests_allowed boolean not null default true,
  service_ids uuid[] not null default '{}',
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (business_id)
);
select guard_tenant_table('portal_settings');
comment on table portal_settings is 'The rules of the portal of a business; without a row the defaults hold.';
comment on column portal_settings.skip_hours is 'Until so many hours before a visit its customer may skip it.';
comment on column portal_settings.skip_reason is 'The skip reason that a skip in the portal is given; its charge holds.';
comment on column portal_settings.service_ids is 'Services that customers may ask for; of those that are gone nothing is shown.';

create table portal_links (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  address text not null,
  sent_by uuid,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, sent_by) references users on delete set null (sent_by)
);
create index portal_links_address on portal_links (business_id, address, created_at desc);
create index portal_links_sent_by on portal_links (business_id, sent_by) where sent_by is not null;
select guard_tenant_table('portal_links');
comment on table portal_links is 'A link to sign in to the portal: it proves an address, once.';

create table portal_sessions (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  address text not null,
  customer_id uuid,
  contact_id uuid,
  secret_hash text not null,
  language text check (language in ('en', 'es')),
  readdressed boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, contact_id) references customer_contacts on delete cascade
);
create index portal_sessions_customer on portal_sessions (business_id, customer_id) where customer_id is not null;
create index portal_sessions_contact on portal_sessions (business_id, contact_id) where contact_id is not null;
create index portal_sessions_address on portal_sessions (business_id, address);
select guard_tenant_table('portal_sessions');
comment on table portal_sessions is 'A browser that is signed in to the portal for one customer, as the customer or as a contact of theirs.';
comment on column portal_sessions.customer_id is 'Null until somebody with several records has chosen.';
comment on column portal_sessions.readdressed is 'The person changed their own address in this session: it goes on although its address is no longer on file.';

create table portal_requests (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  customer_id uuid not null,
  contact_id uuid,
  property_id uuid,
  kind text not null check (kind in ('service', 'address', 'pause')),
  status text not null default 'open' check (status in ('open', 'done', 'declined', 'withdrawn')),
  service_id uuid,
  job_id uuid,
  until date,
  title text not null check (length(title) between 1 and 200),
  words text not null default '' check (length(words) <= 2000),
  fields jsonb not null default '{}',
  price_cents bigint,
  answer text not null default '' check (length(answer) <= 1000),
  answered_by uuid,
  answered_at timestamptz,
  once_key text not null,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, once_key),
  foreign key (business_id, customer_id) references customers on delete cascade,
  foreign key (business_id, contact_id) references customer_contacts on delete set null (contact_id),
  foreign key (business_id, property_id) references properties on delete set null (property_id),
  foreign key (business_id, service_id) references services on delete set null (service_id),
  foreign key (business_id, job_id) references jobs on delete cascade,
  foreign key (business_id, answered_by) references users on delete set null (answered_by)
);
create index portal_requests_customer on portal_requests (business_id, customer_id, id desc);
create index portal_requests_open on portal_requests (business_id, id) where status = 'open';
create index portal_requests_contact on portal_requests (business_id, contact_id) where contact_id is not null;
create index portal_requests_property on portal_requests (business_id, property_id) where property_id is not null;
create index portal_requests_service on portal_requests (business_id, service_id) where service_id is not null;
create index portal_requests_job on portal_requests (business_id, job_id, id desc) where job_id is not null;
create index portal_requests_answered_by on portal_requests (business_id, answered_by) where answered_by is not null;
select guard_tenant_table('portal_requests');
comment on table portal_requests is 'What customers ask for in the portal: a service, another address; a pause stands here as done at once.';
comment on column portal_requests.once_key is 'Of the form that it was sent with: a form that is sent twice asks once.';
comment on column portal_requests.price_cents is 'What the price book said for their lawn when they asked; null where it says nothing.';
