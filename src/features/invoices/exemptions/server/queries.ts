import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { signedFilePath } from '../../../../platform/links.ts'
import { addDays, type Day } from '../../../../shared/dates.ts'
import { notFound } from '../../../../shared/errors.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import type { Exemptions } from '../contract.ts'
import { exemptionWarningDays, exemptOn, standingOf, type TaxExempt } from '../rules.ts'

const onFile = (db: TenantDb, customerIds: readonly string[]) =>
  db
    .selectFrom('taxExemptions')
    .select(['id', 'customerId', 'certificate', 'state', 'validFrom', 'validUntil', 'fileId'])
    .where('businessId', '=', db.businessId)
    .where('customerId', 'in', [...customerIds])
    .where('removedAt', 'is', null)
    .orderBy('validFrom', 'desc')
    .orderBy('id')

/**
 * Where customers pay no sales tax on the day of the work, which is not the day of the invoice: December's visits are invoiced in January.
 * Work without a day is taken as today's.
 */
export const findExempt = async (
  db: TenantDb,
  customers: readonly { id: string; taxExempt: boolean }[],
): Promise<(customerId: string, workedOn: Day | null) => TaxExempt> => {
  if (customers.length === 0) return () => false
  const today = await todayOf(db)
  const byHand = new Map(customers.map(({ id, taxExempt }) => [id, taxExempt]))
  const rows = Map.groupBy(
    await onFile(
      db,
      customers.map(({ id }) => id),
    ).execute(),
    ({ customerId }) => customerId,
  )
  return (id, workedOn) => exemptOn(byHand.get(id) ?? false, rows.get(id) ?? [], workedOn ?? today)
}

/** The certificates of a customer. @throws not_found */
export const listExemptions = async (db: TenantDb, customerId: string): Promise<Exemptions> => {
  const customer = await db
    .selectFrom('customers')
    .select(['name', 'taxExempt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (!customer) throw notFound('customer')
  const rows = await onFile(db, [customerId]).execute()
  const today = await todayOf(db)
  const exempt = exemptOn(customer.taxExempt, rows, today)
  return {
    customerName: customer.name,
    taxExempt: typeof exempt === 'boolean' ? exempt : [...exempt],
    byHand: customer.taxExempt,
    items: rows.map(({ id, certificate, state, validFrom, validUntil, fileId }) => ({
      id,
      certificate,
      state,
      validFrom,
      validUntil,
      standing: standingOf({ validFrom, validUntil }, today),
      fileUrl: fileId ? signedFilePath(db.businessId, fileId) : null,
    })),
  }
}

/** Certificates that end soon or ended lately, as long as none of the same state follows them. */
export const listEndingExemptions = (db: TenantDb, today: Day) =>
  db
    .selectFrom('taxExemptions as e')
    .innerJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'e.businessId').onRef('customers.id', '=', 'e.customerId'),
    )
    .where('e.businessId', '=', db.businessId)
    .where('e.removedAt', 'is', null)
    .where('customers.archivedAt', 'is', null)
    .where('e.validUntil', '>=', addDays(today, -exemptionWarningDays))
    .where('e.validUntil', '<=', addDays(today, exemptionWarningDays))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('taxExemptions as n')
            .select('n.id')
            .whereRef('n.businessId', '=', 'e.businessId')
            .whereRef('n.customerId', '=', 'e.customerId')
            .where('n.removedAt', 'is', null)
            .where((own) => own.or([own('n.state', 'is', null), own('n.state', '=', own.ref('e.state'))]))
            .where((own) =>
              own.or([own('n.validUntil', 'is', null), own('n.validUntil', '>', own.ref('e.validUntil'))]),
            ),
        ),
      ),
    )
    .select(['e.id', 'e.customerId', 'e.certificate', 'e.state', 'e.validUntil', 'customers.name'])
    .orderBy('e.validUntil')
    .orderBy('e.id')
    .limit(20)
    .execute()
