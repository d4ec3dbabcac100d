import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { mergeStrokes, type Stroke } from '../../../../shared/strokes.ts'
import type { CommandOutcome, CrewCommand } from '../../rules.ts'
import { type Place, scopeOfVisit } from '../members/queries.ts'

/** What a person drew on a photo of their crew's visit, whatever became of the visit: the photo may still be on its way. */
export const applyMark = async (
  db: TenantDb,
  actor: Actor,
  { visitId = '', payload }: CrewCommand,
  { at, place }: { at: string; place: Place },
): Promise<CommandOutcome> => {
  if (place !== 'mine') return { result: 'refused', reason: place === 'unknown' ? 'not_found' : 'not_yours' }
  const { photoId = '', add = [], gone = [] } = payload.mark ?? {}
  await sql`select pg_advisory_xact_lock(hashtextextended(${`marks:${photoId}`}, 0))`.execute(db)
  const { rows } = await sql<{ visitId: string; strokes: Stroke[] | null }>`
    select coalesce(m.visit_id, x.visit_id) as "visitId", m.strokes
    from (select ${photoId}::uuid as id) p
    left join photo_marks m on m.business_id = ${db.businessId} and m.photo_id = p.id
    left join visit_photos x on x.business_id = ${db.businessId} and x.id = p.id`.execute(db)
  const [known] = rows
  if (known?.visitId && known.visitId !== visitId) return { result: 'refused', reason: 'not_found' }
  const strokes = JSON.stringify(mergeStrokes(known?.strokes ?? [], { add, gone }))
  await db
    .insertInto('photoMarks')
    .values({ businessId: db.businessId, photoId, visitId, strokes, userId: actor.userId, at })
    .onConflict((c) => c.columns(['businessId', 'photoId']).doUpdateSet({ strokes, userId: actor.userId, at }))
    .execute()
  await publishChange(db, 'visits', [visitId], await scopeOfVisit(db, visitId))
  return { result: 'applied', reason: null }
}
