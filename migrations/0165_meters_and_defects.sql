-- Service counts across a meter that was replaced; what took a piece out of service, and since when it is back, is known.

alter table equipment_readings
  add column earlier_tenths integer not null default 0,
  add column new_meter boolean not null default false;
comment on column equipment_readings.earlier_tenths is 'What the meters before this one counted: together with tenths, what the piece has done. Below zero for a used meter that began higher.';
comment on column equipment_readings.new_meter is 'The first reading of another meter.';

alter table equipment_plans add column from_earlier_tenths integer not null default 0;
alter table equipment_work add column earlier_tenths integer not null default 0;

create index equipment_readings_counted on equipment_readings (business_id, equipment_id, read_on desc, read_at desc, id desc) where state = 'counted';

alter table equipment
  add column out_defect_id uuid,
  add column back_since timestamptz,
  add foreign key (business_id, out_defect_id) references truck_defects on delete set null (out_defect_id);
create index equipment_out_defect on equipment (business_id, out_defect_id) where out_defect_id is not null;
comment on column equipment.out_defect_id is 'The defect of a crew that took it out; null where the office did.';
comment on column equipment.back_since is 'When it was last brought back: what a phone found before then takes it out no more.';

alter table equipment no force row level security;
alter table truck_defects no force row level security;
update equipment e set out_defect_id = d.id
from truck_defects d
where d.business_id = e.business_id and d.equipment_id = e.id and d.stops and d.settled_at is null and d.found_at = e.out_since;
alter table equipment force row level security;
alter table truck_defects force row level security;

drop index truck_defects_open;
create index truck_defects_open on truck_defects (business_id, found_at desc, id desc) where settled_at is null;
create index truck_defects_settled on truck_defects (business_id, found_at desc, id desc) where settled_at is not null;
create index truck_defects_stop on truck_defects (business_id, equipment_id) where settled_at is null and stops;
