-- Reminders are looked at every ten minutes: whom nothing reaches is not tried each time.
alter table customer_notices add no_way_at timestamptz;
comment on column customer_notices.no_way_at is 'When a reminder last found no way to the customer; they are tried again after an hour, or once their record changed.';
