-- How else people come into the funnel: by mail to an address of the business, and by a call that nobody took.

create table lead_ways (
  business_id uuid primary key references businesses on delete cascade,
  mail_on boolean not null default true,
  call_number text,
  forward_to text,
  ring_seconds integer not null default 18 check (ring_seconds between 5 and 40),
  press_key boolean not null default false,
  text_on boolean not null default false,
  text_en text not null check (length(text_en) between 1 and 160),
  text_es text not null check (length(text_es) between 1 and 160),
  stranger_language text not null default 'en' check (stranger_language in ('en', 'es')),
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
select guard_tenant_table('lead_ways');
comment on column lead_ways.call_number is 'The number that people dial, as the office knows it; calls to it are told apart by the address that the provider calls.';
comment on column lead_ways.forward_to is 'The phone that rings; without one nobody takes calls here.';
comment on column lead_ways.press_key is 'Whoever picks up presses a key first, so that a mailbox does not count as an answer.';
