-- A process of the release before 0980 still asks these two while its successor starts beside it. They answer as they did, in PL/pgSQL: past one machine
-- Citus cannot plan the parameters of SQL functions. Nothing of this release asks them, so a later one may take them away.
create or replace function crew_present(business uuid, crew uuid, on_day date) returns table (user_id uuid) language plpgsql stable as $$
begin
  return query select m.user_id from crew_members m
  where m.business_id = business and m.crew_id = crew and m.valid_from <= on_day and (m.valid_to is null or m.valid_to >= on_day)
    and not exists (
      select 1 from calendar_events e
      where e.business_id = business and e.deleted_at is null and e.start_minute is null
        and e.first_day between on_day - 92 and on_day and e.last_day >= on_day
        and e.kind in ('time_off', 'shop') and (e.user_id = m.user_id or e.user_id is null and (e.crew_id is null or e.crew_id = crew)));
end $$;

create or replace function waiting_conversations(business uuid, at timestamptz) returns table (customer_id uuid, address text) language plpgsql stable as $$
begin
  return query select v.customer_id, null::text from conversations v
  where v.business_id = business and v.unanswered and v.closed_at is null and (v.snoozed_until is null or v.snoozed_until <= at)
  union
  select u.customer_id, case when u.customer_id is null then u.address end from (
    select m.customer_id, m.address from messages m
    where m.business_id = business and m.direction = 'inbound' and m.opened_at is null and (m.purpose <> 'account' or m.channel = 'sms')
      and (m.customer_id is not null or (m.channel = 'sms' and m.user_id is null and m.entity_type is distinct from 'portal'))
    offset 0) u
  left join conversations v on v.business_id = business and v.customer_id = u.customer_id
  left join number_conversations a on a.business_id = business and u.customer_id is null and a.address = u.address
  where v.closed_at is null and (v.snoozed_until is null or v.snoozed_until <= at)
    and a.closed_at is null and (a.snoozed_until is null or a.snoozed_until <= at);
end $$;
