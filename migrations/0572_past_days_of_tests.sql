-- What 0560 says of past days is not how it is: nothing of the product writes them.
comment on function guard_issued_invoice() is 'What stands on an issued invoice never changes. The days of one move only where swath.past_days is on: tests set it in each transaction of their own that speaks to the database past the application; no request and no task of the product does.';
