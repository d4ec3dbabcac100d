import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { toE164 } from '../../../../shared/phone.ts'
import { smsUsage } from '../../server/queries.ts'
import { type PaperReach, paperReach } from '../rules.ts'

export type CustomerReach = PaperReach & { name: string; language: 'en' | 'es' }

const nobody: CustomerReach = { name: '', language: 'en', mail: null, text: null, why: null }

/** Where the papers of customers go now, by their ids. */
export const listPaperReach = async (
  db: TenantDb,
  customerIds: readonly string[],
): Promise<(customerId: string) => CustomerReach> => {
  if (customerIds.length === 0) return () => nobody
  const rows = await db
    .selectFrom('customers')
    .innerJoin('businesses', 'businesses.businessId', 'customers.businessId')
    .where('customers.businessId', '=', db.businessId)
    .where('customers.id', 'in', [...new Set(customerIds)])
    .select(['customers.id', 'customers.name', 'customers.email', 'customers.phone', 'customers.language'])
    .select((eb) => eb.fn.coalesce('customers.paperWay', 'businesses.paperWay').as('way'))
    .execute()
  const people = rows.map((row) => ({ ...row, number: row.phone ? toE164(row.phone) : null }))
  const numbers = people.flatMap(({ way, number }) => (way !== 'email' && number ? [number] : []))
  const [stopped, usage] =
    numbers.length === 0
      ? [[], null]
      : [
          await db
            .selectFrom('suppressions')
            .select(['address', 'reason'])
            .where('businessId', '=', db.businessId)
            .where('channel', '=', 'sms')
            .where('purpose', '=', 'all')
            .where('address', 'in', numbers)
            .execute(),
          await smsUsage(db),
        ]
  const reasons = new Map(stopped.map(({ address, reason }) => [address, reason]))
  const usedUp = usage !== null && usage.segmentLimit !== null && usage.segmentsUsed >= usage.segmentLimit
  const found = new Map(
    people.map(({ id, name, language, way, email, number }) => {
      // without an e-mail the text is asked for all the same: it stands in the messages with the reason why it did not leave
      const noText =
        (number && reasons.get(number)) ?? (usedUp && email ? 'The SMS segments of this month are used up' : null)
      return [
        id,
        {
          name,
          language: language as CustomerReach['language'],
          ...paperReach(way, { email, number }, noText || null),
        },
      ]
    }),
  )
  return (customerId) => found.get(customerId) ?? nobody
}

/** Where the papers of one customer go now. */
export const getPaperReach = async (db: TenantDb, customerId: string): Promise<CustomerReach> =>
  (await listPaperReach(db, [customerId]))(customerId)
