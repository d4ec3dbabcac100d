-- Of the visits that were booked in place of one, only one is open or done at a time; several may be skipped, missed or canceled.
-- Where two stood already, each later one takes the place of the one before it: they stay of one family, and nothing is lost.
alter table visits no force row level security;
do $$
begin
  loop
    update visits v set rebooked_from = s.earlier from (
      select business_id, id, lag(id) over (partition by business_id, rebooked_from order by id) as earlier from visits
      where rebooked_from is not null and status not in ('skipped', 'missed', 'canceled')) s
    where v.business_id = s.business_id and v.id = s.id and s.earlier is not null;
    exit when not found;
  end loop;
end $$;
alter table visits force row level security;
create unique index visits_one_stands on visits (business_id, rebooked_from)
  where rebooked_from is not null and status not in ('skipped', 'missed', 'canceled');
comment on column visits.rebooked_from is 'The skipped or missed visit in whose place this one was booked; of all that were booked for one, at most one is open or done.';
