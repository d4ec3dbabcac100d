-- Positions are of the clock, and of who works here: both end with what they hang on, whoever changes it.

-- The consent of somebody who is deactivated is over, and with it everything that was kept. Let in again, they are asked again.
create function end_position_consent() returns trigger language plpgsql as $$
begin
  delete from position_consents where business_id = new.business_id and user_id = new.id;
  return null;
end $$;
create trigger users_end_position_consent after update of status on users
  for each row when (new.status = 'disabled' and old.status is distinct from new.status) execute function end_position_consent();

-- Time on the clock that turns out to have been shorter, or a break, takes along the positions that are on no clock any more. At the end of the
-- transaction, because a spell that ends is often followed by another that begins there.
create function drop_positions_off_clock() returns trigger language plpgsql as $$
begin
  delete from positions p
  where p.business_id = old.business_id and p.user_id = old.user_id
    and p.at >= old.started_at and p.at <= coalesce(old.ended_at, 'infinity')
    and not exists (
      select 1 from time_entries t
      where t.business_id = p.business_id and t.user_id = p.user_id and t.kind <> 'break'
        and t.started_at <= p.at and t.started_at > p.at - interval '28 hours' and coalesce(t.ended_at, 'infinity') >= p.at);
  return null;
end $$;
create constraint trigger time_entries_drop_positions after update of kind, started_at, ended_at or delete on time_entries
  deferrable initially deferred for each row execute function drop_positions_off_clock();
