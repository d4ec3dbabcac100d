-- What a crew says to a customer has three parts: what it saw, what it did, what to expect. What was written before them stays in customer_note, as it is.

alter table visits
  add column saw_note text not null default '' check (length(saw_note) <= 2000),
  add column did_note text not null default '' check (length(did_note) <= 2000),
  add column expect_note text not null default '' check (length(expect_note) <= 2000);
comment on column visits.customer_note is 'What the customer reads of it, as one text: from before it had three parts.';
comment on column visits.saw_note is 'What the customer reads of it: what the crew saw.';
comment on column visits.did_note is 'What the customer reads of it: what the crew did.';
comment on column visits.expect_note is 'What the customer reads of it: what to expect.';

-- Phrases for the customer stand below the part that they speak of; those that a business wrote itself tell what was seen until it says otherwise.
alter table stop_settings no force row level security;
update stop_settings set version = version + 1, phrases = (
  select coalesce(jsonb_agg(case when p.phrase ->> 'part' = 'customer' then jsonb_set(p.phrase, '{part}',
      to_jsonb(case p.phrase ->> 'id' when 'toys' then 'did' when 'waste' then 'expect' else 'saw' end)) else p.phrase end order by p.at), '[]')
  from jsonb_array_elements(phrases) with ordinality p (phrase, at))
where phrases @> '[{"part": "customer"}]';
alter table stop_settings force row level security;
