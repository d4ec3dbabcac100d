-- A business's books at QuickBooks Online: the connection, what of ours is which of theirs, and what still has to go there.

create table books_connections (
  business_id uuid not null references businesses on delete cascade,
  id uuid not null,
  provider text not null check (provider in ('local', 'intuit')),
  livemode boolean not null,
  realm_id text not null,
  company_name text not null default '',
  status text not null check (status in ('connected', 'reconnect_needed', 'disconnected')),
  access_cipher text,
  refresh_cipher text,
  access_until timestamptz,
  token_version integer not null default 1,
  refreshing_until timestamptz,
  accounts jsonb not null default '{}',
  tax_mode text check (tax_mode in ('code', 'line')),
  tax_code text,
  start_on date,
  paused_until timestamptz,
  backfill jsonb,
  seen_at timestamptz,
  connected_by uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, provider, realm_id)
);
create unique index books_connections_one on books_connections (business_id, provider, livemode) where status <> 'disconnected';
select guard_tenant_table('books_connections');
comment on column books_connections.accounts is 'Which accounts there things are booked to, by their ids.';
comment on column books_connections.realm_id is 'The company at the provider. Its row stays over a disconnect, so that nothing is sent a second time after the next connect.';
comment on column books_connections.refreshing_until is 'Somebody is trading the refresh token: it rotates, and two who trade the same one end the connection.';
comment on column books_connections.start_on is 'From this day on money goes to the books; null before the set-up.';
comment on column books_connections.backfill is 'How far the first sending is: the kind of record and the last id of it. Null when all of it waits in the queue or is sent.';
comment on column books_connections.seen_at is 'Up to when changes made at the provider were asked for.';

-- An event of the provider names the company and nothing of ours; a company belongs to one business.
create table books_realms (
  provider text not null,
  realm_id text not null,
  business_id uuid not null references businesses on delete cascade,
  primary key (provider, realm_id)
);
grant select, insert, delete on books_realms to swath_app;

-- What of ours is which of theirs. Never by name: a name is only how a pair is found, once.
create table books_links (
  business_id uuid not null,
  connection_id uuid not null,
  kind text not null check (kind in ('customer', 'item', 'invoice', 'payment', 'credit', 'write_off', 'use', 'refund', 'expense', 'movement')),
  local_id uuid not null,
  remote_type text not null,
  remote_id text,
  sync_token text not null default '0',
  generation integer not null default 1,
  suffix text not null default '',
  sent text not null default '',
  total_cents bigint,
  state text not null default 'live' check (state in ('live', 'void', 'gone')),
  from_books boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (business_id, connection_id, kind, local_id),
  unique (business_id, connection_id, remote_type, remote_id),
  foreign key (business_id, connection_id) references books_connections on delete cascade
);
select guard_tenant_table('books_links');
comment on column books_links.generation is 'Part of the id of a request: the provider answers a repeat with the first answer, also when what it made was deleted since.';
comment on column books_links.suffix is 'What stands behind its name or number there, because that was taken.';
comment on column books_links.sent is 'A digest of what was sent last: what is the same is not sent again.';
comment on column books_links.from_books is 'It was made there and came to us.';

-- What has to go there. A row leaves when it was sent; what failed or was skipped stays with its reason.
create table books_queue (
  business_id uuid not null,
  connection_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('customer', 'item', 'invoice', 'payment', 'credit', 'write_off', 'use', 'refund', 'expense', 'movement')),
  local_id uuid not null,
  rank smallint not null,
  asked integer not null default 1,
  status text not null default 'waiting' check (status in ('waiting', 'failed', 'skipped')),
  tries integer not null default 0,
  run_after timestamptz not null default now(),
  sending_at timestamptz,
  problem text,
  message text not null default '',
  detail jsonb not null default '{}',
  reason text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (business_id, id),
  unique (business_id, connection_id, kind, local_id),
  foreign key (business_id, connection_id) references books_connections on delete cascade
);
create index books_queue_waiting on books_queue (business_id, connection_id, rank, created_at, id) where status = 'waiting';
create index books_queue_stuck on books_queue (business_id, connection_id, created_at) where status <> 'waiting';
select guard_tenant_table('books_queue');
comment on column books_queue.asked is 'Raised by every change of the record: what changed while it was being sent is sent again.';
comment on column books_queue.sending_at is 'A try began and its answer was not booked yet. Whoever finds it asks the provider first what became of it.';
comment on column books_queue.rank is 'Customers before invoices before payments.';

