-- A mark that is taken back keeps its row: a version that began anew would let a screen from before overwrite what somebody else marked since.
alter table weather_marks alter column hours drop not null;
comment on column weather_marks.hours is 'Null: taken back, the forecast counts again.';
