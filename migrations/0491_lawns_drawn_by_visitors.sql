-- A visitor of the public page draws their lawn: the line is kept, not only its size.

alter table business_leads add column drawn_ring jsonb;
comment on column business_leads.drawn_ring is 'The lawn as the visitor drew it, [[latitude, longitude], …]: 3 to 200 corners that do not cross, near the address. Null where it was typed.';
