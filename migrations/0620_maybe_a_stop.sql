-- "Too many texts", "wrong number": whether that is a STOP is for a person to say; until then no offers leave to that number.
alter table messages add stop_doubt text check (stop_doubt in ('open', 'stop', 'fine'));
alter table messages add constraint messages_doubt_is_theirs check (stop_doubt is null or (direction = 'inbound' and channel = 'sms')) not valid;
alter table messages validate constraint messages_doubt_is_theirs;
create index messages_in_doubt on messages (business_id, address) where stop_doubt = 'open';
comment on column messages.stop_doubt is 'A text that may ask for no more texts: open, or what the office said it meant. Null for all others.';
