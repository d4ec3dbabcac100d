-- A visit keeps in whose place it was booked, for good. Before, the visit that was replaced named the last one that stood for it: an earlier
-- one, canceled, forgot whose place it had taken and could come back beside it.
alter table visits add column rebooked_from uuid;
-- The wall stands for whoever brings the tables up to date, too.
alter table visits no force row level security;
alter table audit_log no force row level security;
update visits r set rebooked_from = o.id from visits o where o.business_id = r.business_id and o.rebooked_as = r.id;
-- Those that were forgotten, as far as the history knows them.
update visits r set rebooked_from = (a.after->>'visitId')::uuid from audit_log a
  where r.origin = 'rebook' and r.rebooked_from is null and a.business_id = r.business_id and a.entity_type = 'visit'
    and a.entity_id = r.id and a.action = 'visit.rebooked';
alter table visits force row level security;
alter table audit_log force row level security;
alter table visits drop column rebooked_as;
create index visits_rebooked on visits (business_id, rebooked_from) where rebooked_from is not null;
comment on column visits.rebooked_from is 'The skipped or missed visit in whose place this one was booked; of all that were booked for one, at most one is not canceled.';
