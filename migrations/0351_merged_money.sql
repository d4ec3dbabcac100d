-- Two records of one customer become one, also where work and money hang on the other. The books of both become those of the kept one: no entry changes its amount, its
-- day or what it is of; only whose it is. The application may add entries and never change one, so this one step is a function of its own.
create function move_ledger(from_customer uuid, to_customer uuid) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moved integer;
begin
  update ledger_entries set customer_id = to_customer where business_id = current_business_id() and customer_id = from_customer;
  get diagnostics moved = row_count;
  insert into customer_balances as b (business_id, customer_id, balance_cents)
    select o.business_id, to_customer, o.balance_cents from customer_balances o where o.business_id = current_business_id() and o.customer_id = from_customer
    on conflict (business_id, customer_id) do update set balance_cents = b.balance_cents + excluded.balance_cents;
  delete from customer_balances where business_id = current_business_id() and customer_id = from_customer;
  return moved;
end $$;
revoke all on function move_ledger(uuid, uuid) from public;
grant execute on function move_ledger(uuid, uuid) to swath_app;
comment on table ledger_entries is 'Entries are only added; a merge of two records of one customer makes the entries of one those of the other (move_ledger).';

-- Papers that nobody changes stay word for word; only whose they are can be said anew.
grant update (customer_id) on credit_notes, application_records to swath_app;

-- A link and a code that are out go on working after a merge, beside those of the kept record.
alter table statement_links add column merged boolean not null default false;
drop index statement_links_one;
create unique index statement_links_one on statement_links (business_id, customer_id) where revoked_at is null and not merged;
alter table referral_codes drop constraint referral_codes_pkey, add primary key (business_id, code);
create index referral_codes_customer on referral_codes (business_id, customer_id);

alter table customer_merges add column is_final boolean not null default false;
comment on column customer_merges.is_final is 'Work or money moved, so it cannot be taken back.';
