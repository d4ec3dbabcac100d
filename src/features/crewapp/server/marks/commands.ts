import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { mergeStrokes, type Stroke } from '../../../../shared/strokes.ts'
import type { CommandOutcome, CrewCommand } from '../../rules.ts'
import { type Place, scopeOfVisit } from '../members/queries.ts'
import { workHeld } from '../photos/held.ts'

/**
 * What a drawing on a photo of a visit comes to that is with another crew by now, or gone. It goes the way of its photo: onto the visit where the photo
 * stands there or the office has said that the work counts, else it waits with the photo. Other people's photos are not theirs to draw on.
 */
const outOfPlace = async (
  db: TenantDb,
  actor: Actor,
  { visitId, photoId, place }: { visitId: string; photoId: string; place: Exclude<Place, 'mine'> },
): Promise<CommandOutcome | null> => {
  const reason = place === 'unknown' ? 'not_found' : 'not_yours'
  const { rows } = await sql<{ mine: boolean; onVisit: boolean }>`
    select created_by = ${actor.userId} as mine, true as "onVisit" from visit_photos
    where business_id = ${db.businessId} and id = ${photoId}::uuid and visit_id = ${visitId}::uuid
    union all
    select user_id = ${actor.userId}, false from held_photos
    where business_id = ${db.businessId} and id = ${photoId}::uuid and visit_id = ${visitId}::uuid and command_id is null`.execute(
    db,
  )
  if (rows.some(({ mine }) => !mine)) return { result: 'refused', reason }
  if (rows.some(({ onVisit }) => onVisit)) return null
  const decision = (await workHeld(db, actor, visitId))?.decision
  if (decision === 'counts' && place === 'notMine') return null
  return decision ? { result: 'refused', reason: 'decided' } : { result: 'conflict', reason }
}

/**
 * What a person drew on a photo of their crew's visit, whatever became of the visit: the photo may still be on its way.
 * @param byOffice the office has decided that it counts
 */
export const applyMark = async (
  db: TenantDb,
  actor: Actor,
  { visitId = '', payload }: CrewCommand,
  { at, place, byOffice = false }: { at: string; place: Place; byOffice?: boolean },
): Promise<CommandOutcome> => {
  const { photoId = '', add = [], gone = [] } = payload.mark ?? {}
  await sql`select pg_advisory_xact_lock(hashtextextended(${`marks:${photoId}`}, 0))`.execute(db)
  const { rows } = await sql<{ visitId: string; strokes: Stroke[] | null }>`
    select coalesce(m.visit_id, x.visit_id) as "visitId", m.strokes
    from (select ${photoId}::uuid as id) p
    left join photo_marks m on m.business_id = ${db.businessId} and m.photo_id = p.id
    left join visit_photos x on x.business_id = ${db.businessId} and x.id = p.id`.execute(db)
  const [known] = rows
  if (known?.visitId && known.visitId !== visitId) return { result: 'refused', reason: 'not_found' }
  if (place === 'unknown' || (place === 'notMine' && !byOffice)) {
    const outcome = await outOfPlace(db, actor, { visitId, photoId, place })
    if (outcome) return outcome
  }
  const strokes = JSON.stringify(mergeStrokes(known?.strokes ?? [], { add, gone }))
  await db
    .insertInto('photoMarks')
    .values({ businessId: db.businessId, photoId, visitId, strokes, userId: actor.userId, at })
    .onConflict((c) => c.columns(['businessId', 'photoId']).doUpdateSet({ strokes, userId: actor.userId, at }))
    .execute()
  await publishChange(db, 'visits', [visitId], await scopeOfVisit(db, visitId))
  return { result: 'applied', reason: null }
}
