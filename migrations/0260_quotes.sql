-- Quotes: what work at a property would cost, as its customer reads, chooses and signs it. What was sent and what was signed never changes.

create table quotes (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  number integer not null,
  customer_id uuid not null,
  property_id uuid not null,
  status text not null check (status in ('draft', 'sent', 'viewed', 'changes_requested', 'approved', 'declined', 'expired', 'converted', 'archived')),
  revision integer not null default 1 check (revision > 0),
  title text not null check (length(title) between 1 and 160),
  content jsonb not null,
  note text not null default '' check (length(note) <= 4000),
  total_cents bigint not null default 0 check (total_cents >= 0),
  deposit_cents bigint not null default 0 check (deposit_cents >= 0),
  valid_until date,
  source text not null default '' check (length(source) <= 80),
  seller_id uuid,
  template_id uuid,
  is_crew_draft boolean not null default false,
  choice jsonb,
  lost_reason text check (lost_reason in ('price', 'timing', 'competitor', 'scope', 'no_answer', 'other')),
  first_sent_at timestamptz,
  sent_at timestamptz,
  viewed_at timestamptz,
  answered_at timestamptz,
  approved_at timestamptz,
  converted_at timestamptz,
  job_id uuid,
  follow_step smallint not null default 0,
  follow_on date,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, number),
  foreign key (business_id, customer_id) references customers on delete restrict,
  foreign key (business_id, property_id) references properties on delete restrict,
  foreign key (business_id, seller_id) references users on delete set null (seller_id),
  foreign key (business_id, created_by) references users on delete set null (created_by),
  foreign key (business_id, job_id) references jobs on delete set null (job_id)
);
create index quotes_by_status on quotes (business_id, status, number desc);
create index quotes_customer on quotes (business_id, customer_id, number desc);
create index quotes_property on quotes (business_id, property_id);
create index quotes_seller on quotes (business_id, seller_id) where seller_id is not null;
create index quotes_created_by on quotes (business_id, created_by) where created_by is not null;
create index quotes_job on quotes (business_id, job_id) where job_id is not null;
create index quotes_first_sent on quotes (business_id, first_sent_at) where first_sent_at is not null;
create index quotes_follow on quotes (business_id, follow_on) where follow_on is not null;
create index quotes_open on quotes (business_id, valid_until) where status in ('sent', 'viewed');
select guard_tenant_table('quotes');
comment on column quotes.revision is 'Goes up when a quote that was sent is worked on again; each that was sent is kept.';
comment on column quotes.content is 'Lines, packages, discount, deposit, message, terms and photos, as the office works on them (features/quotes/contract.ts, QuoteContent).';
comment on column quotes.total_cents is 'With the options that are chosen or, until somebody chose, those that are ticked beforehand.';
comment on column quotes.choice is 'The package and options that were approved: {packageId, lineIds}.';
comment on column quotes.is_crew_draft is 'A crew noted it on site: services, areas and photos, no price.';
comment on column quotes.follow_on is 'The day of the next follow-up; null when none comes any more.';

create table quote_revisions (
  business_id uuid not null,
  id uuid not null,
  quote_id uuid not null,
  revision integer not null,
  content jsonb not null,
  sent_at timestamptz not null,
  sent_by uuid,
  primary key (business_id, id),
  unique (business_id, quote_id, revision),
  foreign key (business_id, quote_id) references quotes on delete cascade,
  foreign key (business_id, sent_by) references users on delete set null (sent_by)
);
create index quote_revisions_sent_by on quote_revisions (business_id, sent_by) where sent_by is not null;
select guard_tenant_table('quote_revisions');
comment on table quote_revisions is 'What a customer was sent, with the rates of tax of that day; the link leads to it.';

