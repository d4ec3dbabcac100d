-- A change of a job that holds from a later day: what holds until then is kept beside it.

alter table jobs add column earlier_terms jsonb not null default '[]';
comment on column jobs.earlier_terms is 'Crew, billing and lines as they are until a day ({until, crewId, billing, lines}), the soonest first; from the last of these days on the job''s own hold.';
