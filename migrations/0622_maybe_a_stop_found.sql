-- no-transaction
-- the texts in doubt are found, and the checks are proven, while others write
create index concurrently if not exists messages_in_doubt on messages (business_id, address) where stop_doubt = 'open';
alter table messages validate constraint messages_stop_doubt;
alter table messages validate constraint messages_doubt_is_theirs;
