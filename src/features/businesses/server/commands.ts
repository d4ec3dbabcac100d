import type { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { touch } from '../../../platform/events/events.ts'
import { newId } from '../../../platform/ids.ts'
import { AppError, notFound } from '../../../shared/errors.ts'
import type { BusinessSettings, businessesApi, TaxRateDraft } from '../contract.ts'
import { getBusinessSettings } from './queries.ts'

export const changeBusiness = async (
  actor: Actor,
  change: z.output<(typeof businessesApi)['update']['body']>,
): Promise<BusinessSettings> =>
  withTenant(actor, async (db) => {
    const { version, ...fields } = change
    const changed = await db
      .updateTable('businesses')
      .set({ ...fields, version: version + 1, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('version', '=', version)
      .returning('businessId')
      .executeTakeFirst()
    if (!changed)
      throw new AppError(
        'version_conflict',
        'Somebody else changed the settings meanwhile. What you typed is still on the screen: reload to see theirs, then save again.',
      )
    await audit(db, actor, 'business.change', { type: 'business', id: db.businessId }, { after: fields })
    await touch(db, 'business')
    return getBusinessSettings(db)
  })

export const addTaxRate = async (actor: Actor, draft: z.output<typeof TaxRateDraft>): Promise<BusinessSettings> =>
  withTenant(actor, async (db) => {
    const id = newId()
    await db
      .insertInto('taxRates')
      .values({ businessId: db.businessId, id, ...draft, createdAt: clock.iso() })
      .execute()
    await audit(db, actor, 'tax.add', { type: 'taxRate', id }, { after: draft })
    await touch(db, 'business')
    return getBusinessSettings(db)
  })

export const removeTaxRate = async (actor: Actor, id: string): Promise<BusinessSettings> =>
  withTenant(actor, async (db) => {
    const row = await db
      .updateTable('taxRates')
      .set({ archivedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    if (!row) throw notFound('tax rate')
    await audit(db, actor, 'tax.remove', { type: 'taxRate', id })
    await touch(db, 'business')
    return getBusinessSettings(db)
  })
