-- A season is renewed: whose work, at which prices, and what each customer answered.

create table renewal_runs (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  status text not null check (status in ('collecting', 'draft', 'sending', 'sent', 'withdrawing', 'withdrawn')),
  mode text not null check (mode in ('ask', 'auto')),
  filter jsonb not null,
  raise jsonb not null,
  prepay_percent integer not null default 0 check (prepay_percent between 0 and 5000),
  starts_on date not null,
  ends_on date,
  answer_by date not null,
  message text not null default '' check (length(message) <= 2000),
  terms text not null default '' check (length(terms) <= 8000),
  by_mail boolean not null default true,
  by_text boolean not null default false,
  collected_to uuid,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sent_at timestamptz,
  primary key (business_id, id),
  check (ends_on is null or ends_on >= starts_on),
  foreign key (business_id, created_by) references users on delete set null (created_by)
);
create index renewal_runs_created_by on renewal_runs (business_id, created_by) where created_by is not null;
create index renewal_runs_auto on renewal_runs (business_id, answer_by) where mode = 'auto' and status = 'sent';
select guard_tenant_table('renewal_runs');
comment on table renewal_runs is 'One renewal of a season: collected as a list, looked over, sent, answered one by one.';
comment on column renewal_runs.mode is 'ask: a customer has to say yes. auto: it renews by itself after answer_by unless they say no.';
comment on column renewal_runs.raise is '{kind: none | percent | amount, value, roundTo}: hundredths of a percent, or cents a visit; cents to round a price to.';
comment on column renewal_runs.prepay_percent is 'Hundredths of a percent less for who pays the season ahead; 0 offers none.';
comment on column renewal_runs.collected_to is 'The last job that was looked at while the list is made.';

create table renewals (
  business_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  job_id uuid not null,
  state text not null check (state in ('open', 'excluded', 'sent', 'failed', 'withdrawn')),
  lines jsonb not null,
  raise jsonb,
  before_cents bigint not null default 0 check (before_cents >= 0),
  after_cents bigint not null default 0 check (after_cents >= 0),
  problem text not null default '' check (length(problem) <= 500),
  quote_id uuid,
  renewed_before boolean not null default false,
  by_itself boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, run_id, job_id),
  foreign key (business_id, run_id) references renewal_runs on delete cascade,
  foreign key (business_id, job_id) references jobs on delete cascade,
  foreign key (business_id, quote_id) references quotes on delete set null (quote_id)
);
create index renewals_run on renewals (business_id, run_id, state, id);
create index renewals_job on renewals (business_id, job_id);
create unique index renewals_quote on renewals (business_id, quote_id) where quote_id is not null;
select guard_tenant_table('renewals');
comment on table renewals is 'The next season of one job in a run: its lines with the price now and then, and the quote that it was sent as. What the customer answered stands on the quote.';
comment on column renewals.renewed_before is 'The job renewed by itself at the prices of the book before it was sent; taken back it does again.';

-- Who renews by itself has signed nothing: the paper says why it holds.
alter table quote_signatures drop constraint quote_signatures_way_check;
alter table quote_signatures add constraint quote_signatures_way_check check (way in ('typed', 'drawn', 'office', 'notice'));
