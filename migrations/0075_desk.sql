-- What the product owner's desk adds to the funnel: tracked links, what became of a mail, the order of conversations, templates.
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

-- Conversations stand in the order of their newest message.
alter table prospects.leads add column last_message_at timestamptz;
create index leads_last_message on prospects.leads (last_message_at desc, id desc) where last_message_at is not null;
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
update prospects.leads l set last_message_at =
  (select max(created_at) from prospects.messages m where m.lead_id = l.id and m.deleted_at is null and m.purpose <> 'internal');

-- The figures of the desk are counted from these without reading whole rows.
create index leads_with_account on prospects.leads (id) where account_at is not null;
create index leads_customers on prospects.leads (id) where customer_at is not null;
create index messages_figures on prospects.messages (channel, direction, lead_id) include (opened_at, status) where deleted_at is null and lead_id is not null;

create table prospects.templates (
  channel text not null check (channel in ('email', 'sms')),
  key text not null,
  subject text not null default '',
  message text not null,
  updated_at timestamptz not null,
  primary key (channel, key)
);
comment on table prospects.templates is 'Only those that were changed; the others are as they come.';

-- Which business, or the product owner (null), wrote to a number last through the shared SMS provider: whom an answer is for.
create table sms_routes (
  phone text primary key,
  business_id uuid references businesses on delete cascade,
  at timestamptz not null
);
grant select, insert, update on sms_routes to swath_app;
