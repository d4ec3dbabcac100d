import { sql } from 'kysely'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { smallFilePath } from '../../../../platform/links.ts'
import { type LastTime, mostLastPhotos } from '../../last/contract.ts'

/** Among so many of the newest finished visits of a property, one with the same work is looked for. */
const mostLooked = 12

/**
 * The last time at each stop: the newest finished visit of the same property that did some of the same work, else the newest one. Stops that nobody
 * was at before are not in it.
 */
export const findLastTimes = async (db: TenantDb, visitIds: readonly string[]): Promise<Map<string, LastTime>> => {
  if (visitIds.length === 0) return new Map()
  const { rows } = await sql<LastTime & { id: string }>`
    select v.id, l.id as "visitId", l.day, split_part(u.name, ' ', 1) as by,
      coalesce(nullif(l.next_note, ''), l.note) as text,
      array(select x.id from visit_photos x where x.business_id = v.business_id and x.visit_id = l.id
        order by (x.kind = 'after') desc, x.taken_at desc nulls last, x.id desc limit ${mostLastPhotos}) as "photoIds",
      (select jsonb_object_agg(m.photo_id, m.strokes) from photo_marks m where m.business_id = v.business_id and m.visit_id = l.id) as marks
    from visits v
    join lateral (
      select recent.* from (
        select o.id, o.business_id, o.day, o.next_note, o.note, o.finished_by from visits o
        where o.business_id = v.business_id and o.property_id = v.property_id and o.status = 'completed' and o.day is not null
          and o.id <> v.id and o.day <= coalesce(v.day, o.day) order by o.day desc, o.id desc limit ${mostLooked}
      ) recent
      order by exists (select 1 from visit_lines a join visit_lines b on b.business_id = a.business_id and b.service_id = a.service_id
        where a.business_id = v.business_id and a.visit_id = v.id and b.visit_id = recent.id) desc, recent.day desc, recent.id desc
      limit 1) l on true
    left join users u on u.business_id = l.business_id and u.id = l.finished_by
    where v.business_id = ${db.businessId} and v.id = any(${sql.val([...visitIds])}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, marks, ...last }) => [id, { ...last, ...marksOf(marks, last.photoIds) }]))
}

/** What is drawn on the photos that go along; nothing of others. */
const marksOf = (marks: LastTime['marks'] | null, photoIds: readonly string[]): Pick<LastTime, 'marks'> => {
  const shown = Object.entries(marks ?? {}).filter(([id]) => photoIds.includes(id))
  return shown.length > 0 ? { marks: Object.fromEntries(shown) } : {}
}

/** Where the photos of the last times at these stops are, small. */
export const listLastPhotos = async (
  db: TenantDb,
  visitIds: readonly string[],
): Promise<{ id: string; url: string }[]> => {
  const photoIds = [...(await findLastTimes(db, visitIds)).values()].flatMap((last) => last.photoIds)
  if (photoIds.length === 0) return []
  const found = await db
    .selectFrom('visitPhotos')
    .select(['id', 'fileId'])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', photoIds)
    .execute()
  return found.map(({ id, fileId }) => ({ id, url: smallFilePath(db.businessId, fileId) }))
}
