import { sql } from 'kysely'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { conflict, notFound } from '../../../../shared/errors.ts'
import { lockPaymentTx } from '../../corrections/server/rows.ts'
import { shareMove } from '../rules.ts'

/** Says whose a payment's tip is; they share it evenly. The books are not touched by it. @throws not_found, state_conflict without a tip */
export const nameTipPeople = (actor: Actor, paymentId: string, userIds: readonly string[]) =>
  withTenant(actor, async (db) => {
    await lockPaymentTx(db, paymentId)
    const { rows: given } = await sql<{ cents: number }>`
      select amount_cents::int8 as cents from tip_moves where business_id = ${db.businessId} and payment_id = ${paymentId}
      order by created_at, id limit 1`.execute(db)
    const tipCents = Number(given[0]?.cents ?? 0)
    if (tipCents === 0) throw conflict('No tip came with this payment. Nothing was changed.')
    const ids = [...new Set(userIds)].sort()
    const people = await db
      .selectFrom('users')
      .select(['id', 'name'])
      .where('businessId', '=', db.businessId)
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    if (people.length !== ids.length) throw notFound('person')
    const shares = shareMove(
      tipCents,
      people.map(({ id }) => ({ userId: id, cents: 1 })),
    )
    await db
      .deleteFrom('tipShares')
      .where('businessId', '=', db.businessId)
      .where('paymentId', '=', paymentId)
      .execute()
    await db
      .insertInto('tipShares')
      .values(shares.map((share) => ({ businessId: db.businessId, paymentId, ...share })))
      .execute()
    await audit(db, actor, 'tip.people', { type: 'payment', id: paymentId }, { after: { userIds: ids } })
    await publishChange(db, 'payments', [paymentId])
    return { people: shares.map((share, at) => ({ ...share, name: people[at]?.name ?? '' })) }
  })
