alter table visits
  add column interval_started_at timestamptz,
  add column skip_note text not null default '',
  add column checked text[] not null default '{}';
comment on column visits.interval_started_at is 'Start of the spell of work that is running; null while nobody works. worked_seconds holds the spells that ended.';
comment on column visits.skip_reason is 'Code of a reason for skipping; the words of the crew stand in skip_note.';
comment on column visits.checked is 'Items of the checklists that the crew has ticked.';

alter table time_entries add column command_id uuid;
comment on column time_entries.command_id is 'The command of the phone that opened it, for a clock that is looked into.';
