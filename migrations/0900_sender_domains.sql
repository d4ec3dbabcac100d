-- The address of its own under which a business writes to its customers, and how far the proof of its domain is.
create table sender_domains (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  domain text not null check (domain = lower(domain) and length(domain) between 4 and 253),
  address text not null check (length(address) <= 254),
  proof_token text not null,
  state text not null default 'waiting' check (state in ('waiting', 'live', 'lapsed')),
  taken boolean not null default false,
  findings jsonb not null default '{}' check (jsonb_typeof(findings) = 'object'),
  missed integer not null default 0,
  missed_at timestamptz,
  looks integer not null default 0,
  checked_at timestamptz,
  next_look_at timestamptz,
  proven_at timestamptz,
  lapsed_at timestamptz,
  refused_at timestamptz,
  refused_reason text,
  reminded_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id)
);
create unique index sender_domains_one on sender_domains (business_id);
select guard_tenant_table('sender_domains');
comment on column sender_domains.taken is 'Everything was found, but another business proved the domain first.';
comment on column sender_domains.findings is 'What the last look found under each record, as features/senders/domains/rules.ts reads it.';
comment on column sender_domains.missed is 'How often in a row the record of the key that signs was gone; at two nothing is signed any more.';
comment on column sender_domains.looks is 'Looks since something changed: each waits longer than the one before.';
comment on column sender_domains.refused_at is 'Since then the mail server of Swath takes no mail from this address; nothing leaves from it until somebody asks for another try.';

-- The keys that sign. A private key is encrypted and goes as soon as its key signs no more.
create table sender_domain_keys (
  business_id uuid not null,
  id uuid not null,
  sender_domain_id uuid not null,
  selector text not null,
  public_key text not null,
  private_cipher text,
  state text not null default 'made' check (state in ('made', 'signing', 'retired')),
  seen_at timestamptz,
  signing_since timestamptz,
  retired_at timestamptz,
  created_at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, sender_domain_id) references sender_domains on delete cascade,
  check ((state = 'retired') = (private_cipher is null)),
  check (state <> 'signing' or seen_at is not null)
);
create unique index sender_domain_keys_state on sender_domain_keys (business_id, sender_domain_id, state) where state <> 'retired';
create index sender_domain_keys_domain on sender_domain_keys (business_id, sender_domain_id);
select guard_tenant_table('sender_domain_keys');

-- Which business proved a domain: one that two could write from would be nobody's.
create table sender_claims (
  domain text primary key,
  business_id uuid not null references businesses on delete cascade
);
create unique index sender_claims_business on sender_claims (business_id);
grant select, insert, delete on sender_claims to swath_app;

-- The records of the name server that is played on one's own computer.
create table local_dns_records (
  name text not null,
  type text not null check (type in ('TXT', 'CNAME')),
  value text not null,
  primary key (name, type, value)
);
grant select, insert, delete on local_dns_records to swath_app;

alter table messages add column sent_from text;
comment on column messages.sent_from is 'The address that a mail left from.';
