-- no-transaction
-- a customer's photos are found without reading all that was ever written with them
create index concurrently if not exists messages_photos on messages (business_id, customer_id, id) where channel <> 'email' and attachments <> '[]';
