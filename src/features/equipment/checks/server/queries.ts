import { sql } from 'kysely'
import { keyset } from '../../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../../platform/links.ts'
import type { Day } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { CrewCheck, TruckDefect } from '../contract.ts'
import { getCheckSettings } from './settings.ts'

type Piece = CrewCheck['equipment'][number]

/** What a crew has on a day, as its phone shows it. */
const piecesOf = async (db: TenantDb, crewId: string, day: Day): Promise<Piece[]> => {
  const { rows } = await sql<Piece>`
    select e.id, e.kind, e.name, e.meter, case when e.out_since is null then null else e.out_reason end as out,
      r.tenths, r.read_on as "readOn"
    from equipment_crews m join equipment e on e.business_id = m.business_id and e.id = m.equipment_id
    left join lateral (
      select tenths, read_on from equipment_readings r where r.business_id = e.business_id and r.equipment_id = e.id and r.state = 'counted'
      order by r.read_at desc, r.id desc limit 1) r on true
    where m.business_id = ${db.businessId} and m.crew_id = ${crewId} and m.valid_from <= ${day}::date
      and (m.valid_to is null or m.valid_to >= ${day}::date) and e.archived_at is null
    order by array_position(array['truck', 'trailer', 'mower', 'other'], e.kind), lower(e.name), e.id
    limit 50`.execute(db)
  return rows
}

/** What the phone of a crew shows of a day's check; null for a crew without equipment, and where nobody is asked. */
export const findCrewCheck = async (db: TenantDb, crewId: string, day: Day): Promise<CrewCheck | null> => {
  const equipment = await piecesOf(db, crewId, day)
  if (equipment.length === 0) return null
  const { asks, items } = await getCheckSettings(db)
  const { rows } = await sql<{ by: string; at: string }>`
    select coalesce(split_part(u.name, ' ', 1), '') as by, k.checked_at as at
    from truck_checks k left join users u on u.business_id = k.business_id and u.id = k.user_id
    where k.business_id = ${db.businessId} and k.crew_id = ${crewId} and k.day = ${day}::date
    order by k.checked_at, k.id limit 1`.execute(db)
  return { asks, items, equipment, done: rows[0] ?? null }
}

/** Who has done the check of a day, of the crews that have equipment then. */
export const listDayChecks = async (db: TenantDb, day: Day) => {
  type Row = {
    crew: { id: string; name: string; color: string }
    check: { by: string; at: string; looked: number; wrong: number } | null
  }
  const { rows } = await sql<Row>`
    select jsonb_build_object('id', c.id, 'name', c.name, 'color', c.color) as crew,
      case when k.id is null then null else jsonb_build_object('by', coalesce(split_part(u.name, ' ', 1), ''),
        'at', to_char(k.checked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'looked', jsonb_array_length(k.answers),
        'wrong', (select count(*)::int from truck_defects d where d.business_id = k.business_id and d.check_id = k.id)) end as check
    from crews c
    left join lateral (
      select * from truck_checks k where k.business_id = c.business_id and k.crew_id = c.id and k.day = ${day}::date
      order by k.checked_at, k.id limit 1) k on true
    left join users u on u.business_id = k.business_id and u.id = k.user_id
    where c.business_id = ${db.businessId} and c.archived_at is null and exists (
      select 1 from equipment_crews m join equipment e on e.business_id = m.business_id and e.id = m.equipment_id
      where m.business_id = c.business_id and m.crew_id = c.id and m.valid_from <= ${day}::date
        and (m.valid_to is null or m.valid_to >= ${day}::date) and e.archived_at is null)
    order by c.position, c.name limit 200`.execute(db)
  return rows
}

type Row = Omit<TruckDefect, 'photos'> & { photos: { id: string; fileId: string | null }[] }

const shown = (db: TenantDb, { photos, ...row }: Row): TruckDefect => ({
  ...row,
  photos: photos.map(({ id, fileId }) => ({ id, url: fileId ? signedFilePath(db.businessId, fileId) : null })),
})

const columns = sql`
  d.id, d.item, d.note, d.stops, u.name as by, d.found_at as "foundAt",
  case when c.id is null then null else jsonb_build_object('id', c.id, 'name', c.name, 'color', c.color) end as crew,
  case when e.id is null then null else jsonb_build_object('id', e.id, 'name', e.name, 'out', e.out_since is not null,
    'keptOut', case when e.out_since is null then null else coalesce(
      (select o.item from truck_defects o where o.business_id = d.business_id and o.equipment_id = e.id and o.stops and o.settled_at is null
        and o.id <> d.id order by o.found_at desc, o.id desc limit 1),
      case when e.out_defect_id is null then e.out_reason end) end) end as equipment,
  case when d.settled_at is null then null else jsonb_build_object(
    'at', to_char(d.settled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'by', s.name, 'note', d.settled_note) end as settled,
  coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'fileId', f.file_id) order by p.at)
    from unnest(d.photo_ids) with ordinality p(id, at)
    left join truck_defect_photos f on f.business_id = d.business_id and f.id = p.id), '[]') as photos`
const tables = sql`
  truck_defects d
  left join users u on u.business_id = d.business_id and u.id = d.user_id
  left join users s on s.business_id = d.business_id and s.id = d.settled_by
  left join crews c on c.business_id = d.business_id and c.id = d.crew_id
  left join equipment e on e.business_id = d.business_id and e.id = d.equipment_id`

export const listDefects = async (
  db: TenantDb,
  filter: { equipmentId?: string | undefined; settled: boolean; cursor?: string | undefined; limit: number },
): Promise<{ items: TruckDefect[]; nextCursor: string | null }> => {
  const { beyond, order, values, limit, page } = keyset(
    [
      { of: sql`d.found_at`, type: 'instant' },
      { of: sql`d.id`, type: 'uuid' },
    ],
    { ...filter, order: 'desc' },
  )
  const { rows } = await sql<Row & { cursorKeys: never }>`
    select ${columns}, ${values} as "cursorKeys" from ${tables}
    where d.business_id = ${db.businessId} and d.settled_at is ${filter.settled ? sql`not null` : sql`null`} and ${beyond}
      ${filter.equipmentId ? sql`and d.equipment_id = ${filter.equipmentId}` : sql``}
    order by ${order} limit ${limit}`.execute(db)
  const { items, nextCursor } = page(rows)
  return { items: items.map((row) => shown(db, row)), nextCursor }
}

/** @throws AppError not_found */
export const getDefect = async (db: TenantDb, id: string): Promise<TruckDefect> => {
  const { rows } = await sql<Row>`
    select ${columns} from ${tables} where d.business_id = ${db.businessId} and d.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('defect')
  return shown(db, rows[0])
}
