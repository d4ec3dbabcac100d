-- A large audience is frozen, and put in order, in steps of a moment each: in one statement a hundred thousand took longer than a statement may.
alter table campaigns
  add column freezing_after uuid,
  add column to_place integer,
  add column placed integer not null default 0;
comment on column campaigns.freezing_after is 'Customers up to this id are in the audience; null once all are.';
comment on column campaigns.to_place is 'How many could be reached when the audience was sorted; null until it is known.';
comment on column campaigns.placed is 'How many of to_place have their place.';
create index campaign_recipients_unplaced on campaign_recipients (business_id, campaign_id, rank, customer_id)
  where state = 'waiting' and place is null;
