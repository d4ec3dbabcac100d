-- What is undone after its month was closed stays in that month wherever the books are kept; what undoes it is dated in an open one.
alter table ledger_entries add undoes_on date;
comment on column ledger_entries.undoes_on is 'The day of what this takes back, where that day was in a closed month by then: elsewhere it stays under that day, and this stands beside it.';
create index ledger_entries_undoing on ledger_entries (business_id, on_day) where undoes_on is not null;

create or replace function ledger_to_books() returns trigger language plpgsql as $$
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
  if new.undoes_on is not null then
    perform mark_for_books(new.business_id, 'movement', new.id);
    if what = 'invoice' then perform mark_for_books(new.business_id, 'use', new.id); end if;
  end if;
  return null;
end $$;
