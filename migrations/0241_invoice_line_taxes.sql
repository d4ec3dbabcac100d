-- What is said of sales tax by state needs to know of each line what was left of it after the discount, where it was done, and whether it was taxed.

alter table invoice_lines
  add column net_cents bigint,
  add column tax_state text,
  add column tax_treatment text check (tax_treatment in ('taxed', 'exempt', 'untaxed'));

comment on column invoice_lines.net_cents is 'What is left of it after its share of the invoice''s discount; null on lines made before this was kept.';
comment on column invoice_lines.tax_state is 'The state by which it was taxed, as its place stood then.';
comment on column invoice_lines.tax_treatment is 'taxed: a rate was charged; exempt: one would have been; untaxed: none is charged on such work there.';
