import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { paragraph } from '../../../../platform/mail/letter.ts'
import type { Day } from '../../../../shared/dates.ts'
import { customerLetter, getLetterSender } from '../../../businesses/letters/server/queries.ts'
import { listRecipients } from '../../../customers/contacts/server/queries.ts'
import { plainText } from '../../../messages/rules.ts'
import { queueMessage, stopMessagesTx } from '../../../messages/server/commands.ts'
import { type Reach, reachOf } from '../../../messages/server/reach/queries.ts'
import { noteToldTx, noteUntoldTx } from '../../../notices/server/commands.ts'
import { mutedCustomers } from '../../../notices/server/queries.ts'
import { type Moved, type RainLanguage, rainMessage, rainSubject, recallMinutes } from '../../rain/rules.ts'

/** Who hears of a rain push, by which way, and how it is taken back before it left. */

export type RainMove = { visitId: string; from: Day; to: Day | null; skipped: boolean }
/** One person's way; `contactId` is null for the customer. */
type RainReach = Reach & { contactId: string | null }
export type RainNotice = {
  customerId: string
  name: string
  language: RainLanguage
  reach: Reach
  /** Ways to their contacts who get notices of visits, too. */
  others: RainReach[]
  moves: (Moved & { visitId: string })[]
}

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
    .select(['v.id', 'p.street', 'c.id as customerId', 'c.name', 'c.language'])
    .execute()
  const people = [...new Map(rows.map((row) => [row.customerId, row])).values()].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  const recipients = await listRecipients(
    db,
    people.map(({ customerId }) => customerId),
    'visits',
  )
  const whom = people.flatMap(({ customerId }) =>
    recipients(customerId).map((one) => ({ ...one, customerId, id: `${customerId}:${one.contactId ?? ''}` })),
  )
  const reaches = await reachOf(db, whom, leavesAt())
  const reachesOf = (customerId: string): RainReach[] =>
    whom.flatMap((one) => {
      const reach = one.customerId === customerId ? reaches.get(one.id) : undefined
      return reach ? [{ ...reach, contactId: one.contactId }] : []
    })
  const muted = await mutedCustomers(
    db,
    'moved',
    people.map((person) => person.customerId),
  )
  const byVisit = new Map(rows.map((row) => [row.id, row]))
  const movesBy = Map.groupBy(
    moves.flatMap((move) => {
      const row = byVisit.get(move.visitId)
      return row ? [{ ...move, street: row.street, customerId: row.customerId }] : []
    }),
    (move) => move.customerId,
  )
  return people.map((person) => {
    const all = muted.has(person.customerId) ? [] : reachesOf(person.customerId)
    const first = all.find((one) => one.channel !== null) ?? all[0]
    return {
      customerId: person.customerId,
      name: person.name,
      language: person.language === 'es' ? 'es' : 'en',
      reach: first ?? {
        channel: null,
        reason: muted.has(person.customerId) ? 'Wants no word of moves' : 'Nobody gets notices of visits',
      },
      others: all.filter((one) => one !== first && one.channel !== null),
      moves: (movesBy.get(person.customerId) ?? []).sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0)),
    }
  })
}

const entityOf = (changeId: string) => ({ type: 'route_change', id: changeId })

/** Puts the messages of a push into the outbox; none leaves before Undo had its time. `round` counts how often the push was made. */
export const tellOfRain = async (
  db: TenantDb,
  actor: Actor,
  push: { changeId: string; round: string; moves: readonly RainMove[] },
): Promise<number> => {
  const business = await getLetterSender(db)
  const runAfter = leavesAt()
  let queued = 0
  const told: { visitId: string; customerId: string; day: Day }[] = []
  for (const { customerId, reach, others, moves, language } of await noticesOf(db, push.moves)) {
    if (reach.channel === null) continue
    const text = rainMessage(business.name, moves, language)
    const subject = rainSubject(business.name, language)
    const letter = customerLetter(business, {
      language,
      title: subject,
      parts: [paragraph(text)],
    })
    for (const one of [{ ...reach, key: '' }, ...others.map((other) => ({ ...other, key: `:${other.contactId}` }))]) {
      if (one.channel === null) continue
      await queueMessage(db, {
        channel: one.channel,
        purpose: 'transactional',
        address: one.address,
        dedupeKey: `rain:${push.round}:${customerId}${one.key}`,
        ...(one.channel === 'email' ? { subject, ...letter } : { text: plainText(text) }),
        customerId,
        userId: actor.userId,
        entity: entityOf(push.changeId),
        runAfter,
      })
      queued++
    }
    told.push(...moves.flatMap(({ visitId, to }) => (to === null ? [] : [{ visitId, customerId, day: to }])))
  }
  await noteToldTx(db, told)
  return queued
}

/** The moves of some customers, with the day each visit was on. */
const visitsOfCustomers = async (
  db: TenantDb,
  customerIds: readonly string[],
  moves: readonly RainMove[],
): Promise<{ visitId: string; day: Day }[]> => {
  const moved = moves.filter((move) => move.to !== null)
  if (customerIds.length === 0 || moved.length === 0) return []
  const rows = await db
    .selectFrom('visits')
    .select(['id', 'customerId'])
    .where('businessId', '=', db.businessId)
    .where(
      'id',
      'in',
      moved.map((move) => move.visitId),
    )
    .execute()
  const own = new Set(rows.filter((row) => customerIds.includes(row.customerId)).map((row) => row.id))
  return moved.filter((move) => own.has(move.visitId)).map(({ visitId, from }) => ({ visitId, day: from }))
}

const leftStates = ['sending', 'sent', 'delivered', 'unknown'] as const

/** Takes back what has not left. Answers how many that were, and who was told already. */
export const recallRain = async (
  db: TenantDb,
  changeId: string,
  moves: readonly RainMove[],
): Promise<{ recalled: number; told: string[] }> => {
  const own = () =>
    db
      .selectFrom('messages')
      .leftJoin('customers', (x) =>
        x.onRef('customers.businessId', '=', 'messages.businessId').onRef('customers.id', '=', 'messages.customerId'),
      )
      .where('messages.businessId', '=', db.businessId)
      .where('messages.entityType', '=', 'route_change')
      .where('messages.entityId', '=', changeId)
  const waiting = await own()
    .where('messages.status', 'in', ['pending', 'held'])
    .select(['messages.id', 'messages.customerId'])
    .execute()
  await stopMessagesTx(db, entityOf(changeId), 'The rain push was taken back')
  // What began to leave while this waited for its lock was told.
  const left = await own()
    .where('messages.status', 'in', [...leftStates])
    .select(['messages.id', 'messages.customerId', 'customers.name'])
    .execute()
  const gone = new Set(left.map((one) => one.id))
  const back = waiting.filter((one) => !gone.has(one.id))
  // Who was told stays told: a notice says by itself that the visit is back.
  const untold = await visitsOfCustomers(
    db,
    back.flatMap((one) => one.customerId ?? []),
    moves,
  )
  await noteUntoldTx(db, untold)
  return {
    recalled: back.length,
    told: [...new Set(left.flatMap((one) => one.name ?? []))].sort(),
  }
}
