-- Since when a lead's business has paid: the status becomes converted at that moment, once.
alter table prospects.leads add column paid_at timestamptz;
