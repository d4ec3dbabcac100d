import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { bedSquareFeetOf, edgeFeetOf } from '../../../customers/areas/server/queries.ts'
import { listExtrasOfStops } from '../../../extras/server/queries.ts'
import { type MeasuredBy, measureOf, treatedSquareFeet } from '../../../services/measures/rules.ts'
import { reachOf } from '../../../timeclock/arrivals/rules.ts'
import { shortName } from '../../../visits/rules.ts'
import { hasOtherDay, listOf } from '../../../visits/server/queries.ts'
import type { CrewStop, StopDetail } from '../../contract.ts'
import { findLastTimes } from '../last/queries.ts'
import { findLoads } from '../load/queries.ts'
import { findTreatments } from '../treat/queries.ts'

type Row = {
  id: string
  version: number
  status: CrewStop['status']
  street: string
  unit: string
  city: string
  state: string
  zip: string
  latitude: number | null
  longitude: number | null
  customerName: string
  customerCompany: string | null
  instructions: string
  dog: string
  parking: string
  noGo: string
  propertyNotes: string
  mowHeightInches: number | null
  clippings: CrewStop['notes']['clippings']
  hasGateCode: boolean
  budgetMinutes: number
  windowStartMinute: number | null
  windowEndMinute: number | null
  checked: string[]
  enRouteAt: string | null
  startedAt: string | null
  intervalStartedAt: string | null
  finishedAt: string | null
  workedSeconds: number
  skipReason: string | null
  skipNote: string
  rebooked: boolean
  movedTo: string | null
  crewNow: string | null
  note: string
  customerNote: string
  sawNote: string
  didNote: string
  expectNote: string
  nextNote: string
  customerLanguage: 'en' | 'es'
  ownChecklist: unknown
  photoItems: string[]
  officeNote: string
  propertyId: string
  lawnSquareFeet: number | null
  bedSquareFeet: number | null
  edgeFeet: number | null
  treatedBy: MeasuredBy[]
  corners: [number, number][] | null
  treats: boolean
  mows: boolean
  services: { name: string; nameEs: string; checklist: unknown; photoRequired: boolean }[]
  photos: { before: number; after: number; other: number }
  pictures: NonNullable<StopDetail['pictures']>
  marks: NonNullable<StopDetail['marks']>
}

const unique = <T>(list: readonly T[], key: (item: T) => string): T[] => [
  ...new Map(list.map((item) => [key(item), item])).values(),
]

/** A stop, and the crew that has it in the plan as it is now. */
type FoundStop = StopDetail & { crewNow: string | null }

const shown = (row: Row): FoundStop => {
  const { customerName, customerCompany, services, dog, parking, noGo, propertyNotes, mowHeightInches, ...rest } = row
  const { clippings, ownChecklist, corners, lawnSquareFeet: _f, bedSquareFeet: _b, edgeFeet: _e, ...stated } = rest
  const { treatedBy: _by, treats: _t, ...stop } = stated
  const { latitude, longitude } = stop
  const kinds = unique(services, ({ name }) => name)
  return {
    ...stop,
    ...(corners && latitude !== null && longitude !== null
      ? { reachMeters: reachOf({ latitude, longitude }, corners) }
      : {}),
    customer: shortName(customerName, customerCompany),
    services: kinds.map(({ name }) => name),
    ...(kinds.some(({ nameEs }) => nameEs) ? { servicesEs: kinds.map(({ name, nameEs }) => nameEs || name) } : {}),
    notes: { dog, parking, noGo, property: propertyNotes, mowHeightInches, clippings },
    checklist: listOf(
      ownChecklist,
      services.map((s) => s.checklist),
    ),
    photoRequired: services.some((s) => s.photoRequired),
  }
}

