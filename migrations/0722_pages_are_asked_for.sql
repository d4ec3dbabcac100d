-- The address of a hosted payment page is a key to it: who has it sees what is paid and by whom. It is asked for again where it is wanted, and not kept.
alter table checkout_sessions drop column url;
alter table quote_deposits drop column url;
alter table billing_accounts drop column checkout_url;
