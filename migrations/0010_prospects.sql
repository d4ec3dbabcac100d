-- The product owner's funnel and desk.

-- One row: what the product owner decides about calls, admissions and mail.
create table prospects.settings (
  only_row boolean primary key default true check (only_row),
  time_zone text not null default 'America/New_York',
  call_hours jsonb not null default '{"1":[[540,720],[780,1020]],"2":[[540,720],[780,1020]],"3":[[540,720],[780,1020]],"4":[[540,720],[780,1020]],"5":[[540,720],[780,960]]}',
  call_notice_minutes integer not null default 240 check (call_notice_minutes between 0 and 20160),
  call_horizon_days integer not null default 21 check (call_horizon_days between 1 and 90),
  call_buffer_minutes integer not null default 10 check (call_buffer_minutes between 0 and 120),
  call_link text not null default '',
  holidays date[] not null default '{}',
  monthly_admissions integer not null default 10 check (monthly_admissions between 0 and 1000),
  from_name text not null default 'Swath',
  postal_address text not null default '',
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
comment on column prospects.settings.call_hours is 'Weekday (0 = Sunday) to spans of minutes after midnight in time_zone in which calls may stand.';
insert into prospects.settings default values;

create table prospects.leads (
  id uuid primary key,
  name text not null check (length(name) between 1 and 120),
  email text not null unique check (email = lower(email) and length(email) <= 254),
  phone text not null check (length(phone) <= 40),
  phone_e164 text,
  source text not null check (source in ('landing_page', 'quote_builder_direct', 'google_ads')),
  campaign text not null default '',
  status text not null default 'new' check (status in ('new', 'contacted', 'qualified', 'converted', 'closed')),
  status_changed_at timestamptz,
  utm_source text not null default '', utm_medium text not null default '', utm_campaign text not null default '',
  utm_content text not null default '', utm_term text not null default '',
  gclid text not null default '',
  user_agent text not null default '', platform text not null default '', language text not null default '',
  screen_resolution text not null default '', viewport text not null default '',
  landing_time timestamptz,
  referrer text not null default '', current_url text not null default '',
  is_mobile boolean not null default false,
  time_zone text,
  visit_id uuid,
  applied_at timestamptz,
  account_business_id uuid,
  account_at timestamptz,
  customer_at timestamptz,
  -- since when that business has paid: the status becomes converted at that moment, once
  paid_at timestamptz,
  last_message_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index leads_created on prospects.leads (created_at desc, id desc);
create index leads_status on prospects.leads (status, created_at desc, id desc);
create index leads_source on prospects.leads (source, created_at desc, id desc);
create index leads_campaign on prospects.leads (campaign, created_at desc, id desc) where campaign <> '';
create index leads_phone on prospects.leads (phone_e164) where phone_e164 is not null;
create index leads_account on prospects.leads (account_business_id) where account_business_id is not null;
-- Conversations stand in the order of their newest message.
create index leads_last_message on prospects.leads (last_message_at desc, id desc) where last_message_at is not null;
-- The figures of the desk are counted from these without reading whole rows.
create index leads_with_account on prospects.leads (id) where account_at is not null;
create index leads_customers on prospects.leads (id) where customer_at is not null;
comment on column prospects.leads.account_business_id is 'The business whose account has this e-mail, as told by events; the business itself cannot be read from here.';
comment on column prospects.leads.customer_at is 'Since when that business has had a trialing or paid subscription.';

-- SHA-256 of each unguessable token: links in mails are made again from the link key, tokens of a browser are random.
create table prospects.tokens (
  token_hash text primary key,
  kind text not null,
  lead_id uuid references prospects.leads on delete cascade,
  entity_id uuid not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index tokens_entity on prospects.tokens (kind, entity_id);
create index tokens_lead on prospects.tokens (lead_id);
create index tokens_over on prospects.tokens (coalesce(revoked_at, expires_at));

create table prospects.page_views (
  id uuid primary key,
  visit_id uuid not null,
  lead_id uuid references prospects.leads on delete cascade,
  path text not null,
  referrer text not null default '',
  utm_source text not null default '', utm_medium text not null default '', utm_campaign text not null default '',
  utm_content text not null default '', utm_term text not null default '',
  gclid text not null default '',
  is_mobile boolean not null default false,
  at timestamptz not null default now()
);
create index page_views_visit on prospects.page_views (visit_id, at);
create index page_views_lead on prospects.page_views (lead_id, at) where lead_id is not null;
create index page_views_at on prospects.page_views (at);

-- The answers of one browser; whoever types somebody else's address sees only what he wrote himself.
create table prospects.applications (
  id uuid primary key,
  lead_id uuid not null references prospects.leads on delete cascade,
  answers jsonb not null default '{}',
  submitted_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index applications_lead on prospects.applications (lead_id, updated_at desc);

create table prospects.calls (
  id uuid primary key,
  lead_id uuid not null references prospects.leads on delete cascade,
  application_id uuid references prospects.applications on delete set null,
  kind text not null check (kind in ('intro', 'sprint_1', 'sprint_2', 'demo')),
  minutes integer not null check (minutes in (20, 30)),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  busy_until timestamptz not null,
  time_zone text not null,
  status text not null default 'booked' check (status in ('booked', 'held', 'missed', 'canceled')),
  booked_by text not null check (booked_by in ('prospect', 'owner')),
  note text not null default '',
  sequence integer not null default 0,
  canceled_at timestamptz,
  canceled_by text check (canceled_by in ('prospect', 'owner')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (ends_at > starts_at and busy_until >= ends_at),
  constraint calls_one_at_a_time exclude using gist (tstzrange(starts_at, busy_until, '[)') with &&) where (status = 'booked')
);
create index calls_lead on prospects.calls (lead_id, starts_at);
create index calls_start on prospects.calls (starts_at);
create unique index calls_one_upcoming on prospects.calls (lead_id, kind) where status = 'booked';
comment on column prospects.calls.busy_until is 'End of the call with the pause after it; two booked calls cannot overlap.';
comment on column prospects.calls.sequence is 'Counts the changes of the time: SEQUENCE of the calendar entry.';

create table prospects.call_changes (
  id uuid primary key,
  call_id uuid not null references prospects.calls on delete cascade,
  action text not null check (action in ('booked', 'rescheduled', 'canceled', 'held', 'missed')),
  by text not null check (by in ('prospect', 'owner', 'system')),
  starts_at timestamptz not null,
  at timestamptz not null default now()
);
create index call_changes_call on prospects.call_changes (call_id, at);

-- The onboarding fee is paid at the provider's checkout. The prospect's link is made again from the link key, so no address is stored.
create table prospects.sprints (
  id uuid primary key,
  lead_id uuid not null unique references prospects.leads on delete cascade,
  status text not null default 'applied' check (status in ('applied', 'queued', 'declined', 'admitted', 'running', 'finished', 'missed')),
  admitted_month text check (admitted_month ~ '^\d{4}-\d{2}$'),
  decided_at timestamptz,
  decision_note text not null default '',
  started_at timestamptz,
  ends_at timestamptz,
  finished_at timestamptz,
  fee_cents integer not null default 29900 check (fee_cents >= 0),
  fee_status text not null default 'none' check (fee_status in ('none', 'due', 'confirmed', 'waived', 'paid')),
  fee_decided_at timestamptz,
  fee_note text not null default '',
  fee_checkout_id text unique,
  fee_checkout_try integer not null default 0,
  fee_payment_id text unique,
  fee_paid_at timestamptz,
  fee_link_sent_at timestamptz,
  fee_livemode boolean,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (status in ('applied', 'queued', 'declined') or admitted_month is not null)
);
create index sprints_month on prospects.sprints (admitted_month) where admitted_month is not null;
create index sprints_status on prospects.sprints (status, ends_at);
comment on column prospects.sprints.fee_checkout_id is 'The checkout that was opened last; the provider is asked what became of it.';
comment on column prospects.sprints.fee_checkout_try is 'Counts the checkouts that ended unused: part of the key that makes two presses open one page.';

create table prospects.sprint_steps (
  sprint_id uuid not null references prospects.sprints on delete cascade,
  step text not null,
  due_at timestamptz,
  done_at timestamptz,
  done_by text check (done_by in ('event', 'owner')),
  primary key (sprint_id, step)
);

-- Outbox and inbox of mail and texts with prospects. dedupe_key makes each effect happen once.
create table prospects.messages (
  id uuid primary key,
  lead_id uuid references prospects.leads on delete cascade,
  channel text not null check (channel in ('email', 'sms')),
  direction text not null default 'outbound' check (direction in ('inbound', 'outbound')),
  purpose text not null check (purpose in ('transactional', 'marketing', 'reply', 'internal')),
  address text not null,
  from_name text not null default '',
  reply_to text,
  subject text not null default '',
  body_text text not null,
  body_html text,
  attachments jsonb not null default '[]',
  dedupe_key text not null unique,
  status text not null default 'pending' check (status in ('pending', 'held', 'sending', 'sent', 'delivered', 'failed', 'suppressed', 'unknown', 'received')),
  reason text,
  segments integer not null default 1,
  provider text,
  provider_id text,
  attempts integer not null default 0,
  run_after timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz,
  read_at timestamptz,
  opened_at timestamptz,
  open_count integer not null default 0,
  clicked_at timestamptz,
  click_count integer not null default 0,
  deleted_at timestamptz,
  livemode boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index messages_lead on prospects.messages (lead_id, created_at);
create index messages_created on prospects.messages (created_at desc, id desc);
create index messages_address on prospects.messages (address, channel);
create index messages_provider on prospects.messages (provider, provider_id) where provider_id is not null;
create index messages_waiting on prospects.messages (status, run_after) where status in ('pending', 'held');
create index messages_figures on prospects.messages (channel, direction, lead_id) include (opened_at, status) where deleted_at is null and lead_id is not null;
comment on column prospects.messages.attachments is 'Small files in place: [{ name, mime, content }] with content as text (calendar entries).';

create function prospects.note_last_message() returns trigger language plpgsql as $$
begin
  update prospects.leads set last_message_at = greatest(coalesce(last_message_at, new.created_at), new.created_at) where id = new.lead_id;
  return null;
end $$;
create trigger messages_last_message after insert on prospects.messages
  for each row when (new.lead_id is not null and new.purpose <> 'internal') execute function prospects.note_last_message();
create function prospects.forget_last_message() returns trigger language plpgsql as $$
begin
  update prospects.leads set last_message_at =
    (select max(created_at) from prospects.messages where lead_id = new.lead_id and deleted_at is null and purpose <> 'internal')
    where id = new.lead_id;
  return null;
end $$;
create trigger messages_deleted after update of deleted_at on prospects.messages
  for each row when (new.lead_id is not null and new.deleted_at is distinct from old.deleted_at) execute function prospects.forget_last_message();

-- Tracked links of a mail, and what became of it.
create table prospects.message_links (
  id uuid primary key,
  message_id uuid not null references prospects.messages on delete cascade,
  url text not null check (url ~ '^https?://' and length(url) <= 2000),
  unique (message_id, url)
);
comment on table prospects.message_links is 'Where the links of a mail lead. A mail carries only the id with a signature, so it can lead nowhere else.';

create table prospects.message_events (
  id uuid primary key,
  message_id uuid not null references prospects.messages on delete cascade,
  kind text not null check (kind in ('open', 'click')),
  link_id uuid references prospects.message_links on delete cascade,
  is_machine boolean not null,
  user_agent text not null default '',
  at timestamptz not null,
  check ((kind = 'click') = (link_id is not null))
);
create index message_events_message on prospects.message_events (message_id, kind, at);
create index message_events_link on prospects.message_events (link_id) where link_id is not null;

create table prospects.templates (
  channel text not null check (channel in ('email', 'sms')),
  key text not null,
  subject text not null default '',
  message text not null,
  updated_at timestamptz not null,
  primary key (channel, key)
);
comment on table prospects.templates is 'Only those that were changed; the others are as they come.';

create table prospects.consent_events (
  id uuid primary key,
  lead_id uuid references prospects.leads on delete cascade,
  channel text not null check (channel in ('email', 'sms')),
  address text not null,
  action text not null check (action in ('grant', 'revoke')),
  source text not null,
  wording text not null default '',
  at timestamptz not null default now()
);
create index consent_events_address on prospects.consent_events (channel, address, at desc);
create index consent_events_lead on prospects.consent_events (lead_id);
revoke update, delete on prospects.consent_events from swath_prospects;

create table prospects.suppressions (
  channel text not null check (channel in ('email', 'sms')),
  address text not null,
  purpose text not null default 'all' check (purpose in ('all', 'marketing')),
  reason text not null,
  at timestamptz not null default now(),
  primary key (channel, address, purpose)
);

create table prospects.contact_messages (
  id uuid primary key,
  name text not null,
  email text not null,
  topic text not null,
  message text not null,
  created_at timestamptz not null default now()
);
create index contact_messages_created on prospects.contact_messages (created_at desc);

create table prospects.idempotency_keys (
  caller text not null,
  endpoint text not null,
  key text not null,
  request_hash text not null,
  answer text,
  created_at timestamptz not null,
  primary key (caller, endpoint, key)
);
create index idempotency_keys_age on prospects.idempotency_keys (created_at);
comment on column prospects.idempotency_keys.caller is 'visitor, or the product owner: their requests belong to no business.';

create table prospects.audit_log (
  id uuid primary key,
  actor text not null,
  action text not null,
  entity_type text not null,
  entity_id uuid,
  change jsonb,
  at timestamptz not null default now()
);
create index audit_log_entity on prospects.audit_log (entity_type, entity_id, at);
revoke update, delete on prospects.audit_log from swath_prospects;
