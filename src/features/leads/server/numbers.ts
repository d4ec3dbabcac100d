import { sql } from 'kysely'
import { userIdOf, type Who } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { formatPhone } from '../../../shared/phone.ts'
import type { NumberTaken } from '../../customers/numbers/server/commands.ts'
import { giveMessagesTx, lockAddress, recallAskingTx } from '../../messages/server/commands.ts'
import { lockLead, setLead, tellPast } from './rows.ts'

/** So many leads have one number at most; whoever asked again stayed one. */
const mostLeads = 20

/**
 * A number is a customer's now: what was texted with it, the notes on it and what was done with its conversation go to the customer, and its lead is
 * theirs. A lead that asks for a place that the customer has not is known as theirs, and its property is still to be made.
 */
export const takeNumberOfLeadsTx = async (
  db: TenantDb,
  who: Who,
  { customerId, phone, isNew }: NumberTaken,
): Promise<void> => {
  // a text that comes in at this moment is put down before or after this, never beside it
  await lockAddress(db, 'sms', phone)
  const customer = await db
    .selectFrom('customers')
    .select(['name', 'archivedAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  // a number of an archived customer is nobody's: who texts from it is unknown
  if (!customer || customer.archivedAt !== null) return
  const { rows: leads } = await sql<{ id: string; propertyId: string | null; isElsewhere: boolean }>`
    select l.id, p.id as property_id, l.street <> '' and p.id is null as is_elsewhere
    from business_leads l left join lateral (
      select p.id from properties p where p.business_id = l.business_id and p.customer_id = ${customerId} and p.archived_at is null
        and (l.street = '' or lower(btrim(p.street)) = lower(btrim(l.street))) order by p.id limit 1) p on true
    where l.business_id = ${db.businessId} and l.phone = ${phone} and l.customer_id is null and l.stage <> 'lost'
    order by l.id limit ${mostLeads}`.execute(db)
  // leads first, as where one is made a customer: both at once wait for each other
  const held = []
  for (const one of leads) {
    const lead = await lockLead(db, one.id)
    if (lead.customerId === null) held.push({ ...one, lead })
  }
  await giveMessagesTx(db, { customerId, addresses: [phone] })
  for (const { id, propertyId, isElsewhere, lead } of held) {
    await giveMessagesTx(db, { customerId, entity: { type: 'lead', id }, addresses: [] })
    if (isElsewhere) {
      await setLead(db, lead, { customerId })
      continue
    }
    const name = lead.name === formatPhone(phone) ? customer.name : lead.name
    // which of the places of an old customer they ask for is nobody's guess
    const place = isNew || lead.street !== '' ? propertyId : null
    await setLead(db, lead, { name, customerId, propertyId: place, convertedAt: clock.iso() })
    await recallAskingTx(db, { type: 'lead', id }, 'They became a customer before it left')
    await tellPast(db, id, {
      kind: 'customer',
      words: name,
      data: { customerId, into: !isNew },
      userId: userIdOf(who),
    })
  }
}
