-- What a service is usually done with: what a crew loads for the day follows from it, and what the phone offers first at the stop.

create table chemical_mix_services (
  business_id uuid not null,
  mix_id uuid not null,
  service_id uuid not null,
  primary key (business_id, mix_id, service_id),
  foreign key (business_id, mix_id) references chemical_mixes on delete cascade,
  foreign key (business_id, service_id) references services on delete cascade
);
create index chemical_mix_services_service on chemical_mix_services (business_id, service_id);
select guard_tenant_table('chemical_mix_services');
comment on table chemical_mix_services is 'A service may take several mixes, a mix may serve several services.';
