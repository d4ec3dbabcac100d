import { sql } from 'kysely'
import { addContact } from '../features/customers/contacts/server/commands.ts'
import { openStatementLink } from '../features/invoices/statements/server/links.ts'
import { sendCardLink } from '../features/payments/cardlinks/server/commands.ts'
import type { Actor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { accountProvider } from '../platform/payments/providers.ts'

/** What customers have from the office: a link to their statement, one to leave a card, and who else belongs to them. */
export const handOutLinks = async (owner: Actor): Promise<void> => {
  const { rows } = await withTenant(owner, (db) =>
    sql<{ id: string }>`
      select c.id from customers c where c.business_id = ${db.businessId} and c.email is not null and c.archived_at is null
        and exists (select from invoices i where i.business_id = c.business_id and i.customer_id = c.id and i.status = 'issued' and not i.disputed
          and i.pending_cents = 0)
        and not exists (select from payment_methods m where m.business_id = c.business_id and m.customer_id = c.id)
      order by c.name, c.id limit 2`.execute(db),
  )
  const [reads, leaves] = rows
  if (reads) await openStatementLink(owner, reads.id)
  if (leaves && accountProvider().provider?.name === 'local') await sendCardLink(owner, leaves.id, { by: 'email' })
  await addContacts(owner)
}

/** Who else belongs to two customers: who pays the bills of a business, and who opens a gate. */
const addContacts = async (owner: Actor): Promise<void> => {
  const { rows } = await withTenant(owner, (db) =>
    sql<{ id: string }>`
      select c.id from customers c where c.business_id = ${db.businessId} and c.archived_at is null
      order by (c.type = 'commercial') desc, c.name, c.id limit 2`.execute(db),
  )
  const [pays, opens] = rows
  if (pays)
    await addContact(owner, pays.id, {
      name: 'Dana Whitfield',
      role: 'billing',
      email: 'dana.whitfield@example.com',
      phone: null,
      note: 'Wants the purchase order number on each bill',
      invoicesBy: 'email',
    })
  if (opens)
    await addContact(owner, opens.id, {
      name: 'Luis Moreno',
      role: 'gate',
      email: null,
      phone: '+19125550164',
      note: 'Opens the side gate before 9',
    })
}
