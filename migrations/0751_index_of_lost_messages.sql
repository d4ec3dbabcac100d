-- no-transaction
-- while others write: nobody waits until all messages were read
create index concurrently messages_lost on messages (business_id, id) where direction = 'outbound' and status in ('failed', 'unknown') and dismissed_at is null;
