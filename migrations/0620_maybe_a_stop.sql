-- "Too many texts", "wrong number": whether that is a STOP is for a person to say; until then no offers leave to that number.
alter table messages add stop_doubt text;
alter table messages add constraint messages_stop_doubt check (stop_doubt in ('open', 'stop', 'fine')) not valid;
alter table messages add constraint messages_doubt_is_theirs check (stop_doubt is null or (direction = 'inbound' and channel = 'sms')) not valid;
comment on column messages.stop_doubt is 'A text that may ask for no more texts: open, or what the office said it meant. Null for all others.';
