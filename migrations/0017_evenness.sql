-- How evenly the crews of a day should end, for every search that is not asked otherwise.
alter table businesses add column route_evenness text not null default 'cost' check (route_evenness in ('cost', 'hour', 'even'));
comment on column businesses.route_evenness is 'cost: the least driving and labor; hour: crews end within an hour of each other; even: as even as can be.';
