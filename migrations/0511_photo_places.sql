-- Where a photo was taken, of a person who shares their positions at work: where a posted sign stood can be shown. Others' photos have no place.

alter table visit_photos
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add column accuracy_meters integer check (accuracy_meters >= 0),
  add constraint visit_photos_place check ((latitude is null) = (longitude is null) and (latitude is not null or accuracy_meters is null));
alter table held_photos
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add column accuracy_meters integer check (accuracy_meters >= 0);
comment on column visit_photos.latitude is 'Where the phone was, of who shares that; null else.';
