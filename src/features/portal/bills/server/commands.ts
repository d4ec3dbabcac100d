import { systemActor } from '../../../../platform/actor.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { statementUrlTx } from '../../../invoices/statements/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { addRequestTx } from '../../../payments/cardlinks/server/commands.ts'
import { removeCardTx } from '../../../payments/cards/server/commands.ts'
import { findMethod } from '../../../payments/cards/server/queries.ts'
import { noteTx } from '../../../timeline/server/commands.ts'
import type { Door, Person } from '../../server/queries.ts'

/** The path of the customer's statement page, where everything open is paid at once. */
export const statementPathOf = (door: Door, person: Person): Promise<string> =>
  withTenant(door, async (db) => new URL(await statementUrlTx(db, person.customerId)).pathname)

/** The path of a page on which a card is left; nothing is kept or charged before that is done. */
export const cardPathOf = (door: Door, person: Person): Promise<string> =>
  withTenant(door, async (db) => (await addRequestTx(db, person.customerId, null)).path)

/** Forgets the card. Again is the same. */
export const removeCardByCustomer = (door: Door, person: Person): Promise<void> =>
  withTenant(door, async (db) => {
    const method = await findMethod(db, person.customerId)
    if (!method) return
    await removeCardTx(db, systemActor(door.businessId), person.customerId)
    await noteTx(db, person.customerId, `${person.name} removed the payment method on file in the customer portal.`)
    await notifyOffice(db, {
      type: 'invoice',
      title: `${person.customerName} removed their payment method`,
      content: 'Their invoices are not charged by themselves any more.',
      customerId: person.customerId,
      dedupeKey: `portal-card-removed:${method.id}`,
    })
  })
