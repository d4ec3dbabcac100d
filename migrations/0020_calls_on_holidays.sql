-- Nobody expects a call on Thanksgiving: federal holidays are days without calls unless the product owner says otherwise.
alter table prospects.settings add column rests_on_holidays boolean not null default true;
comment on column prospects.settings.rests_on_holidays is 'Whether no call is offered on a federal holiday and the weekday on which it is observed.';