create table quote_signatures (
  business_id uuid not null,
  id uuid not null,
  quote_id uuid not null,
  revision integer not null,
  way text not null check (way in ('typed', 'drawn', 'office')),
  signer text not null check (length(signer) between 1 and 120),
  strokes jsonb not null default '[]',
  choice jsonb not null,
  total_cents bigint not null,
  deposit_cents bigint not null,
  terms_hash text not null,
  content_hash text not null,
  ip text not null default '',
  user_agent text not null default '' check (length(user_agent) <= 400),
  note text not null default '' check (length(note) <= 1000),
  user_id uuid,
  signed_at timestamptz not null,
  storage_key text not null,
  pdf_hash text not null,
  byte_count integer not null,
  primary key (business_id, id),
  unique (business_id, quote_id),
  foreign key (business_id, quote_id) references quotes on delete cascade,
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index quote_signatures_user on quote_signatures (business_id, user_id) where user_id is not null;
select guard_tenant_table('quote_signatures');
comment on table quote_signatures is 'A quote as it was approved, with its evidence and the hash of its paper. One for a quote: of two people who sign at once one is told that it was done.';

-- What was sent and what was signed is kept as it was. What goes with its business or quote is the database's own doing.
create function keep_quote() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if pg_trigger_depth() < 2 then
      raise exception 'what was sent or signed is kept' using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if exists (select 1 from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key)
      where n.value <> o.value and (n.value <> 'null' or n.key not in ('sent_by', 'user_id'))) then
    raise exception 'what was sent or signed never changes' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger quote_revisions_kept before update or delete on quote_revisions for each row execute function keep_quote();
create trigger quote_signatures_kept before update or delete on quote_signatures for each row execute function keep_quote();

create table quote_events (
  business_id uuid not null,
  id uuid not null,
  quote_id uuid not null,
  kind text not null check (kind in ('created', 'sent', 'viewed', 'revised', 'changes_requested', 'approved', 'declined', 'expired', 'converted', 'archived', 'follow_up', 'deposit_paid')),
  revision integer not null,
  words text not null default '' check (length(words) <= 2000),
  user_id uuid,
  at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, quote_id) references quotes on delete cascade,
  foreign key (business_id, user_id) references users on delete set null (user_id)
);
create index quote_events_quote on quote_events (business_id, quote_id, at desc);
create index quote_events_user on quote_events (business_id, user_id) where user_id is not null;
select guard_tenant_table('quote_events');

create table quote_deposits (
  business_id uuid not null,
  id uuid not null,
  quote_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  status text not null default 'open' check (status in ('open', 'succeeded', 'expired')),
  provider text not null,
  account_id text not null,
  livemode boolean not null,
  provider_session_id text,
  url text,
  expires_at timestamptz not null,
  payment_id uuid,
  created_at timestamptz not null default now(),
  primary key (business_id, id),
  foreign key (business_id, quote_id) references quotes on delete cascade,
  foreign key (business_id, payment_id) references payments on delete set null (payment_id)
);
create index quote_deposits_quote on quote_deposits (business_id, quote_id);
create unique index quote_deposits_open on quote_deposits (business_id, quote_id) where status = 'open';
create index quote_deposits_payment on quote_deposits (business_id, payment_id) where payment_id is not null;
select guard_tenant_table('quote_deposits');
comment on table quote_deposits is 'Payment pages for the deposits of quotes; at most one of a quote is open.';

create table quote_templates (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  content jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (business_id, id)
);
create unique index quote_templates_name on quote_templates (business_id, lower(name)) where archived_at is null;
select guard_tenant_table('quote_templates');
alter table quotes add foreign key (business_id, template_id) references quote_templates on delete set null (template_id);
create index quotes_template on quotes (business_id, template_id) where template_id is not null;

alter table payments add column quote_id uuid;
alter table payments add foreign key (business_id, quote_id) references quotes on delete restrict;
create index payments_quote on payments (business_id, quote_id) where quote_id is not null;
comment on column payments.quote_id is 'The deposit of a quote: it waits for the job that the quote becomes, and goes on nothing by itself before.';
