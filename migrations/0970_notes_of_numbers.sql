-- The office leaves a note beside the messages of a number that nobody knows, too. It goes with the number to the customer that it becomes.
alter table conversation_notes alter column customer_id drop not null;
alter table conversation_notes add column address text check (length(address) between 3 and 254);
alter table conversation_notes add constraint conversation_notes_whose check ((customer_id is null) <> (address is null));
create index conversation_notes_address on conversation_notes (business_id, address, id) where address is not null;
comment on column conversation_notes.address is 'The number that the note is about, as long as nobody knows whose it is.';
