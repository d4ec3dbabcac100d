-- What a customer owes is the sum of their open invoices: the list of customers asks it for each row.
create index invoices_open_of_customer on invoices (business_id, customer_id) include (total_cents, paid_cents) where status in ('issued', 'partially_paid');
