import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import type { Day } from '../../../../shared/dates.ts'
import { invalid, notFound } from '../../../../shared/errors.ts'
import type { BusinessSettings, TaxRateDraft } from '../../contract.ts'
import { getBusinessSettings } from '../../server/queries.ts'
import { isZipPlace, rateClash } from '../rules.ts'

/** So many rates one business may have, those that ended too. */
const mostRates = 300

/** The rates that stand, under the business's row: of two that clash one is refused, also when both are added at once. */
const lockRatesTx = async (db: TenantDb) => {
  await db
    .selectFrom('businesses')
    .select('businessId')
    .where('businessId', '=', db.businessId)
    // whoever writes a row of this business holds its key: only the row itself is locked, or two of them wait for each other
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return db
    .selectFrom('taxRates')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

const checkDays = ({ validFrom, validTo }: { validFrom: Day | null; validTo: Day | null }): void => {
  if (validFrom && validTo && validTo < validFrom)
    throw invalid([{ path: 'validTo', message: 'The last day comes before the first one' }])
}

/** Adds a rate. @throws invalid where work would be taxed by two rates that were not meant to come together */
export const addTaxRate = (actor: Actor, draft: z.output<typeof TaxRateDraft>): Promise<BusinessSettings> =>
  withTenant(actor, async (db) => {
    checkDays(draft)
    if (draft.state === null && draft.places.some((place) => !isZipPlace(place)))
      throw invalid([{ path: 'state', message: 'Say in which state the cities are' }])
    const rates = await lockRatesTx(db)
    if (rates.length >= mostRates)
      throw invalid([{ path: 'name', message: `There are ${mostRates} rates. Take off some that nobody needs.` }])
    const clash = rateClash(draft, rates)
    if (clash) throw invalid([{ path: draft.onTop ? 'name' : 'places', message: clash }])
    const id = newId()
    await db
      .insertInto('taxRates')
      .values({ businessId: db.businessId, id, ...draft, createdAt: clock.iso() })
      .execute()
    await audit(db, actor, 'tax.add', { type: 'taxRate', id }, { after: draft })
    await publishChange(db, 'business')
    return getBusinessSettings(db, actor)
  })

/** Says until which day of work a rate is charged, or that it goes on. @throws invalid where another one took its place */
export const endTaxRate = (actor: Actor, id: string, validTo: Day | null): Promise<BusinessSettings> =>
  withTenant(actor, async (db) => {
    const rates = await lockRatesTx(db)
    const rate = rates.find((one) => one.id === id)
    if (!rate) throw notFound('tax rate')
    const ended = { ...rate, validTo }
    checkDays(ended)
    const clash = rateClash(
      ended,
      rates.filter((one) => one.id !== id),
    )
    if (clash) throw invalid([{ path: 'validTo', message: clash }])
    await db
      .updateTable('taxRates')
      .set({ validTo })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(
      db,
      actor,
      'tax.end',
      { type: 'taxRate', id },
      { before: { validTo: rate.validTo }, after: { validTo } },
    )
    await publishChange(db, 'business')
    return getBusinessSettings(db, actor)
  })

/** Takes a rate away as if it had never been there: for one that was added by mistake. */
export const removeTaxRate = (actor: Actor, id: string): Promise<BusinessSettings> =>
  withTenant(actor, async (db) => {
    const row = await db
      .updateTable('taxRates')
      .set({ archivedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .where('archivedAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!row) throw notFound('tax rate')
    await audit(db, actor, 'tax.remove', { type: 'taxRate', id })
    await publishChange(db, 'business')
    return getBusinessSettings(db, actor)
  })
