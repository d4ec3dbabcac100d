-- What asks for money waits in the night, and is recalled when the money comes before it leaves.
alter table messages add column asks boolean not null default false;
comment on column messages.asks is 'It asks for money that is open: recalled when there is nothing to ask for any more.';
