-- What money moved in the last days is found by when it was written, whatever day it is dated: a check of two weeks ago, written down today, is
-- money that moved today.

create index ledger_entries_created on ledger_entries (business_id, created_at);
create index payment_allocations_created on payment_allocations (business_id, created_at);
