-- A person may send again what was refused or in conflict: the same command, a further try.
alter table crew_commands
  drop column reply,
  add column attempt integer not null default 1 check (attempt >= 1),
  add column happened_at timestamptz;
update crew_commands set happened_at = device_at;
alter table crew_commands alter column happened_at set not null;
grant update (result, reason, attempt, received_at) on crew_commands to swath_app;
create index crew_commands_conflicts on crew_commands (business_id, received_at) where result = 'conflict';
comment on table crew_commands is 'Every action of a phone, with the id the phone made: applied once, and then answered the same for ever.';
comment on column crew_commands.attempt is 'How often a person has sent it; a higher number asks anew what was not applied.';
comment on column crew_commands.device_at is 'What the phone said, right or wrong.';
comment on column crew_commands.happened_at is 'The same on our clock.';
