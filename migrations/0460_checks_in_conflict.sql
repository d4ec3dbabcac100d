-- The photo of a check whose money waits for the office's decision: it shows whose check it is, and is the payment's once that is booked.

alter table held_photos drop constraint held_photos_kind_check;
alter table held_photos add column command_id uuid;
alter table held_photos add constraint held_photos_kind_check check (kind in ('before', 'after', 'other', 'check'));
alter table held_photos add constraint held_photos_check_of check ((kind = 'check') = (command_id is not null));
create unique index held_photos_command on held_photos (business_id, command_id) where command_id is not null;
comment on column held_photos.command_id is 'Of a check: the phone''s command about the money, which is the id of its receipt once the money is booked.';

-- A tip that was taken at a visit which is deleted by now has no visit and perhaps no invoice; tip_shares say whose it is.
alter table payments drop constraint payments_tip;
alter table payments add constraint payments_tip check (tip_cents between 0 and allocated_cents);
