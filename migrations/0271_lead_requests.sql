-- What strangers may send: the form for a business's own website and its public page, where it works, and what comes of a request.

create table lead_settings (
  business_id uuid primary key references businesses on delete cascade,
  form_on boolean not null default true,
  reply_on boolean not null default true,
  reply_text text not null check (length(reply_text) <= 160),
  area_kind text not null default 'anywhere' check (area_kind in ('anywhere', 'zips', 'drawn')),
  area_zips text[] not null default '{}',
  area_ring jsonb,
  prices_on boolean not null default true,
  service_ids uuid[] not null default '{}',
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
select guard_tenant_table('lead_settings');
comment on column lead_settings.area_ring is 'Corners as [latitude, longitude], without the first one again at the end.';
comment on column lead_settings.service_ids is 'Services that the public page names a price range for; none means all that mow.';

alter table business_leads
  add column out_of_area boolean not null default false,
  add column price_low_cents integer check (price_low_cents >= 0),
  add column price_high_cents integer check (price_high_cents >= price_low_cents),
  add column request_key uuid;
create unique index business_leads_request on business_leads (business_id, request_key) where request_key is not null;
comment on column business_leads.request_key is 'Made by the page that sent it: a form sent twice is one lead.';
