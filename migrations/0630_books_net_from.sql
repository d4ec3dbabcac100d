-- Refunds and disputes that a card provider holds back were expenses of the bank account, and a payout's deposit was higher by them. What was sent so
-- stays so, with its payout, whenever that arrives: nothing that is right is called different, and nothing is taken off the bank twice.

-- a default of the moment fills the rows that are there; a connection made from now on has none
alter table books_connections add column net_from date default (current_date + 1);
alter table books_connections alter column net_from drop default;
comment on column books_connections.net_from is 'Refunds and disputes of before this day are expenses of the bank account, and the deposit of their payout is higher by them. Null: none is.';
