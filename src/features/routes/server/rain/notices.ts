import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { paragraph, writeLetter } from '../../../../platform/mail/letter.ts'
import type { Day } from '../../../../shared/dates.ts'
import { plainText } from '../../../messages/rules.ts'
import { queueMessage, stopMessagesTx } from '../../../messages/server/commands.ts'
import { type Reach, reachOf } from '../../../messages/server/reach/queries.ts'
import { type Moved, type RainLanguage, rainMessage, rainSubject, recallMinutes } from '../../rain/rules.ts'

/** Who hears of a rain push, by which way, and how it is taken back before it left. */

export type RainMove = { visitId: string; from: Day; to: Day | null; skipped: boolean }
export type RainNotice = { customerId: string; name: string; language: RainLanguage; reach: Reach; moves: Moved[] }

/** When messages of a push that is made now leave. */
export const leavesAt = (): string => new Date(clock.nowMs() + recallMinutes * 60_000).toISOString()

/** One notice a customer, however many of their visits move. */
export const noticesOf = async (db: TenantDb, moves: readonly RainMove[]): Promise<RainNotice[]> => {
  if (moves.length === 0) return []
  const rows = await db
    .selectFrom('visits as v')
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'v.businessId').onRef('p.id', '=', 'v.propertyId'),
    )
    .innerJoin('customers as c', (x) => x.onRef('c.businessId', '=', 'v.businessId').onRef('c.id', '=', 'v.customerId'))
    .where('v.businessId', '=', db.businessId)
    .where('v.id', 'in', [...new Set(moves.map((m) => m.visitId))])
    .select(['v.id', 'p.street', 'c.id as customerId', 'c.name', 'c.email', 'c.phone', 'c.language'])
    .execute()
  const people = [...new Map(rows.map((row) => [row.customerId, row])).values()].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  const reaches = await reachOf(
    db,
    people.map(({ customerId, email, phone }) => ({ id: customerId, email, phone })),
    leavesAt(),
  )
  return people.map((person) => ({
    customerId: person.customerId,
    name: person.name,
    language: person.language === 'es' ? 'es' : 'en',
    reach: reaches.get(person.customerId)!,
    moves: moves
      .flatMap(({ visitId, ...move }) => {
        const row = rows.find((one) => one.id === visitId && one.customerId === person.customerId)
        return row ? [{ street: row.street, ...move }] : []
      })
      .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0)),
  }))
}

const entityOf = (changeId: string) => ({ type: 'route_change', id: changeId })

/** Puts the messages of a push into the outbox; none leaves before Undo had its time. `round` counts how often the push was made. */
export const tellOfRain = async (
  db: TenantDb,
  actor: Actor,
  push: { changeId: string; round: string; moves: readonly RainMove[] },
): Promise<number> => {
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'brandColor'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const runAfter = leavesAt()
  let queued = 0
  for (const { customerId, reach, moves, language } of await noticesOf(db, push.moves)) {
    if (reach.channel === null) continue
    const text = rainMessage(business.name, moves, language)
    const subject = rainSubject(business.name, language)
    const letter =
      reach.channel === 'email'
        ? writeLetter({
            language,
            from: business.name,
            brandColor: business.brandColor,
            title: subject,
            parts: [paragraph(text)],
          })
        : null
    await queueMessage(db, {
      channel: reach.channel,
      purpose: 'transactional',
      address: reach.address,
      dedupeKey: `rain:${push.round}:${customerId}`,
      ...(letter ? { subject, ...letter } : { text: plainText(text) }),
      customerId,
      userId: actor.userId,
      entity: entityOf(push.changeId),
      runAfter,
    })
    queued++
  }
  return queued
}

const leftStates = ['sending', 'sent', 'delivered', 'unknown'] as const

/** Takes back what has not left. Answers how many that were, and who was told already. */
export const recallRain = async (db: TenantDb, changeId: string): Promise<{ recalled: number; told: string[] }> => {
  const own = () =>
    db
      .selectFrom('messages')
      .leftJoin('customers', (x) =>
        x.onRef('customers.businessId', '=', 'messages.businessId').onRef('customers.id', '=', 'messages.customerId'),
      )
      .where('messages.businessId', '=', db.businessId)
      .where('messages.entityType', '=', 'route_change')
      .where('messages.entityId', '=', changeId)
  const waiting = await own().where('messages.status', 'in', ['pending', 'held']).select('messages.id').execute()
  await stopMessagesTx(db, entityOf(changeId), 'The rain push was taken back')
  // What began to leave while this waited for its lock was told.
  const left = await own()
    .where('messages.status', 'in', [...leftStates])
    .select(['messages.id', 'customers.name'])
    .execute()
  const gone = new Set(left.map((one) => one.id))
  return {
    recalled: waiting.filter((one) => !gone.has(one.id)).length,
    told: [...new Set(left.flatMap((one) => one.name ?? []))].sort(),
  }
}
