-- The journal of a span of days asks who was paid back in it: without this it walks every expense that the business ever had.
create index expenses_reimbursed_on on expenses (business_id, reimbursed_on) where reimbursed_on is not null;
