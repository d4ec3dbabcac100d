-- no-transaction
-- what begins an automation is found by when it happened, without reading what happened before
create index concurrently if not exists jobs_created on jobs (business_id, created_at) where import_id is null;
create index concurrently if not exists jobs_canceled on jobs (business_id, canceled_at) where canceled_at is not null;
create index concurrently if not exists quotes_approved on quotes (business_id, approved_at) where approved_at is not null;
