import { withTenant } from '../../../../platform/db/tenant.ts'
import { linkTo } from '../../../../shared/links.ts'
import { receivePortalTx } from '../../../messages/server/inbound/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import type { Door, Person } from '../../server/queries.ts'

/** Puts what a customer writes into their thread, where the office answers it. Of a form that is sent twice once. */
export const writeByCustomer = (
  door: Door,
  { person, text, key }: { person: Person; text: string; key: string },
): Promise<void> =>
  withTenant(door, async (db) => {
    const id = await receivePortalTx(db, {
      customerId: person.customerId,
      address: person.email ?? person.phone ?? '',
      fromName: person.name,
      text,
      key,
    })
    if (id === null) return
    await notifyOffice(db, {
      type: 'other',
      topic: 'replies',
      title: `${person.customerName} wrote in the portal`,
      content: text.slice(0, 200),
      customerId: person.customerId,
      path: linkTo.customer(person.customerId, { part: 'messages' }),
      dedupeKey: `portal-message:${id}`,
    })
  })