-- A month held against the books, as it was found.
create table books_checks (
  business_id uuid not null,
  connection_id uuid not null,
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  result jsonb not null,
  checked_at timestamptz not null,
  checked_by uuid,
  primary key (business_id, connection_id, month),
  foreign key (business_id, connection_id) references books_connections on delete cascade
);
select guard_tenant_table('books_checks');

-- Whatever moves money marks itself in its own transaction, whoever wrote it: a movement that some command forgot to tell would be missing in the
-- books without a word. A business without a set-up connection pays one look at an empty index.
create function mark_for_books(business uuid, what text, record uuid) returns void language sql as $$
  insert into books_queue (business_id, connection_id, id, kind, local_id, rank, created_at)
    select business, c.id, gen_random_uuid(), what, record,
      case what when 'customer' then 1 when 'item' then 2 when 'invoice' then 3 when 'credit' then 4 when 'write_off' then 4 when 'payment' then 5
        when 'use' then 6 when 'refund' then 7 else 8 end, clock_timestamp()
    from books_connections c where c.business_id = business and c.status <> 'disconnected' and c.start_on is not null
    on conflict (business_id, connection_id, kind, local_id) do update set asked = books_queue.asked + 1, updated_at = clock_timestamp(),
      run_after = least(books_queue.run_after, clock_timestamp()),
      status = case when books_queue.status = 'failed' then 'waiting' else books_queue.status end $$;

create function ledger_to_books() returns trigger language plpgsql as $$
declare
  what text := new.ref_type;
  record uuid := new.ref_id;
  note uuid;
begin
  if not exists (select from books_connections where business_id = new.business_id and status <> 'disconnected' and start_on is not null) then
    return null;
  end if;
  if what = 'payment' then
    select id into note from credit_notes where business_id = new.business_id and payment_id = new.ref_id;
    if note is not null then what := 'credit'; record := note; end if;
  elsif what = 'credit_note' then
    what := 'credit';
  elsif what not in ('invoice', 'refund', 'write_off') then
    what := 'movement'; record := new.id;
  end if;
  perform mark_for_books(new.business_id, what, record);
  if what in ('credit', 'write_off') then perform mark_for_books(new.business_id, 'use', record); end if;
  return null;
end $$;
create trigger ledger_entries_books after insert on ledger_entries for each row execute function ledger_to_books();

create function allocation_to_books() returns trigger language plpgsql as $$
declare
  business uuid;
  payment uuid;
  note uuid;
begin
  if tg_op = 'DELETE' then business := old.business_id; payment := old.payment_id;
  else business := new.business_id; payment := new.payment_id; end if;
  if exists (select from books_connections where business_id = business and status <> 'disconnected' and start_on is not null) then
    select id into note from credit_notes where business_id = business and payment_id = payment;
    if note is null then perform mark_for_books(business, 'payment', payment);
    else perform mark_for_books(business, 'use', note); end if;
  end if;
  return null;
end $$;
create trigger payment_allocations_books after insert or update or delete on payment_allocations for each row execute function allocation_to_books();

create function expense_to_books() returns trigger language plpgsql as $$
begin
  if not new.review then perform mark_for_books(new.business_id, 'expense', new.id); end if;
  return null;
end $$;
create trigger expenses_books after insert or update on expenses for each row execute function expense_to_books();

-- Names go there only for what is there.
create function name_to_books() returns trigger language plpgsql as $$
declare what text := tg_argv[0];
begin
  if exists (select from books_links where business_id = new.business_id and kind = what and local_id = new.id and remote_id is not null) then
    perform mark_for_books(new.business_id, what, new.id);
  end if;
  return null;
end $$;
create trigger customers_books after update of name, company, email, phone, billing_street, billing_city, billing_state, billing_zip on customers
  for each row when (row(old.name, old.company, old.email, old.phone, old.billing_street, old.billing_city, old.billing_state, old.billing_zip)
    is distinct from row(new.name, new.company, new.email, new.phone, new.billing_street, new.billing_city, new.billing_state, new.billing_zip))
  execute function name_to_books('customer');
create trigger services_books after update of name on services
  for each row when (old.name is distinct from new.name) execute function name_to_books('item');

-- The books of this computer: what the played provider keeps on its own side.
create table local_books (
  realm_id text not null,
  type text not null,
  id text not null,
  payload jsonb not null,
  changed_at timestamptz not null,
  primary key (realm_id, type, id)
);
create index local_books_changed on local_books (realm_id, changed_at);
grant select, insert, update, delete on local_books to swath_app;
