import type { TenantDb } from '../../../platform/db/tenant.ts'
import { limitsOf } from '../../billing/rules.ts'
import type { BusinessSettings } from '../contract.ts'

/** The settings as their screen shows them, with plan and tax table. */
export const getBusinessSettings = async (db: TenantDb): Promise<BusinessSettings> => {
  const row = await db
    .selectFrom('businesses')
    .selectAll()
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const taxRates = await db
    .selectFrom('taxRates')
    .select(['id', 'name', 'ratePercent', 'taxCategory', 'state'])
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
  const { count } = await db
    .selectFrom('customers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('businessId', '=', db.businessId)
    .where('archivedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return {
    name: row.name,
    phone: row.phone,
    email: row.email,
    street: row.street,
    city: row.city,
    state: row.state,
    zip: row.zip,
    timeZone: row.timeZone,
    seasonStart: row.seasonStart,
    seasonEnd: row.seasonEnd,
    workDays: row.workDays,
    holidays: row.holidays,
    holidayRule: row.holidayRule as BusinessSettings['holidayRule'],
    termsDays: row.termsDays,
    invoiceMessage: row.invoiceMessage,
    invoiceTerms: row.invoiceTerms,
    defaultWageCents: row.defaultWageCents,
    burdenPercent: row.burdenPercent,
    mileCostCents: row.mileCostCents,
    targetManHourCents: row.targetManHourCents,
    driveFactorSeconds: row.driveFactorSeconds,
    driveExponent: row.driveExponent,
    quietStartMinute: row.quietStartMinute,
    quietEndMinute: row.quietEndMinute,
    brandColour: row.brandColour,
    slug: row.slug,
    planTier: row.planTier as BusinessSettings['planTier'],
    subscriptionStatus: row.subscriptionStatus,
    activeCustomers: count,
    customerLimit: limitsOf(row.planTier).customerLimit,
    taxRates,
    version: row.version,
  }
}
