import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { getContact } from '../../customers/server/queries.ts'
import { statementUrlTx } from '../../invoices/statements/server/commands.ts'

/** The address to put into a message; the same as the statement's. @throws not_found */
export const openPayLink = (actor: Actor, customerId: string): Promise<{ url: string }> =>
  withTenant(actor, async (db) => {
    await getContact(db, customerId)
    const url = await statementUrlTx(db, customerId)
    await audit(db, actor, 'statement.link', { type: 'customer', id: customerId })
    return { url }
  })
