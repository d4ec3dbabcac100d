-- Everything that somebody asked for stays whole, as it was sent; what a lead knows of a person may change after it.

create table lead_requests (
  business_id uuid not null,
  id uuid not null,
  lead_id uuid not null,
  name text not null default '' check (length(name) <= 120),
  email text,
  phone text,
  street text not null default '' check (length(street) <= 200),
  unit text not null default '' check (length(unit) <= 60),
  city text not null default '' check (length(city) <= 100),
  state text not null default '',
  zip text not null default '' check (length(zip) <= 12),
  lawn_square_feet integer check (lawn_square_feet between 0 and 50000000),
  wants text not null default '' check (length(wants) <= 2000),
  source text not null check (source in ('call', 'text', 'email', 'website', 'profile', 'referral', 'neighbor', 'ad', 'other')),
  source_detail text not null default '' check (length(source_detail) <= 300),
  price_low_cents integer check (price_low_cents >= 0),
  price_high_cents integer check (price_high_cents >= price_low_cents),
  request_key uuid,
  at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, lead_id) references business_leads on delete cascade
);
create index lead_requests_lead on lead_requests (business_id, lead_id, id desc);
create unique index lead_requests_key on lead_requests (business_id, request_key) where request_key is not null;
select guard_tenant_table('lead_requests', 'select, insert');
comment on table lead_requests is 'What came by itself of a lead, each time as it was sent: the first request and those after it.';

alter table business_leads
  add column request_count integer not null default 1 check (request_count > 0),
  add column asked_at timestamptz,
  add column answered_at timestamptz;
alter table business_leads no force row level security;
alter table business_lead_events no force row level security;
alter table messages no force row level security;
alter table lead_requests no force row level security;
update business_leads l set
  asked_at = case when l.stage = 'new' then l.stage_at else l.created_at end,
  answered_at = case when l.replied_at is not null and (
    exists (select 1 from business_lead_events e where e.business_id = l.business_id and e.lead_id = l.id and e.kind = 'call'
      and e.data ->> 'call' in ('talked', 'voicemail'))
    or exists (select 1 from messages m where m.business_id = l.business_id and m.entity_type = 'lead' and m.entity_id = l.id
      and m.direction = 'outbound' and m.user_id is not null)) then l.replied_at end;
alter table business_leads alter column asked_at set default now(), alter column asked_at set not null;
comment on column business_leads.asked_at is 'Since when they wait for an answer: when they asked, or asked again after they were lost.';
comment on column business_leads.answered_at is 'When somebody really wrote or talked to them; replied_at is also set by moving the card on.';

-- Of those who asked again before, what was kept: their words and where they came from.
insert into lead_requests (business_id, id, lead_id, name, email, phone, street, unit, city, state, zip, wants, source, source_detail, at)
select l.business_id, e.id, l.id, l.name, l.email, l.phone, l.street, l.unit, l.city, l.state, l.zip, left(e.words, 2000), l.source, l.source_detail, e.at
from business_leads l join business_lead_events e on e.business_id = l.business_id and e.lead_id = l.id and e.kind = 'created'
where exists (select 1 from business_lead_events a where a.business_id = l.business_id and a.lead_id = l.id and a.kind = 'again');
insert into lead_requests (business_id, id, lead_id, wants, source, at)
select e.business_id, e.id, e.lead_id, left(e.words, 2000),
  case when e.data ->> 'source' in ('call', 'text', 'email', 'website', 'profile', 'referral', 'neighbor', 'ad') then e.data ->> 'source' else 'other' end, e.at
from business_lead_events e where e.kind = 'again';
update business_leads l set request_count = 1 + n.again
from (select business_id, lead_id, count(*)::int as again from business_lead_events where kind = 'again' group by 1, 2) n
where n.business_id = l.business_id and n.lead_id = l.id;
alter table business_leads force row level security;
alter table business_lead_events force row level security;
alter table messages force row level security;
alter table lead_requests force row level security;
