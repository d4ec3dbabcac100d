-- The thread of a number that is no customer's is read from its newest message back.
create index messages_address on messages (business_id, address, id);
