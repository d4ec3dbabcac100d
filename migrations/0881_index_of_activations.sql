-- no-transaction
-- drafts that became work are found by when they did
create index concurrently if not exists jobs_activated on jobs (business_id, activated_at) where activated_at is not null;
-- and quotes that were looked at by when they were
create index concurrently if not exists quotes_viewed on quotes (business_id, viewed_at) where viewed_at is not null;
