-- What the office decides about work that a phone reported and that could not be applied; the phone gets the answer with its words.
alter table crew_commands
  add column decision text check (decision in ('counts', 'stands')),
  add column decision_note text not null default '',
  add column decided_by uuid,
  add column decided_at timestamptz,
  add constraint crew_commands_decider foreign key (business_id, decided_by) references users (business_id, id) on delete set null (decided_by),
  add constraint crew_commands_decided check ((decision is null) = (decided_at is null));
grant update (decision, decision_note, decided_by, decided_at) on crew_commands to swath_app;
comment on column crew_commands.decision is 'counts: the work was applied after all; stands: the visit stays as the office had it.';
