import { sql } from 'kysely'
import { todayOf } from '../features/businesses/server/queries.ts'
import { markRead, sayTx } from '../features/chat/server/commands.ts'
import { findThread } from '../features/chat/server/queries.ts'
import { addFileTx, storeImage } from '../features/files/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { lockedGate } from './photos.ts'

type Line = { by: 'office' | 'leader'; minutesAgo: number; text: string; visit?: boolean; photo?: boolean }

const toOffice: Line[] = [
  { by: 'leader', minutesAgo: 1530, text: 'Mower 3 pulls to the left. Can the shop look at it tonight?' },
  { by: 'office', minutesAgo: 1522, text: 'Yes. Leave it by the door with the key in.' },
  { by: 'leader', minutesAgo: 64, text: 'Gate is locked and nobody answers.', visit: true, photo: true },
  {
    by: 'office',
    minutesAgo: 60,
    text: 'I called her. She left it open, it only sticks. Lift and push.\nPlease close it again when you leave.',
  },
  { by: 'leader', minutesAgo: 57, text: 'That worked. Thanks!' },
]
const toCrew: Line[] = [
  { by: 'office', minutesAgo: 190, text: 'You have the new trimmer line on the truck. Tell me how it holds.' },
  { by: 'leader', minutesAgo: 22, text: 'Better than the old one. We need two more spools for Thursday.' },
]
const toEverybody: Line[] = [
  {
    by: 'office',
    minutesAgo: 205,
    text: 'Heat today: water every 30 minutes, and a break in the shade at noon. Nobody has to ask for it.',
  },
]

/** The first crew's leader and the office, in the words of a working day; the last word of the crew waits to be read. */
export const talk = async (owner: Actor): Promise<void> => {
  const { businessId } = owner
  const found = await withTenant(owner, async (db) => {
    const today = await todayOf(db)
    const { rows } = await sql<{
      crewId: string
      userId: string
      name: string
      visitId: string | null
      mates: string[]
    }>`
      select c.id as "crewId", u.id as "userId", u.name, (
          select v.id from visits v where v.business_id = c.business_id and v.crew_id = c.id and v.day = ${today}::date order by v.position limit 1) as "visitId",
        array(select m.user_id from crew_members m where m.business_id = c.business_id and m.crew_id = c.id and m.user_id <> u.id) as mates
      from crews c join users u on u.business_id = c.business_id and u.id = c.leader_user_id
      where c.business_id = ${db.businessId} order by c.position limit 1`.execute(db)
    return rows[0]
  })
  if (!found) return
  const leader: Actor = { ...owner, userId: found.userId, name: found.name, role: 'Employee', permissions: [] }
  const image = await storeImage(owner, await lockedGate())
  const say = async (threadId: string, lines: readonly Line[]): Promise<void> => {
    for (const { by, minutesAgo, text, visit, photo } of lines) {
      const actor = by === 'office' ? owner : leader
      const [id, photoId] = [newId(), newId()]
      const at = new Date(clock.nowMs() - minutesAgo * 60_000).toISOString()
      await withTenant(owner, async (db) => {
        const thread = await findThread(db, actor, threadId)
        if (!thread) return
        const photoIds = photo ? [photoId] : []
        await sayTx(db, actor, thread, { id, text, visitId: visit ? found.visitId : null, photoIds, at })
        if (photo) {
          const fileId = await addFileTx(db, actor, 'photo', image)
          await db
            .insertInto('chatPhotos')
            .values({ businessId, id: photoId, messageId: id, fileId, createdAt: at })
            .execute()
        }
      })
    }
  }
  const read = async (actor: Actor, threadId: string, upTo: number, minutesAgo: number): Promise<void> => {
    await markRead(actor, threadId, { upTo, secondsAgo: minutesAgo * 60 })
  }
  await say(businessId, toEverybody)
  for (const [at, userId] of [found.userId, ...found.mates].entries())
    await read({ ...leader, userId }, businessId, 1, 201 - at * 7)
  await say(found.userId, toOffice)
  await read(owner, found.userId, 1, 1524)
  await read(leader, found.userId, 2, 1500)
  await read(owner, found.userId, 3, 62)
  await read(leader, found.userId, 4, 59)
  await read(owner, found.userId, 5, 50)
  await say(found.crewId, toCrew)
  await read(leader, found.crewId, 1, 180)
  // It was said when it was written: the past of the demo has no phone without a signal.
  await withTenant(owner, async (db) => {
    await sql`update chat_messages set created_at = written_at, on_day = (written_at at time zone ${owner.timeZone})::date
      where business_id = ${businessId}`.execute(db)
    await sql`update chat_threads t set last_at = c.created_at from chat_messages c
      where t.business_id = ${businessId} and c.business_id = t.business_id and c.thread_id = t.id and c.number = t.last_number`.execute(
      db,
    )
    await sql`update users set created_at = created_at - interval '200 days' where business_id = ${businessId} and role = 'Employee'`.execute(
      db,
    )
  })
}
