import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import type { QuoteRules } from '../contract.ts'
import { getQuoteRules } from './queries.ts'

export const setQuoteRules = (actor: Actor, { version, ...rules }: QuoteRules): Promise<QuoteRules> =>
  withTenant(actor, async (db) => {
    const before = await getQuoteRules(db)
    requireVersion(before, version, 'this rule')
    const row = { ...rules, version: before.version + 1, updatedAt: clock.iso() }
    await db
      .insertInto('quoteRules')
      .values({ businessId: db.businessId, ...row })
      .onConflict((c) => c.column('businessId').doUpdateSet(row))
      .execute()
    await audit(db, actor, 'quote.rules', { type: 'business', id: db.businessId }, { before, after: rules })
    await publishChange(db, 'quotes')
    return getQuoteRules(db)
  })
