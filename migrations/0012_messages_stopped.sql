alter table messages add column stopped_reason text;
comment on column messages.stopped_reason is 'Why what this message is about must not be sent any more, whatever its status: its invoice was voided. Null while it may.';
