-- no-transaction
-- what did not leave, newest first, without reading what did
create index concurrently if not exists messages_not_left on messages (business_id, created_at desc, id desc)
  where direction = 'outbound' and status in ('pending', 'held', 'sending', 'failed', 'suppressed', 'unknown');
