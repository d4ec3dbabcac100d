-- What is not used up of all that came is a sum of few payments. Where the index holds what is summed it is read instead of every payment there ever was.
drop index payments_with_rest;
create index payments_with_rest on payments (business_id, customer_id) include (amount_cents, refunded_cents, allocated_cents, status)
  where status = 'succeeded' and allocated_cents + refunded_cents < amount_cents;
