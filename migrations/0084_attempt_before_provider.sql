-- The row of a payment attempt stands before the provider is asked: page and address come afterwards.
alter table checkout_sessions alter column provider_session_id drop not null, alter column url drop not null;
