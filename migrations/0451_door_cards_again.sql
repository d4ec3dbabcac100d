-- Cards that were never hung are taken back, and their doors are free again.

alter table door_cards
  add undone_at timestamptz;
comment on column door_cards.undone_at is 'Taken back: its doors may get another card. Its code still names the stop, in case one hangs somewhere.';
