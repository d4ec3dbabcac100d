-- How far a business is with the registration that carriers ask for before texts leave from a number of its own.
create table sender_registrations (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  kind text check (kind in ('local', 'tollFree')),
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  brand text not null default 'open' check (brand in ('open', 'sent', 'approved', 'returned')),
  brand_on date,
  brand_note text,
  campaign text not null default 'open' check (campaign in ('open', 'sent', 'approved', 'returned')),
  campaign_on date,
  campaign_note text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id)
);
create unique index sender_registrations_one on sender_registrations (business_id);
select guard_tenant_table('sender_registrations');
comment on column sender_registrations.campaign is 'Of a toll-free number its verification, which is the only thing that is asked for there.';
