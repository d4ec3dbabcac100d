-- What a product's label allows for 1,000 square feet: a rate is taken from it and refused above it.
alter table chemical_products
  add column label_low numeric(10,4) check (label_low > 0),
  add column label_high numeric(10,4) check (label_high > 0),
  add constraint chemical_products_label check (label_low is null or label_high is null or label_low <= label_high);
comment on column chemical_products.label_low is 'The least that the label says for 1,000 square feet, in the product''s unit; null where nobody typed it.';
comment on column chemical_products.label_high is 'The most that the label allows for 1,000 square feet, in the product''s unit; null where nobody typed it.';
