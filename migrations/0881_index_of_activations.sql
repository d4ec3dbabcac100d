-- no-transaction
-- drafts that became work are found by when they did
create index concurrently if not exists jobs_activated on jobs (business_id, activated_at) where activated_at is not null;