/** The details of stops as a crew may see them, by visit. No money is read here. */
export const findStops = async (db: TenantDb, visitIds: readonly string[]): Promise<Map<string, FoundStop>> => {
  if (visitIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select v.id, v.version, v.status, p.street, p.unit, p.city, p.state, p.zip, p.latitude, p.longitude,
      c.name as "customerName", c.company as "customerCompany", j.instructions, p.dog, p.parking, p.no_go as "noGo",
      p.notes as "propertyNotes", p.mow_height_inches as "mowHeightInches", p.clippings,
      p.gate_code_cipher is not null as "hasGateCode", v.budget_minutes as "budgetMinutes",
      v.window_start_minute as "windowStartMinute", v.window_end_minute as "windowEndMinute", v.checked,
      v.en_route_at as "enRouteAt", v.started_at as "startedAt", v.interval_started_at as "intervalStartedAt",
      v.finished_at as "finishedAt", v.worked_seconds as "workedSeconds", v.skip_reason as "skipReason",
      v.skip_note as "skipNote", ${hasOtherDay('v')} as rebooked,
      case when v.status = 'scheduled' and v.published_day is not null and v.day <> v.published_day then v.day end as "movedTo", v.crew_id as "crewNow", v.note,
      v.customer_note as "customerNote", v.saw_note as "sawNote", v.did_note as "didNote", v.expect_note as "expectNote", v.next_note as "nextNote", c.language as "customerLanguage",
      v.office_note as "officeNote", v.checklist as "ownChecklist",
      array(select x.caption from visit_photos x where x.business_id = v.business_id and x.visit_id = v.id and x.caption <> '') as "photoItems",
      coalesce((select jsonb_agg(jsonb_build_object('name', s.name, 'nameEs', s.name_es, 'checklist', s.checklist, 'photoRequired', s.photo_required)
          order by l.position, l.id)
        from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id), '[]') as services,
      (select jsonb_build_object('before', count(*) filter (where x.kind = 'before'),
          'after', count(*) filter (where x.kind = 'after'), 'other', count(*) filter (where x.kind = 'other'))
        from visit_photos x where x.business_id = v.business_id and x.visit_id = v.id) as photos,
      coalesce((select jsonb_agg(jsonb_build_object('id', x.id, 'kind', x.kind) order by x.taken_at, x.id)
        from visit_photos x where x.business_id = v.business_id and x.visit_id = v.id), '[]') as pictures,
      coalesce((select jsonb_object_agg(m.photo_id, m.strokes) from photo_marks m
        where m.business_id = v.business_id and m.visit_id = v.id), '{}') as marks,
      v.property_id as "propertyId", p.lawn_square_feet as "lawnSquareFeet",
      ${bedSquareFeetOf('p')} as "bedSquareFeet", ${edgeFeetOf('p')} as "edgeFeet",
      array(select distinct s.measured_by from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id and s.category = 'treat') as "treatedBy",
      (select jsonb_agg(corner.value) from property_areas a, jsonb_array_elements(a.rings->0) as corner(value)
        where a.business_id = p.business_id and a.property_id = p.id and jsonb_typeof(a.rings) = 'array') as corners,
      exists (select 1 from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id and s.category = 'treat') as treats,
      exists (select 1 from visit_lines l join services s on s.business_id = l.business_id and s.id = l.service_id
        where l.business_id = v.business_id and l.visit_id = v.id and s.category = 'mow') as mows
    from visits v
    join jobs j on j.business_id = v.business_id and j.id = v.job_id
    join properties p on p.business_id = v.business_id and p.id = v.property_id
    join customers c on c.business_id = v.business_id and c.id = v.customer_id
    where v.business_id = ${db.businessId} and v.id = any(${sql.val([...visitIds])}::uuid[])`.execute(db)
  const treatments = await findTreatments(
    db,
    rows.map((row) => ({
      ...row,
      squareFeet: treatedSquareFeet(row.treatedBy.map((measuredBy) => measureOf({ measuredBy }, row))),
    })),
  )
  const lasts = await findLastTimes(db, visitIds)
  const extras = await listExtrasOfStops(db, visitIds)
  const loads = await findLoads(db, visitIds)
  return new Map(
    rows.map((row) => {
      const found = loads.get(row.id)
      const known = treatments.get(row.id)
      const treatment = known && { ...known, ...(found?.mixIds.length ? { mixIds: found.mixIds } : {}) }
      const last = lasts.get(row.id) ?? null
      return [
        row.id,
        {
          ...shown(row),
          last,
          extras: extras.get(row.id) ?? [],
          ...(treatment ? { treatment } : {}),
          ...(found ? { load: found.load } : {}),
        },
      ]
    }),
  )
}
