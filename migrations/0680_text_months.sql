-- What a plan allows is counted where a text leaves: one row a month instead of a sum over all its texts for each of them.
alter table messages add column counted_month text check (counted_month ~ '^\d{4}-\d{2}$');
comment on column messages.counted_month is 'The month, in the zone of the business, on whose texts it counts; null for what has not left and what no plan counts.';

create table text_months (
  business_id uuid not null references businesses on delete cascade,
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  segments integer not null default 0 check (segments >= 0),
  primary key (business_id, month)
);
comment on table text_months is 'SMS segments that left in a month: the sum over its messages, kept in the transaction that lets one leave.';

-- Only this month is asked for: what left up to two months ago covers every zone.
alter table messages no force row level security;
alter table businesses no force row level security;
update messages m
  set counted_month = to_char(m.created_at at time zone b.time_zone, 'YYYY-MM')
  from businesses b
  where b.business_id = m.business_id and m.channel = 'sms' and m.direction = 'outbound' and m.purpose <> 'account'
    and m.status in ('sending', 'sent', 'delivered', 'unknown', 'failed')
    and m.created_at >= date_trunc('month', now()) - interval '1 month';
insert into text_months (business_id, month, segments)
  select business_id, counted_month, sum(segments) from messages where counted_month is not null group by business_id, counted_month;
alter table businesses force row level security;
alter table messages force row level security;
select guard_tenant_table('text_months');
