-- Every record that leaves wakes what waits for it: it is found by what it waits for, not by a walk over everything that waits.
create index books_queue_waits_for on books_queue (business_id, connection_id, (detail ->> 'for')) where status = 'waiting' and problem = 'waits';
