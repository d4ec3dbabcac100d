import { clock } from '../../../platform/clock.ts'
import { type ProspectsDb, withProspects } from '../../../platform/db/prospects.ts'
import { newId } from '../../../platform/ids.ts'
import { readTrackingToken } from '../../../platform/links.ts'
import { isForward, type MessageStatus } from '../../messages/rules.ts'
import { burstOf, isMachine } from '../rules.ts'

export type Visitor = { method: string; userAgent: string }

/** A mail that thousands look at, or somebody who plays with its picture, does not fill the database. */
const mostEvents = 200

/** Counts again what a person did, from all that was noted: a burst makes clicks a machine's that counted before. */
const recount = async (
  db: ProspectsDb,
  message: { id: string; status: string; deliveredAt: string | null },
): Promise<void> => {
  const events = await db
    .selectFrom('messageEvents')
    .select(['kind', 'at'])
    .where('messageId', '=', message.id)
    .where('isMachine', '=', false)
    .orderBy('at')
    .execute()
  const opens = events.filter((event) => event.kind === 'open')
  const clicks = events.filter((event) => event.kind === 'click')
  // Whoever clicks has the mail open, also when it shows no pictures.
  const first = events[0]?.at ?? null
  const arrived = first !== null && isForward(message.status as MessageStatus, 'delivered')
  await db
    .updateTable('messages')
    .set({
      openedAt: first,
      openCount: first === null ? 0 : Math.max(1, opens.length),
      clickedAt: clicks[0]?.at ?? null,
      clickCount: clicks.length,
      updatedAt: clock.iso(),
      ...(arrived ? { status: 'delivered', deliveredAt: message.deliveredAt ?? first } : {}),
    })
    .where('id', '=', message.id)
    .execute()
}

const note = async (
  db: ProspectsDb,
  messageId: string,
  event: { kind: 'open' | 'click'; linkId: string | null },
  visitor: Visitor,
): Promise<void> => {
  const message = await db
    .selectFrom('messages')
    .select(['id', 'sentAt', 'status', 'deliveredAt', 'direction'])
    .where('id', '=', messageId)
    .forUpdate()
    .executeTakeFirst()
  if (message?.direction !== 'outbound') return
  const { count } = await db
    .selectFrom('messageEvents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('messageId', '=', messageId)
    .executeTakeFirstOrThrow()
  if (count >= mostEvents) return
  const secondsSinceSent = message.sentAt === null ? null : (clock.nowMs() - Date.parse(message.sentAt)) / 1000
  await db
    .insertInto('messageEvents')
    .values({
      id: newId(),
      messageId,
      ...event,
      isMachine: isMachine({ ...visitor, secondsSinceSent }),
      userAgent: visitor.userAgent.slice(0, 300),
      at: clock.iso(),
    })
    .execute()
  if (event.kind === 'click') {
    const links = await db.selectFrom('messageLinks').select('id').where('messageId', '=', messageId).execute()
    const clicks = await db
      .selectFrom('messageEvents')
      .select(['id', 'linkId', 'at'])
      .where('messageId', '=', messageId)
      .where('kind', '=', 'click')
      .execute()
    const burst = burstOf(
      clicks.map((click) => ({ id: click.id, linkId: click.linkId ?? '', atMs: Date.parse(click.at) })),
      links.length,
    )
    if (burst.length > 0)
      await db.updateTable('messageEvents').set({ isMachine: true }).where('id', 'in', burst).execute()
  }
  await recount(db, message)
}

/** Notes that the picture of a mail was fetched; a token that nobody signed changes nothing. */
export const readOpen = async (token: string, visitor: Visitor): Promise<boolean> => {
  const messageId = readTrackingToken('open', token.replace(/\.gif$/, ''))
  if (!messageId) return false
  await withProspects((db) => note(db, messageId, { kind: 'open', linkId: null }, visitor))
  return true
}

/** Notes a click and says where the link leads: the stored address, or null for a token that nobody signed. */
export const readClick = async (token: string, visitor: Visitor): Promise<string | null> => {
  const linkId = readTrackingToken('click', token)
  if (!linkId) return null
  return withProspects(async (db) => {
    const link = await db
      .selectFrom('messageLinks')
      .select(['messageId', 'url'])
      .where('id', '=', linkId)
      .executeTakeFirst()
    if (!link) return null
    await note(db, link.messageId, { kind: 'click', linkId }, visitor)
    return link.url
  })
}
