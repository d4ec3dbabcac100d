import { sql } from 'kysely'
import type { Actor } from '../../../platform/actor.ts'
import { keyset } from '../../../platform/db/cursor.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { canOf, refuse } from '../../../shared/can.ts'
import { notFound } from '../../../shared/errors.ts'
import { type CardBatch, doorcardsApi } from '../contract.ts'
import { batchRefusals } from '../rules.ts'

/** Cards that were made together: to print them once more, or to take them back. */

type Row = Omit<CardBatch, 'can'>

const columns = sql`d.id, d.language, d.offer, d.created_at, d.undone_at,
  (select p.street from properties p where p.business_id = d.business_id and p.id = d.property_id) as street,
  (select u.name from users u where u.business_id = d.business_id and u.id = d.by_user_id) as by_name,
  (select count(*)::int from door_card_doors o where o.business_id = d.business_id and o.card_id = d.id) as doors`

const needs = { undo: doorcardsApi.undo, print: doorcardsApi.pdf }
const shown = (actor: Actor, row: Row): CardBatch => ({ ...row, can: canOf(actor, needs, batchRefusals, row) })

/** The newest first; ids are UUIDv7. */
export const listBatches = async (
  db: TenantDb,
  actor: Actor,
  query: { cursor?: string | undefined; limit: number },
): Promise<{ items: CardBatch[]; nextCursor: string | null }> => {
  const { beyond, order, values, limit, page } = keyset([{ of: sql`d.id`, type: 'uuid' }], { ...query, order: 'desc' })
  const { rows } = await sql<Row & { cursorKeys: string[] }>`
    select ${columns}, ${values} as cursor_keys from door_cards d
    where d.business_id = ${db.businessId} and ${beyond} order by ${order} limit ${limit}`.execute(db)
  const { items, nextCursor } = page(rows)
  return { items: items.map((row) => shown(actor, row)), nextCursor }
}

/** @throws not_found */
export const getBatch = async (db: TenantDb, actor: Actor, id: string): Promise<CardBatch> => {
  const { rows } = await sql<Row>`
    select ${columns} from door_cards d where d.business_id = ${db.businessId} and d.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('card')
  return shown(actor, rows[0])
}

const stopOf = (db: TenantDb) =>
  db
    .selectFrom('doorCards')
    .innerJoin('properties', (join) =>
      join
        .onRef('properties.businessId', '=', 'doorCards.businessId')
        .onRef('properties.id', '=', 'doorCards.propertyId'),
    )
    .where('doorCards.businessId', '=', db.businessId)

/** The stop that a card's code stands for, in words, or null: a lead keeps it as where it came from. */
export const cardStopOf = async (db: TenantDb, ref: string): Promise<string | null> => {
  const [, code] = /^card-([a-z0-9]{8})$/.exec(ref.trim().toLowerCase()) ?? []
  if (!code) return null
  const row = await stopOf(db).select('properties.street').where('doorCards.code', '=', code).executeTakeFirst()
  return row ? `Door card near ${row.street}` : null
}

/** What stands on the cards. @throws not_found, conflict where they were taken back */
export const readCards = async (db: TenantDb, id: string) => {
  const card = await stopOf(db)
    .innerJoin('businesses', 'businesses.businessId', 'doorCards.businessId')
    .select([
      'doorCards.code',
      'doorCards.language',
      'doorCards.offer',
      'doorCards.undoneAt',
      'properties.street',
      'businesses.name',
      'businesses.phone',
      'businesses.slug',
      'businesses.brandColor',
    ])
    .where('doorCards.id', '=', id)
    .executeTakeFirst()
  if (!card) throw notFound('card')
  const { undoneAt, ...words } = card
  refuse(batchRefusals.print({ undoneAt }))
  const doors = await db
    .selectFrom('doorCardDoors')
    .select(['street', 'city'])
    .where('businessId', '=', db.businessId)
    .where('cardId', '=', id)
    .orderBy('position')
    .execute()
  return { ...words, doors }
}
