import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { newId } from '../../../platform/ids.ts'
import { notFound } from '../../../shared/errors.ts'
import { requireCustomer } from '../../customers/server/queries.ts'
import type { TimelineItem } from '../contract.ts'

/** Notes by itself what a customer did, inside a running transaction. */
export const noteTx = async (db: TenantDb, customerId: string, text: string): Promise<void> => {
  await db
    .insertInto('customerNotes')
    .values({ businessId: db.businessId, id: newId(), customerId, body: text, userId: null, at: clock.iso() })
    .execute()
  await publishChange(db, 'customers', [customerId])
}

export const addNote = (who: Actor, customerId: string, text: string): Promise<TimelineItem> =>
  withTenant(who, async (db) => {
    await requireCustomer(db, customerId)
    const id = newId()
    const at = clock.iso()
    await db
      .insertInto('customerNotes')
      .values({ businessId: db.businessId, id, customerId, body: text, userId: who.userId, at })
      .execute()
    await audit(db, who, 'note.add', { type: 'customer', id: customerId }, { after: { text } })
    await publishChange(db, 'customers', [customerId])
    const own = { id, kind: 'note', at, dayOnly: false, title: 'Note', text } as const
    return { ...own, who: who.name, amountCents: null, photos: [], path: null }
  })

export const removeNote = (who: Actor, id: string): Promise<{ id: string; text: string }> =>
  withTenant(who, async (db) => {
    const gone = await db
      .deleteFrom('customerNotes')
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .returning(['customerId', 'body'])
      .executeTakeFirst()
    if (!gone) throw notFound('note')
    await audit(db, who, 'note.remove', { type: 'customer', id: gone.customerId }, { before: { text: gone.body } })
    await publishChange(db, 'customers', [gone.customerId])
    return { id, text: gone.body }
  })

/** Notes of a customer become another's, all of them or those named: both are the same person. Returns which. */
export const moveCustomerNotesTx = async (
  db: TenantDb,
  fromId: string,
  toId: string,
  only?: readonly string[],
): Promise<string[]> => {
  if (only?.length === 0) return []
  const rows = await db
    .updateTable('customerNotes')
    .set({ customerId: toId })
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', fromId)
    .$if(only !== undefined, (query) => query.where('id', 'in', [...(only ?? [])]))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
