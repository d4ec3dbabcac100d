import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { absoluteUrl, linkToken, revokeLink } from '../../../../platform/links.ts'
import { paths } from '../../../../shared/paths.ts'
import { getContact } from '../../../customers/server/queries.ts'

const findLinkTx = (db: TenantDb, customerId: string) =>
  db
    .selectFrom('statementLinks')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('customerId', '=', customerId)
    .where('revokedAt', 'is', null)
    // one that came with a merged record is out, too, but not the one to hand on
    .orderBy('merged')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** The address of a customer's statement: the one that is out, else a new one. */
export const statementUrlTx = async (db: TenantDb, customerId: string): Promise<string> => {
  await db
    .insertInto('statementLinks')
    .values({ businessId: db.businessId, id: newId(), customerId, createdAt: clock.iso() })
    .onConflict((c) =>
      c.columns(['businessId', 'customerId']).where('revokedAt', 'is', null).where('merged', '=', false).doNothing(),
    )
    .execute()
  const link = await findLinkTx(db, customerId)
  return absoluteUrl(paths.statement(await linkToken(db, 'statement', link?.id ?? '')))
}

/** The address to hand to a customer. @throws not_found */
export const openStatementLink = (actor: Actor, customerId: string): Promise<{ url: string }> =>
  withTenant(actor, async (db) => {
    await getContact(db, customerId)
    const url = await statementUrlTx(db, customerId)
    await audit(db, actor, 'statement.link', { type: 'customer', id: customerId })
    return { url }
  })

/** Takes the address back that is out; again changes nothing. @throws not_found */
export const revokeStatementLink = (actor: Actor, customerId: string): Promise<{ revoked: boolean }> =>
  withTenant(actor, async (db) => {
    await getContact(db, customerId)
    const out = await db
      .updateTable('statementLinks')
      .set({ revokedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('customerId', '=', customerId)
      .where('revokedAt', 'is', null)
      .returning('id')
      .execute()
    if (out.length === 0) return { revoked: false }
    for (const { id } of out) await revokeLink(db, 'statement', id)
    await audit(db, actor, 'statement.revokeLink', { type: 'customer', id: customerId })
    return { revoked: true }
  })
