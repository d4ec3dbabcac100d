-- What a crew member who reads Spanish reads of a service and its checklist; nothing typed is the name itself.
alter table services add column name_es text not null default '' check (length(name_es) <= 120);
comment on column services.name_es is 'The name for crews who read Spanish; empty is the name itself.';

-- behind the wall of the tenants there are no rows to change
alter table services no force row level security;

-- the usual services as a business began with them, where nobody gave them another name
update services s set name_es = k.es from (values
  ('Mow, edge, trim and blow', 'Cortar, orillar, recortar y soplar'),
  ('Fertilize and weed control', 'Fertilizar y controlar maleza'),
  ('Core aeration', 'Aireación'),
  ('Overseed', 'Resembrar'),
  ('Dethatch', 'Quitar la paja del césped'),
  ('Mulch installed', 'Poner mantillo'),
  ('Hedge and shrub trimming', 'Podar setos y arbustos'),
  ('Bed weeding', 'Deshierbar jardineras'),
  ('Leaf clean-up', 'Recoger hojas'),
  ('Lime application', 'Aplicar cal')) k(en, es) where s.name = k.en;

update services s set checklist = (
  select jsonb_agg(case when k.es is null or t.item ? 'es' then t.item else t.item || jsonb_build_object('es', k.es) end order by t.at)
  from jsonb_array_elements(s.checklist) with ordinality t(item, at)
  left join (values
    ('Gates closed', 'Portones cerrados'),
    ('Walks and drive blown off', 'Aceras y entrada sopladas'),
    ('Lawn flag posted', 'Bandera de aviso puesta'),
    ('Wind checked before spraying', 'Viento revisado antes de rociar'),
    ('Sprinkler heads and lines flagged', 'Aspersores y líneas marcados'),
    ('Kept clear of trunks and siding', 'Sin tocar troncos ni paredes'),
    ('Cuttings hauled away', 'Recortes retirados'),
    ('Gutters at the curb left open', 'Cunetas libres')) k(en, es) on k.en = t.item ->> 'text')
where jsonb_typeof(s.checklist) = 'array' and jsonb_array_length(s.checklist) > 0;

alter table services force row level security;
